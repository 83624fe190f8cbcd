import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hash } from "@node-rs/argon2";
import { adminLogin } from "@stocktake/contract";
import {
  type Catalogue,
  type Emulator,
  type EmulatorControl,
  emulatorControl,
  type Settings,
  startEmulator,
} from "@stocktake/shopify-emulator";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { buildApp, type SliceRoutes } from "../assembly/app.ts";
import { type AppContext, assembleServices, type Environment } from "../assembly/assembly.ts";
import type { ReadRoom } from "../assembly/http/disk-room.ts";
import { allSlices } from "../assembly/slices.ts";
import { ensureAdmin } from "../auth/admin-password.ts";
import { loginCookie } from "../auth/authentication.ts";
import { createPasswords } from "../auth/passwords.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import { shopifyApiVersion } from "../shopify/documents.ts";
import { createShopifyPlatform, type ShopifyPlatform } from "../shopify/platform.ts";
import { TIME_LIMIT_MS } from "../shopify/testing/test-clock.ts";
import { createShopifyTransport } from "../shopify/transport.ts";
import { createHurryingClock } from "./hurrying-clock.ts";
import { TestApi } from "./test-api.ts";
import { testShop } from "./test-shop.ts";

export interface TestServerOptions {
  /** The calls to serve; all of them unless told. */
  readonly slices?: readonly SliceRoutes[];
  /** The emulated shop's; `testShop` unless told. */
  readonly catalogue?: Catalogue;
  readonly emulatorSettings?: Partial<Settings>;
  /** Parts to put in the place of the usual ones. */
  readonly environment?: Partial<Environment>;
  readonly config?: Partial<Config>;
  /** What is free on the disk of `dataDir`; not asked unless told both. */
  readonly readRoom?: ReadRoom;
  /** An emulated shop and a database that are there already; the caller closes them. */
  readonly over?: { readonly emulator: Emulator; readonly database: TestDatabase };
}

/** The real server over a database of its own and an emulated shop, listening on a free port. */
export interface TestServer {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly context: AppContext;
  readonly database: TestDatabase;
  readonly emulator: Emulator;
  /** The emulated shop's stock, faults and calls. */
  readonly shop: EmulatorControl;
  /** Somebody who is not signed in. */
  readonly stranger: TestApi;
  /** The administrator, signed in. */
  readonly admin: TestApi;
  as(token: string): TestApi;
  close(): Promise<void>;
}

export const adminPassword = "counting-day";
export const webhookSecret = "webhook-secret";

/**
 * Each server's administrator has this password. Hashing and comparing are meant to take long, and each server is signed in to once: this
 * hash says of itself that it takes a moment.
 */
const adminHash = hash(adminPassword, { memoryCost: 8, timeCost: 1 });

const silentOutbox = {
  kind: "outbox",
  send: () => Promise.resolve(),
  check: () => Promise.resolve(true),
} as const;

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const shopClock = createHurryingClock();
  const emulator = options.over?.emulator ?? (await startShop(options, shopClock));
  const database = options.over?.database ?? (await createTestDatabase());
  const config = { ...testConfig(emulator), ...options.config };
  const services = await assembleServices({
    config,
    version: "1.0.0",
    database: database.database,
    pool: database.pool,
    connection: database.connection,
    platform: platformOf(emulator, shopClock),
    mailer: silentOutbox,
    clock: systemClock,
    logger: pino({ level: "silent" }),
    ...options.environment,
  });
  await ensureAdmin(database.database, { adminPassword }, { ...createPasswords(), hash: () => adminHash });
  const slices = options.slices ?? allSlices;
  const app = await buildApp(services.context, slices, null, options.readRoom);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const close = async () => {
    await app.close();
    await services.close();
    // A folder that the test has named is the test's own, and may be anything.
    if (options.config?.dataDir === undefined) await rm(config.dataDir, { recursive: true, force: true });
    if (options.over !== undefined) return;
    await emulator.close();
    await database.drop();
  };
  return {
    url,
    app,
    context: services.context,
    database,
    emulator,
    shop: emulatorControl(emulator.url),
    stranger: new TestApi(url, null),
    admin: new TestApi(url, await signInAsAdmin(url)),
    as: (token) => new TestApi(url, token),
    close,
  };
}

function startShop({ catalogue = testShop, emulatorSettings = {} }: TestServerOptions, clock: Clock) {
  return startEmulator({ catalogue, clock: clock.now, settings: emulatorSettings });
}

function testConfig(emulator: Emulator): Config {
  return {
    port: 0,
    host: "127.0.0.1",
    publicUrl: null,
    dataDir: join(tmpdir(), `stocktake-test-${randomUUID()}`),
    databaseUrl: null,
    databaseDirectUrl: null,
    databaseReplicaUrl: null,
    adminPassword,
    shopify: {
      shop: emulator.store.shop.myshopifyDomain,
      apiUrl: emulator.url,
      auth: { kind: "token", accessToken: emulator.credentials.accessToken },
      webhookSecret,
    },
    smtp: null,
    logLevel: "silent",
    trustProxy: false,
    adminEmail: null,
    mailFrom: null,
    metricsToken: null,
  };
}

function platformOf(emulator: Emulator, clock: Clock): ShopifyPlatform {
  const transport = createShopifyTransport({
    apiUrl: emulator.url,
    version: shopifyApiVersion,
    auth: { kind: "token", accessToken: emulator.credentials.accessToken },
    clock,
    timeouts: { call: TIME_LIMIT_MS, token: TIME_LIMIT_MS, idle: TIME_LIMIT_MS },
    random: () => 0.5,
  });
  return createShopifyPlatform({ transport, clock });
}

/** The value of the login cookie that an answer set. */
export function tokenOf(headers: Headers): string {
  const cookie = headers.getSetCookie().find((text) => text.startsWith(`${loginCookie}=`));
  const token = cookie?.slice(loginCookie.length + 1).split(";")[0];
  if (token === undefined || token === "") throw new Error("The answer did not set the login cookie.");
  return decodeURIComponent(token);
}

async function signInAsAdmin(url: string): Promise<string> {
  const { headers } = await new TestApi(url, null).send(adminLogin, { body: { password: adminPassword } });
  return tokenOf(headers);
}

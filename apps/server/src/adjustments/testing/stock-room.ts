import {
  type Catalogue,
  type Emulator,
  type EmulatorControl,
  emulatorControl,
  startEmulator,
} from "@stocktake/shopify-emulator";
import { pino } from "pino";
import { type AssembledServices, assembleServices } from "../../assembly/assembly.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import { shopifyApiVersion } from "../../shopify/documents.ts";
import { createShopifyPlatform, type ShopifyPlatform } from "../../shopify/platform.ts";
import { createTestClock, TIME_LIMIT_MS } from "../../shopify/testing/test-clock.ts";
import { createShopifyTransport } from "../../shopify/transport.ts";
import { createHurryingClock } from "../../testing/hurrying-clock.ts";
import { type Life, mortalClock, mortalDatabase, mortalPlatform } from "./mortal.ts";

/** The one location of the emulated shop. */
export const shelf = "Shelf";
/** What every SKU has at the start: this much available and some of it more committed. */
export const availableAtStart = 20;

/** An emulated shop with as many SKUs as wanted, a database, and sessions counted in it. */
export interface StockRoom {
  readonly emulator: Emulator;
  readonly shop: EmulatorControl;
  readonly database: TestDatabase;
  readonly clock: Clock;
  readonly platform: ShopifyPlatform;
  readonly admin: AdminCaller;
  readonly locationId: string;
  /** SKU by inventory item. */
  readonly skus: ReadonlyMap<string, string>;
  /** A server that runs all the time. */
  readonly server: AssembledServices;
  /** Another server over this room; the caller closes it. */
  process(options?: ProcessOptions): Promise<AssembledServices>;
  /** Waits until a call to the shop hangs, and lets its time be over. */
  cutOffHanging(): Promise<void>;
  close(): Promise<void>;
}

export interface ProcessOptions {
  /** Makes it mortal. */
  readonly life?: Life;
  /** Wraps its calls to the shop. */
  readonly between?: (platform: ShopifyPlatform) => ShopifyPlatform;
  /** Happens in each pause of its work. */
  readonly whilePausing?: () => Promise<unknown>;
  /** Happens between a request of the process and its work. */
  readonly onceRequested?: () => Promise<unknown>;
}

/** SKU number `index` of a stock room. */
export function skuOf(index: number): string {
  return `SKU-${String(index).padStart(4, "0")}`;
}

/** By how many units its count differs, never 0. */
export function deltaOf(index: number): number {
  return [-2, 3, -1, 4, 1, -5][index % 6] ?? 1;
}

function catalogueOf(size: number): Catalogue {
  const variants = Array.from({ length: size }, (_nothing, index) => ({
    title: `Size ${index}`,
    sku: skuOf(index),
    stock: [{ available: availableAtStart, committed: 2 }],
  }));
  return {
    fingerprint: `stock-room-${size}`,
    shop: { name: "Fjord", myshopifyDomain: "fjord-tests.myshopify.com", currencyCode: "USD" },
    locations: [{ name: shelf }],
    products: [{ title: "Jacket", variants }],
  };
}

export async function openStockRoom(size: number): Promise<StockRoom> {
  const clock = createHurryingClock();
  const emulator = await startEmulator({
    catalogue: catalogueOf(size),
    clock: clock.now,
    settings: { maximumAvailable: 1_000_000, restoreRate: 1_000_000 },
  });
  const database = await createTestDatabase();
  const callClock = createTestClock();
  const platform = platformOf(emulator, callClock);
  const { username, id: userId } = await database.database
    .insertInto("users")
    .values({ username: "admin", role: "admin", passwordHash: null, invitationId: null })
    .returning(["id", "username"])
    .executeTakeFirstOrThrow();
  const room = { emulator, clock, platform, database, shop: emulatorControl(emulator.url) };
  const { locations, variants } = await room.shop.snapshot();
  const server = await processOf(room, {});
  let isClosing = false;
  let waiting: Promise<void> | null = null;
  const cutOff = async () => {
    try {
      await room.shop.untilHanging();
      callClock.advance(TIME_LIMIT_MS);
    } catch (error) {
      // What was to hang may not have been called at all, and then the shop closes.
      if (!isClosing) throw error;
    } finally {
      waiting = null;
    }
  };
  return {
    ...room,
    server,
    admin: { role: "admin", userId, username, loginHash: Buffer.alloc(32) },
    locationId: locations[0]?.id ?? "",
    skus: new Map(variants.map(({ itemId, sku }) => [itemId, sku ?? ""])),
    process: (options = {}) => processOf(room, options),
    cutOffHanging: () => {
      waiting ??= cutOff();
      return waiting;
    },
    close: async () => {
      isClosing = true;
      await server.close();
      await emulator.close();
      await database.drop();
    },
  };
}

/** Takes items off the location, an hour before the database's time: pauses that pass at once leave the shop ahead of it. */
export async function deactivateEarlier({ shop, clock }: StockRoom, items: readonly string[]): Promise<void> {
  const milliseconds = clock.now() - Date.now() + 3_600_000;
  await shop.advanceClock({ milliseconds: -milliseconds });
  for (const item of items) await shop.deactivateLevel({ item, location: shelf });
  await shop.advanceClock({ milliseconds });
}

/** The room's shop with a server over another database, which goes when the room is closed; the shop stays. */
export async function roomOver(room: StockRoom, database: TestDatabase): Promise<StockRoom> {
  const over = { ...room, database };
  const server = await processOf(over, {});
  return {
    ...over,
    server,
    process: (options = {}) => processOf(over, options),
    close: async () => {
      await server.close();
      await database.drop();
    },
  };
}

/** On this clock a call's time is over only when a test ends it. */
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

function processOf(
  { clock, platform, database, emulator }: Pick<StockRoom, "clock" | "platform" | "database" | "emulator">,
  { life, between = (same) => same, whilePausing = () => Promise.resolve() }: ProcessOptions,
): Promise<AssembledServices> {
  const pausing: Clock = {
    now: clock.now,
    steady: clock.steady,
    sleep: async (milliseconds, signal) => {
      await whilePausing();
      await clock.sleep(milliseconds, signal);
    },
  };
  return assembleServices({
    version: "1.0.0",
    config: {
      port: 0,
      host: "127.0.0.1",
      publicUrl: null,
      dataDir: "",
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseReplicaUrl: null,
      adminPassword: null,
      shopify: {
        shop: emulator.store.shop.myshopifyDomain,
        apiUrl: emulator.url,
        auth: { kind: "token", accessToken: emulator.credentials.accessToken },
        webhookSecret: null,
      },
      smtp: null,
      logLevel: "silent",
      trustProxy: false,
      adminEmail: null,
      mailFrom: null,
      metricsToken: null,
    },
    database: life === undefined ? database.database : mortalDatabase(database.database, life),
    pool: database.pool,
    connection: database.connection,
    platform: life === undefined ? between(platform) : mortalPlatform(between(platform), life),
    mailer: { kind: "outbox", send: () => Promise.resolve(), check: () => Promise.resolve(true) },
    clock: life === undefined ? pausing : mortalClock(clock, life),
    logger: pino({ level: "silent" }),
  });
}

/** What adjustments have moved in the shop after a movement, by SKU: every single delta. */
export async function adjustedSince(room: StockRoom, after: number): Promise<Map<string, number[]>> {
  const { movements } = await room.shop.movements({ after });
  const moved = new Map<string, number[]>();
  for (const { cause, sku, delta } of movements) {
    if (cause === "adjustment" && sku !== null) moved.set(sku, [...(moved.get(sku) ?? []), delta]);
  }
  return moved;
}

export async function lastMovement(room: StockRoom): Promise<number> {
  const { movements } = await room.shop.movements({});
  return movements.at(-1)?.sequence ?? 0;
}

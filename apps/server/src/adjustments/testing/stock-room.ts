import {
  type Catalogue,
  type Emulator,
  type EmulatorControl,
  emulatorControl,
  startEmulator,
} from "@stocktake/shopify-emulator";
import { pino } from "pino";
import { type AssembledServices, assembleServices } from "../../assembly/assembly.ts";
import type { Transaction } from "../../database/pool.ts";
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
  return {
    ...room,
    server,
    admin: { role: "admin", userId, username, loginHash: Buffer.alloc(32) },
    locationId: locations[0]?.id ?? "",
    skus: new Map(variants.map(({ itemId, sku }) => [itemId, sku ?? ""])),
    process: (options = {}) => processOf(room, options),
    cutOffHanging: async () => {
      await room.shop.untilHanging();
      callClock.advance(TIME_LIMIT_MS);
    },
    close: async () => {
      await server.close();
      await emulator.close();
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
    sleep: async (milliseconds, signal) => {
      await whilePausing();
      await clock.sleep(milliseconds, signal);
    },
  };
  return assembleServices({
    config: {
      port: 0,
      host: "127.0.0.1",
      publicUrl: null,
      dataDir: "",
      databaseUrl: null,
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

/** An ended session that counted every SKU: each differs by `deltaOf` from what the shop has on hand just now. */
export async function countSession(room: StockRoom): Promise<string> {
  const { variants } = await room.shop.snapshot();
  const items = variants.map(({ itemId, levels, sku, id }) => {
    const quantities = levels[0]?.quantities;
    const onHand = (quantities?.available ?? 0) + (quantities?.committed ?? 0);
    return { itemId, sku: sku ?? "", variant: id, onHand };
  });
  return room.database.database.transaction().execute(async (transaction) => {
    const sessionId = await insertSession(transaction, room, items.length);
    await insertItems(transaction, sessionId, items);
    const counts = items.map(({ sku, onHand }, index) => ({
      sessionId,
      sku,
      previousCount: onHand,
      newCount: onHand + deltaOf(index),
      reason: null,
      userId: room.admin.userId,
    }));
    await transaction.insertInto("countAdjustments").values(counts).execute();
    return sessionId;
  });
}

async function insertSession(transaction: Transaction, room: StockRoom, items: number): Promise<string> {
  const { userId } = room.admin;
  // Deleted already, so that every session may have a store of its own at the one location.
  const store = await transaction
    .insertInto("stores")
    .values({ name: shelf, shopifyLocationId: room.locationId, deletedAt: new Date() })
    .returning("id")
    .executeTakeFirstOrThrow();
  const session = await transaction
    .insertInto("sessions")
    .values({
      storeId: store.id,
      status: "closed",
      scope: "full",
      shopDomain: room.emulator.store.shop.myshopifyDomain,
      shopifyLocationId: room.locationId,
      currency: "USD",
      items,
      startSnapshotAt: new Date(),
      endSnapshotAt: new Date(),
      endedAt: new Date(),
      startedBy: userId,
      endedBy: userId,
      areaCount: 1,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return session.id;
}

interface CountedItem {
  readonly itemId: string;
  readonly sku: string;
  readonly variant: string;
  readonly onHand: number;
}

async function insertItems(
  transaction: Transaction,
  sessionId: string,
  items: readonly CountedItem[],
): Promise<void> {
  const rows = items.map(({ itemId, sku, variant, onHand }) => ({
    sessionId,
    sku,
    plainSku: sku,
    inventoryItemId: itemId,
    variantNumber: variant,
    barcode: null,
    productTitle: "Jacket",
    size: null,
    image: null,
    startOnHand: onHand,
    endOnHand: onHand,
    unitCostCents: 100,
    tracked: true,
    bundle: false,
    stocked: true,
  }));
  await transaction.insertInto("sessionItems").values(rows).execute();
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

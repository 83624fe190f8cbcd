import { afterAll, beforeAll, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { loadIncoming } from "./incoming-queries.ts";
import { itemsOf } from "./reading/testing.ts";
import { keepChanges, keepEndReading, searchLagMs } from "./stock-readings.ts";

const item = "JK-1000";
const minute = 60_000;

let server: TestServer;
let store: TestStore;
let sessionId: string;
let start: number;
beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes] });
  store = await makeStore(server);
  sessionId = (await begin(server, store))._id;
});
afterAll(() => server.close());

/** The session's stock was read at the minute 0, and nothing since; `lastPoll` minutes later a poll began. */
async function readUntil(lastPoll: number): Promise<void> {
  const { pool } = server.database;
  await pool.query("delete from stock_readings");
  const { rows } = await pool.query(
    `update sessions set start_snapshot_at = date_trunc('second', now()),
       stock_read_at = date_trunc('second', now()) + $1 * interval '1 minute' returning start_snapshot_at`,
    [lastPoll],
  );
  start = rows[0].start_snapshot_at.getTime();
}

interface Found {
  readonly onHand: number;
  readonly available?: number;
  /** Minutes after the start: the change by Shopify's clock, and when the poll had ended by ours. */
  readonly changedAt: number;
  readonly readAt: number;
  readonly shopAheadMs?: number | null;
}

async function find({ onHand, available = onHand - 2, changedAt, readAt, shopAheadMs = 0 }: Found) {
  const { database } = server.database;
  const { inventoryItemId } = await database
    .selectFrom("sessionItems")
    .select("inventoryItemId")
    .where("sku", "=", item)
    .executeTakeFirstOrThrow();
  const updatedAt = new Date(start + changedAt * minute).toISOString();
  const times = { readAt: new Date(start + readAt * minute), shopAheadMs };
  await database
    .transaction()
    .execute((transaction) =>
      keepChanges(
        transaction,
        sessionId,
        [{ inventoryItemId, stocked: true, onHand, available, updatedAt }],
        times,
      ),
    );
}

/** Minutes after the start, on hand, and whether the level was changed in between. */
async function readings(): Promise<[number, number, boolean][]> {
  const rows = await server.database.database
    .selectFrom("stockReadings")
    .select(["readAt", "onHand", "touched"])
    .where("sku", "=", item)
    .orderBy("readAt")
    .execute();
  return rows.map(({ readAt, onHand, touched }) => [(readAt.getTime() - start) / minute, onHand, touched]);
}

const second = 1 / 60;

test("the old value held until Shopify's search surely found nothing, the new one since its own time", async () => {
  await readUntil(10);
  await find({ onHand: 5, changedAt: 10.5, readAt: 11 });
  expect(await readings()).toEqual([
    [10 - searchLagMs / minute, 7, false],
    [10.5 + second, 5, true],
  ]);
  // The same level comes again with every poll of the next minutes.
  await find({ onHand: 5, changedAt: 10.5, readAt: 12 });
  expect(await readings()).toHaveLength(2);
  // What went away and came back left a trace of its time alone.
  await find({ onHand: 5, changedAt: 12.5, readAt: 13 });
  expect((await readings()).at(-1)).toEqual([12.5 + second, 5, true]);
});

test("Shopify's time is told by our clock, and no value is said to be older than it can be", async () => {
  await readUntil(10);
  await find({ onHand: 5, changedAt: 10.5 + 60, readAt: 11, shopAheadMs: 60 * minute });
  expect((await readings()).at(-1)).toEqual([10.5 + second, 5, true]);
  await readUntil(10);
  await find({ onHand: 5, changedAt: 10.5 - 60, readAt: 11, shopAheadMs: -60 * minute });
  expect((await readings()).at(-1)).toEqual([10.5 + second, 5, true]);
  // A time that lies after the reading itself says no more than the reading.
  await readUntil(10);
  await find({ onHand: 5, changedAt: 30, readAt: 11 });
  expect((await readings()).at(-1)).toEqual([11, 5, true]);
  await readUntil(10);
  await find({ onHand: 5, changedAt: 10.5, readAt: 11, shopAheadMs: null });
  expect((await readings()).at(-1)).toEqual([11, 5, true]);
});

test("where the search was further behind than allowed, the old value is trusted only as far as it was read", async () => {
  await readUntil(10);
  await find({ onHand: 5, changedAt: 3, readAt: 11 });
  expect(await readings()).toEqual([
    [0, 7, false],
    [3 + second, 5, true],
  ]);
});

test("a level that appears was changed, though it holds as little as nothing; one that lay inactive since before was not", async () => {
  const { pool } = server.database;
  await readUntil(10);
  await pool.query(
    "update session_items set start_on_hand = 0, start_level_updated_at = null where sku = $1",
    [item],
  );
  await find({ onHand: 0, available: 0, changedAt: -60, readAt: 11 });
  expect(await readings()).toEqual([]);
  await find({ onHand: 0, available: 0, changedAt: 10.5, readAt: 11 });
  expect(await readings()).toEqual([
    [10 - searchLagMs / minute, 0, false],
    [10.5 + second, 0, true],
  ]);
});

test.each([
  [
    "by Shopify's own time, where our clock was set back meanwhile",
    "stock_watermark = start_snapshot_at - interval '61 minutes'",
  ],
  ["in a session in which the clock was set", "stock_watermark = null, clock_set_at = now()"],
])("a level that appears was changed %s", async (_name, change) => {
  const { pool } = server.database;
  await readUntil(10);
  await pool.query(
    "update session_items set start_on_hand = 0, start_level_updated_at = null where sku = $1",
    [item],
  );
  await pool.query(`update sessions set ${change}`);
  await find({ onHand: 0, available: 0, changedAt: -60, readAt: 11 });
  expect((await readings()).at(-1)).toEqual([11, 0, true]);
  await pool.query("update sessions set clock_set_at = null, stock_watermark = null");
});

test("what was not stocked at the start and is not at the end was not touched", async () => {
  const { database, pool } = server.database;
  await readUntil(10);
  await pool.query("update session_items set start_on_hand = 0, start_level_updated_at = null");
  await database.transaction().execute(async (transaction) => {
    await loadIncoming(transaction, await itemsOf([]));
    await keepEndReading(transaction, sessionId, { readAt: new Date(start + 11 * minute), shopAheadMs: 0 });
  });
  expect(await readings()).toEqual([]);
});

import { randomUUID } from "node:crypto";
import { postScanBatch } from "@stocktake/contract";
import { sql } from "kysely";
import type pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import type { Transaction } from "../../database/pool.ts";
import { countWaiting } from "../../testing/waiting-transactions.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  scan,
  scanBody,
  scanTimes,
} from "../testing/scene.ts";

const scene = countInEachTest();

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/**
 * No scan waits until its device and its login are noted and the pages are told, which a busy machine does later than their first
 * scan, nor for the database's time to be read.
 */
const isNotedInPassing = (statement: string) =>
  /session_devices|update \S*logins|pg_notify|^"select clock_timestamp\(\)/.test(statement);

/** What the server sends to the database from now on for scans, until the test ends. */
function statements(): readonly string[] {
  const { pool } = scene.server.database;
  const sent: string[] = [];
  const heard = new Set<pg.PoolClient>();
  const listen = (client: pg.PoolClient) => {
    if (heard.has(client)) return;
    heard.add(client);
    const { query } = client;
    const noting = (...parts: unknown[]) => {
      const statement = JSON.stringify(parts[0]);
      if (!isNotedInPassing(statement)) sent.push(statement);
      return Reflect.apply(query, client, parts);
    };
    Object.defineProperty(client, "query", { value: noting, configurable: true });
  };
  pool.on("acquire", listen);
  ends.push(() => {
    pool.off("acquire", listen);
    for (const client of heard) Reflect.deleteProperty(client, "query");
  });
  return sent;
}

test("a scan that counts takes one statement, once its device, its area and its login are known", async () => {
  await scanTimes(scene, 2);
  const sent = statements();
  await scan(scene, { seq: 3, opId: randomUUID() });
  expect(sent).toHaveLength(1);
  expect(await countsOf(scene)).toEqual({ "JK-1000": 3 });
});

const waiting = () => countWaiting(scene.server.database.database);

/** Sends scans that wait for their area, changes something under its lock, and returns what became of them. */
async function whileAreaIsLocked(change: (transaction: Transaction) => Promise<unknown>) {
  await scan(scene, {});
  const { id, pass } = await areaRow(scene);
  const bodies = [2, 3].map((seq) => scanBody(scene, { seq, opId: randomUUID(), pass }));
  const { database } = scene.server.database;
  const results = await database.transaction().execute(async (transaction) => {
    await sql`select from areas where id = ${id} for update`.execute(transaction);
    const single = scan(scene, bodies[0]);
    await expect.poll(waiting).toBe(1);
    const batch = scene.counter.api.call(postScanBatch, { body: { scans: [bodies[1]] } });
    await expect.poll(waiting).toBe(2);
    await change(transaction);
    return { single, batch };
  });
  const { status, reason } = await results.single;
  const [inBatch] = (await results.batch).results;
  expect(inBatch).toMatchObject({ status, reason });
  return [status, reason];
}

describe("a scan that waited for its area is what it is by then", () => {
  test("late where the session ended meanwhile, without a change of the area", async () => {
    const closed = (transaction: Transaction) =>
      transaction
        .updateTable("sessions")
        .set({ status: "closed", endedAt: new Date() })
        .where("id", "=", scene.session._id)
        .execute();
    expect(await whileAreaIsLocked(closed)).toEqual(["late", "SESSION_CLOSED"]);
  });

  test.each([
    ["closed", { status: "closed" }, "AREA_CLOSED"],
    ["restarted", { pass: 9 }, "PASS_OVER"],
    ["deleted", { deletedAt: new Date() }, "AREA_DELETED"],
  ] as const)("late where the area was %s meanwhile", async (_name, changes, reason) => {
    const { id } = await areaRow(scene).catch(() => ({ id: "" }));
    const changed = (transaction: Transaction) =>
      transaction.updateTable("areas").set(changes).where("id", "=", id).execute();
    expect(await whileAreaIsLocked(changed)).toEqual(["late", reason]);
  });

  test("counted where nothing changed", async () => {
    expect(await whileAreaIsLocked(() => Promise.resolve())).toEqual(["counted", null]);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 3 });
  });

  test("a product that the catalogue gained since this node read it", async () => {
    const grown = (transaction: Transaction) =>
      sql`with item as (insert into session_items (session_id, sku, inventory_item_id, variant_number, barcode, product_title,
            start_on_hand, tracked, bundle, stocked)
          select ${scene.session._id}::uuid, 'NEW-1', 'gid://new', '1', ${codes.jacketS.input}, 'Another', 0, true, false, true)
        update sessions set catalogue_version = catalogue_version + 1 where id = ${scene.session._id}`.execute(
        transaction,
      );
    expect(await whileAreaIsLocked(grown)).toEqual(["unresolved", "AMBIGUOUS_CODE"]);
  });
});

test("of a batch each scan is what it would be by itself, whichever way it is stored", async () => {
  await scan(scene, {});
  const { pass } = await areaRow(scene);
  const opId = randomUUID();
  const scans = [
    { seq: 2, opId, pass },
    { seq: 3, input: codes.unknown.input },
    { seq: 2, opId: randomUUID() },
    { seq: 9, opId },
    { seq: 1 },
    { seq: 4, pass: pass - 1 },
    { seq: 5, areaCode: "A2" },
    { seq: 6, areaCode: "Z9" },
    { seq: 7, quantity: 12, areaCode: "a1" },
  ].map((changes) => scanBody(scene, changes));
  const { results } = await scene.counter.api.call(postScanBatch, { body: { scans } });
  expect(
    results.map((result) => [result.httpStatus, "status" in result ? result.status : result.code]),
  ).toEqual([
    [201, "counted"],
    [201, "unresolved"],
    [409, "SEQ_CONFLICT"],
    [200, "counted"],
    [200, "counted"],
    [201, "late"],
    [201, "counted"],
    [404, "NOT_FOUND"],
    [201, "counted"],
  ]);
  expect(results.at(-1)).toMatchObject({ scan: { areaCode: "A1", quantity: 12 } });
  expect(await countsOf(scene)).toEqual({ "JK-1000": 15 });
});

test("a repeat after the session's end is still the scan that counted", async () => {
  const opId = randomUUID();
  await scan(scene, {});
  await scan(scene, { seq: 2, opId });
  await endAtOnce(scene);
  expect(await scan(scene, { seq: 2, opId })).toMatchObject({ httpStatus: 200, status: "counted" });
});

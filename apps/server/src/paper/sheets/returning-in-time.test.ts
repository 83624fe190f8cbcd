import { limits } from "@stocktake/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "../../database/pool.ts";
import { codes, countInEachTest, countingSlices, countsOf } from "../../scanning/testing/scene.ts";
import { countWaiting } from "../../testing/waiting-transactions.ts";
import { paperRoutes } from "../routes.ts";
import { sheetsOf } from "./testing.ts";

const scene = countInEachTest([...countingSlices, paperRoutes]);
const { areaIds, bringBack, printKnown, read, send } = sheetsOf(scene);
const { jacketM, shared, unknown } = codes;

/** Leaves room for so many scans without a product that the administrator brings. */
async function leaveRoom(room: number): Promise<void> {
  const { database } = scene.server.database;
  await sql`delete from scans where session_id = ${scene.session._id} and device_id like 'full %'`.execute(
    database,
  );
  await sql`
    insert into scans (session_id, store_id, location_id, area_id, pass, device_id, seq, input, input_type, method, status,
      reason, scanned_at, scanned_by, sent_by)
    select ${scene.session._id}::uuid, area.store_id, area.location_id, area.id, area.pass, 'full ' || n, n, 'NOTHING', 'barcode',
      'scan', 'unresolved', 'UNKNOWN_CODE', now(), admin.id, admin.id
    from generate_series(1, ${limits.unresolvedPerPerson - room}::integer) n, areas area, users admin
    where area.id = ${areaIds("A1")[0]} and admin.username = 'admin'`.execute(database);
}

test("S39: a sheet whose codes can't all wait for a decision is not kept, and says what to do", async () => {
  const number = await printKnown();
  await leaveRoom(1);
  const keyed = {
    lines: [{ line: 1, quantity: 5 }],
    others: [
      { code: unknown.input, quantity: 1 },
      { code: shared.input, quantity: 2 },
    ],
  };
  expect(await bringBack(number, keyed)).toMatchObject({
    ...{ sheet: { state: "out" }, counted: { rows: 0 }, unresolved: 0 },
    bad: [{ line: null, code: null, problem: expect.stringContaining("there is room for 1 more.") }],
  });
  expect(await countsOf(scene)).toEqual({});
  await leaveRoom(2);
  expect(await bringBack(number, keyed)).toMatchObject({ bad: [], counted: { units: 5 }, unresolved: 2 });
});

test("S39: where the last room is taken in the very moment, the rest waits with the sheet until there is some", async () => {
  const number = await printKnown();
  await bringBack(number, { lines: [{ line: 1, quantity: 5 }] });
  // As if the room had been taken after what was keyed was kept.
  const kept = { lines: [{ line: 1, quantity: 5 }], others: [{ code: unknown.input, quantity: 2 }] };
  await scene.server.database.pool.query(
    "update count_sheets set stored_at = null, entries = $1 where session_id = $2",
    [kept, scene.session._id],
  );
  await leaveRoom(0);
  const { bad, sheet } = await bringBack(number, {});
  expect(sheet).toMatchObject({ state: "returned", keyed: { isStored: false } });
  expect(bad).toEqual([
    {
      ...{ line: null, code: unknown.input },
      problem: expect.stringMatching(/Decide about some of them, then store this again/),
    },
  ]);
  await leaveRoom(1);
  expect(await bringBack(number, {})).toMatchObject({
    bad: [],
    unresolved: 1,
    sheet: { keyed: { isStored: true } },
  });
  expect(await countsOf(scene)).toEqual({ [jacketM.sku]: 5 });
});

test("S39: what becomes of the session or the area at the moment of saving is noticed, and the sheet stays out", async () => {
  const number = await printKnown();
  const { database } = scene.server.database;
  const keyWhile = async (
    change: (reader: Database) => Promise<unknown>,
    back: (reader: Database) => Promise<unknown>,
  ) => {
    const [sent] = await database.transaction().execute(async (transaction) => {
      await change(transaction);
      const keying = send(number, { lines: [{ line: 1, quantity: 5 }] });
      await expect.poll(() => countWaiting(database)).toBeGreaterThan(0);
      return [keying];
    });
    const { body } = await sent;
    await back(database);
    expect((await read(number)).sheet.state).toBe("out");
    return body;
  };
  const [area, other] = areaIds("A1", "A2");
  const changeArea = (columns: ReturnType<typeof sql>) => async (reader: Database) => {
    await sql`select id from areas where id = ${area} for update`.execute(reader);
    await sql`update areas set ${columns} where id = ${area}`.execute(reader);
  };
  const putBack = changeArea(sql`deleted_at = null, merged_into = null`);
  expect(await keyWhile(changeArea(sql`deleted_at = now()`), putBack)).toMatchObject({
    bad: [{ problem: expect.stringContaining("Area A1 was deleted.") }],
  });
  expect(await keyWhile(changeArea(sql`deleted_at = now(), merged_into = ${other}`), putBack)).toMatchObject({
    bad: [{ problem: expect.stringContaining("just merged into another one") }],
  });
  const give = (status: string) => (reader: Database) =>
    sql`update sessions set status = ${status} where id = ${scene.session._id}`.execute(reader);
  expect(await keyWhile(give("ending"), give("active"))).toMatchObject({ code: "SESSION_ENDING" });
  expect(await countsOf(scene)).toEqual({});
});

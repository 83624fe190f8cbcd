import { printSheets } from "@stocktake/contract";
import { afterEach, expect, test } from "vitest";
import { countInEachTest, countingSlices, endAtOnce } from "../../scanning/testing/scene.ts";
import { begin } from "../../testing/scenes.ts";
import { paperRoutes } from "../routes.ts";
import { sheetsOf } from "./testing.ts";

const scene = countInEachTest([...countingSlices, paperRoutes]);
const { areaIds, print, read } = sheetsOf(scene);

/**
 * The session as a restore leaves it: begun a day ago, of a backup that was made a second later with the sheets up to a
 * number; `restoredAt` is by the clock of the machine that restored, in seconds from the session's start.
 */
async function restoreSession(restoredAt: number, sheetsOfBackup = 1): Promise<void> {
  const { pool } = scene.server.database;
  const ofSession = [scene.session._id];
  await pool.query(
    `update sessions set started_at = yesterday, backup_made_at = yesterday + interval '1 second'
     from (select date_trunc('day', now()) - interval '1 day' as yesterday) time where id = $1`,
    ofSession,
  );
  await pool.query("delete from count_sheets where session_id = $1 and number > $2", [
    ...ofSession,
    sheetsOfBackup,
  ]);
  await pool.query(
    `update count_sheets set printed_at = session.backup_made_at
     from sessions session where session.id = $1 and session_id = session.id`,
    ofSession,
  );
  await pool.query(
    `update installation set epoch = gen_random_uuid()::text, backup_made_at = session.backup_made_at,
       restored_at = session.started_at + make_interval(secs => $2)
     from sessions session where session.id = $1`,
    [...ofSession, restoredAt],
  );
}

const printedNumber = async () => (await print())[0]?.number ?? 0;

afterEach(async () => {
  await scene.server.database.pool.query("update installation set restored_at = null, backup_made_at = null");
});

test("after each restore of one backup the numbers begin beyond those that were printed since it", async () => {
  await print();
  await restoreSession(100);
  expect([await printedNumber(), await printedNumber()]).toEqual([1001, 1002]);
  await restoreSession(130);
  expect([await printedNumber(), await printedNumber()]).toEqual([1301, 1302]);
});

test("where the restoring machine's clock is behind the backup, no number is one that may have been printed since it", async () => {
  const printed = [await printedNumber(), await printedNumber(), await printedNumber()];
  const restores = [-3600, -3600, 0.5, 100, -10];
  for (const restoredAt of restores) {
    await restoreSession(restoredAt);
    printed.push(await printedNumber(), await printedNumber());
  }
  expect(new Set(printed).size).toBe(3 + 2 * restores.length);
  expect(printed.slice(9, 11)).toEqual([1001, 1002]);
});

test("where more sheets stand in the backup than the time till the restore has numbers for, none of theirs comes again", async () => {
  const inBackup = [];
  for (let sheets = 0; sheets < 25; sheets++) inBackup.push(await printedNumber());
  const since = await printedNumber();
  await restoreSession(2, inBackup.length);
  const next = [await printedNumber(), await printedNumber()];
  expect(next[1]).toBe((next[0] ?? 0) + 1);
  expect([...inBackup, since]).not.toContain(next[0]);
  expect(next[0]).toBeGreaterThan(since);
});

test("a clock that is years ahead at the restore leaves numbers that a sheet can be found by", async () => {
  await restoreSession(20 * 366 * 86_400);
  const number = await printedNumber();
  expect((await read(number)).sheet).toMatchObject({ number });
});

test("a session that was started after the restore has small numbers, also where the clock was set back since", async () => {
  await restoreSession(2 * 86_400);
  await endAtOnce(scene);
  const { _id } = await begin(scene.server, scene.store);
  const { sheets } = await scene.server.admin.call(printSheets, {
    params: { id: _id },
    body: { areaIds: areaIds("A1"), order: "walk" },
  });
  expect(sheets.map(({ number }) => number)).toEqual([1]);
});

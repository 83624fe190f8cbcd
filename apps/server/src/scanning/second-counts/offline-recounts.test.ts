import { randomUUID } from "node:crypto";
import { finishArea, resetArea } from "@stocktake/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { countInEachTest, firstArea, type ScanChanges, scan } from "../testing/scene.ts";
import { askAgain, countShelf, joinAs, scanShelf, unitsByStatus } from "../testing/second-counts.ts";

const scene = countInEachTest();
const first = { jacketS: 8, jacketM: 5 } as const;

test("scans of an offline recount whose number a second count has taken meanwhile are not of it, and keep out nobody who makes it", async () => {
  const ada = await joinAs(scene, "Ada");
  const cleo = await joinAs(scene, "Cleo");
  await countShelf(scene, ada, first);
  const before = new Date(Date.now() - 60_000).toISOString();
  await sql`update sessions set start_snapshot_at = ${before}::timestamptz - interval '1 hour'
    where id = ${scene.session._id}`.execute(scene.server.database.database);
  const { pass } = await askAgain(scene);
  // Loaded as a file, whose resets nobody carries out.
  const send = (seq: number, changes: ScanChanges) => {
    const of = { seq, pass, deviceId: "device-of-Cleo", opId: randomUUID(), scannedById: cleo.userId };
    return scan(scene, { ...of, ...changes }, scene.server.admin);
  };
  const late = { status: "late", reason: "AREA_CLOSED" };
  expect(await send(1, { scannedAt: before, quantity: 30 })).toMatchObject(late);
  expect(await send(2, { scannedAt: before, timeUnknown: true })).toMatchObject({ status: "counted" });
  expect(await send(3, { scannedAt: before })).toMatchObject(late);
  expect(await unitsByStatus(scene)).toEqual({ compared: 1, counted: 13, "late AREA_CLOSED": 31 });
  const ben = await joinAs(scene, "Ben");
  await scanShelf(scene, ben, { jacketS: 1 });
  expect(await unitsByStatus(scene)).toEqual({ compared: 2, counted: 13, "late AREA_CLOSED": 31 });
});

test("a reset and a total that waited are of a second count where it was open to who made them, whoever signs in and sends them", async () => {
  const ada = await joinAs(scene, "Ada");
  const ben = await joinAs(scene, "Ben");
  await countShelf(scene, ada, first);
  const { pass } = await askAgain(scene);
  const body = { ...firstArea(scene), pass };
  const deviceId = "device-of-neither";
  const { api } = await joinAs(scene, "Cleo");
  const adas = { ...body, madeById: ada.userId };
  for (const sender of [api, scene.server.admin]) {
    expect((await sender.refusal(resetArea, { body: adas })).code).toBe("VALIDATION");
    const total = { ...adas, deviceId, declaredTotal: 13 };
    expect((await sender.refusal(finishArea, { body: total })).code).toBe("VALIDATION");
  }
  const bens = { ...body, madeById: ben.userId };
  const { area } = await ada.api.call(resetArea, { body: bens });
  const total = { ...bens, pass: area.pass, deviceId, declaredTotal: 0 };
  expect(await ada.api.call(finishArea, { body: total })).toMatchObject({ matched: true });
});

test("a time from before the session's start is none that is known, and keeps nobody out", async () => {
  await countShelf(scene, await joinAs(scene, "Ada"), first);
  const { pass } = await askAgain(scene);
  const { api } = await joinAs(scene, "Ben");
  const ofBen = { seq: 1, pass, deviceId: "device-of-Ben", scannedAt: "2001-01-01T00:00:00.000Z" };
  expect(await scan(scene, ofBen, api)).toMatchObject({ status: "counted" });
});

test("where the server's clock was set since, whoever may make a second count makes it", async () => {
  const ada = await joinAs(scene, "Ada");
  await countShelf(scene, ada, first);
  const { pass } = await askAgain(scene);
  const { database } = scene.server.database;
  await sql`update second_counts set asked_at = now() + interval '1 hour'`.execute(database);
  const ben = await joinAs(scene, "Ben");
  const send = (seq: number) =>
    scan(scene, { seq, pass, deviceId: "device-of-Ben", scannedAt: new Date().toISOString() }, ben.api);
  expect(await send(1)).toMatchObject({ status: "late" });
  await sql`update sessions set clock_set_at = now() where id = ${scene.session._id}`.execute(database);
  expect(await send(2)).toMatchObject({ status: "counted" });
});

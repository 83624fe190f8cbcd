import { reopenArea } from "@stocktake/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { close } from "../../areas/testing.ts";
import { countWaiting } from "../../testing/waiting-transactions.ts";
import { codes, countInEachTest, endAtOnce, scan } from "../testing/scene.ts";

const scene = countInEachTest();

function area() {
  const [first] = scene.store.areas;
  if (first === undefined) throw new Error("The store has no area.");
  return first;
}

function reopen(areaId = area().id) {
  return scene.server.admin.send(reopenArea, { body: { areaId, eraseScans: true } });
}

async function query(text: string) {
  return (await scene.server.database.pool.query(text, [scene.session._id])).rows;
}

test("reopening returns a closed area to not started, in its next pass", async () => {
  await scan(scene);
  await close(scene.server, area());
  const { status, body } = await reopen();
  expect(status).toBe(200);
  expect(body).toEqual({
    area: {
      _id: area().id,
      code: "A1",
      name: "Area A1",
      locationId: scene.store.locationId,
      status: "not_started",
      pass: 3,
      closedBy: null,
      closedAt: null,
      activity: null,
      recountNeeded: false,
      accepted: 0,
      recount: { pass: 3, reason: null, requestedAt: expect.any(String), requestedBy: "admin" },
      ownTotals: null,
      assigned: null,
    },
  });
});

test("reopening voids what was counted and erases nothing", async () => {
  await scan(scene);
  await scan(scene, { seq: 2, input: codes.unknown.input });
  await scan(scene, { seq: 3, areaCode: "A2" });
  await close(scene.server, area());
  await reopen();
  expect(
    await query(
      `select areas.code, scans.status, voided_from, reason from scans join areas on areas.id = area_id
        where session_id = $1 order by scans.id`,
    ),
  ).toEqual([
    { code: "A1", status: "voided", voided_from: "counted", reason: "AREA_REOPENED" },
    { code: "A1", status: "voided", voided_from: "unresolved", reason: "AREA_REOPENED" },
    { code: "A2", status: "counted", voided_from: null, reason: null },
  ]);
  expect(
    await query("select code from scan_totals join areas on areas.id = area_id where session_id = $1"),
  ).toEqual([{ code: "A2" }]);
  expect(
    await query(
      `select area_passes.pass, ended_as from area_passes join areas on areas.id = area_id
        where session_id = $1 and areas.code = 'A1' order by area_passes.pass`,
    ),
  ).toEqual([
    { pass: 2, ended_as: "reopened" },
    { pass: 3, ended_as: null },
  ]);
});

test("an area that is not closed is 409 AREA_NOT_CLOSED, in progress too", async () => {
  const error = "This area is not closed, so there is nothing to reopen.";
  expect(await reopen()).toMatchObject({ status: 409, body: { code: "AREA_NOT_CLOSED", error } });
  await scan(scene);
  expect(await reopen()).toMatchObject({ status: 409, body: { code: "AREA_NOT_CLOSED", error } });
});

test("without a running session it is 409 SESSION_CLOSED and changes nothing", async () => {
  await scan(scene);
  await close(scene.server, area());
  await scene.server.database.pool.query("update sessions set status = 'closed', ended_at = now()");
  expect(await reopen()).toMatchObject({ status: 409, body: { code: "SESSION_CLOSED" } });
  expect(await query("select status from scans where session_id = $1")).toEqual([{ status: "counted" }]);
});

test("while the session is being ended an area can still be reopened", async () => {
  await close(scene.server, area());
  await scene.server.database.pool.query("update sessions set status = 'ending' where status = 'active'");
  expect((await reopen()).status).toBe(200);
});

test("eraseScans must be true", async () => {
  await close(scene.server, area());
  for (const body of [{ areaId: area().id }, { areaId: area().id, eraseScans: false }]) {
    const answer = await scene.server.admin.request("POST", "/api/areas/reopen", { body });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ field: "eraseScans" }] } });
  }
});

test("an unknown, malformed or deleted area is 404", async () => {
  await scene.server.database.pool.query("update areas set deleted_at = now() where id = $1", [area().id]);
  for (const id of ["11111111-1111-4111-8111-111111111111", "malformed", area().id]) {
    expect((await reopen(id)).status).toBe(404);
  }
});

test("an area of a deleted store is 404", async () => {
  await close(scene.server, area());
  await scene.server.database.pool.query("update stores set deleted_at = now()");
  expect((await reopen()).status).toBe(404);
});

test("an area whose store is deleted while the call waits for it is 404", async () => {
  await close(scene.server, area());
  await endAtOnce(scene);
  const { database } = scene.server.database;
  const { id } = scene.store;
  const { answer } = await database.transaction().execute(async (transaction) => {
    await sql`select from stores where id = ${id} for update`.execute(transaction);
    const answer = reopen();
    await expect.poll(() => countWaiting(database)).toBe(1);
    await transaction.updateTable("stores").set({ deletedAt: new Date() }).where("id", "=", id).execute();
    return { answer };
  });
  expect(await answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
});

test("of two who reopen at the same time one does, and the pass is raised once", async () => {
  await scan(scene);
  await close(scene.server, area());
  const answers = await Promise.all([reopen(), reopen()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const passes = await query("select max(pass) as newest from area_passes where session_id = $1");
  expect(passes).toEqual([{ newest: 3 }]);
});

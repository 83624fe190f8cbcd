import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { expect, test } from "vitest";
import { firstArea, scan, scanBody } from "../../scanning/testing/scene.ts";
import { askAgain, countShelf, joinAs } from "../../scanning/testing/second-counts.ts";
import { bringBack } from "./bring-back.ts";
import { archiveInEachTest, countAgain, end, letAge, makeArchivable } from "./testing-archivable.ts";

const { archive, fileNamed, query, scene } = archiveInEachTest();

const back = (file: string) => bringBack(scene.server.database.connection, file);

async function archived(name: string, declaredTotal = 3): Promise<string> {
  await makeArchivable(scene, declaredTotal);
  const file = fileNamed(name);
  await archive(file);
  return file;
}

/** An undo as the administrator sends it from a device's file, and what it was refused with. */
async function undoRefused(seq?: number, deviceId = "device-1"): Promise<[number, string]> {
  const body = { ...firstArea(scene), deviceId, ...(seq === undefined ? {} : { seq }) };
  const { status, code } = await scene.server.admin.refusal(contract.undoScan, { body });
  return [status, code];
}

async function inDoubt() {
  const { rows } = await query("select sku, reason from uncertain_figures where session_id = $1", [
    scene.session._id,
  ]);
  return rows;
}

test("scans that come for an archived session are kept and told, and none is there twice once it is back", async () => {
  const first = randomUUID();
  await scan(scene, { seq: 9, opId: first });
  const file = await archived("late", 4);
  const { admin } = scene.server;
  // The device sends again what it had sent, has lost its numbers, and has one more.
  const sent = [
    { seq: 9, opId: first },
    { seq: 1, opId: randomUUID() },
    { seq: 20, opId: randomUUID() },
  ];
  let lateId = "";
  for (const changes of sent) {
    const answer = await scan(scene, changes, admin);
    expect(answer).toMatchObject({ status: "late", reason: "SESSION_CLOSED" });
    lateId = answer.scan._id;
  }
  const params = { sessionId: scene.session._id };
  const refused = await admin.refusal(contract.varianceReport, { params, query: { view: "all" } });
  expect(refused.error).toContain("3 scans that came since wait here for it, none is lost.");
  const decision = (scanIds: string[]) => ({
    params: { id: scene.session._id },
    body: { action: "accept" as const, scanIds },
  });
  expect(await admin.refusal(contract.decideExceptions, decision([lateId]))).toMatchObject({
    code: "SESSION_ARCHIVED",
  });

  expect(await back(file)).toMatchObject({ kind: "brought_back", scansSince: 3, repeats: 1 });
  const listed = await admin.call(contract.sessionExceptions, {
    params: { id: scene.session._id },
    query: {},
  });
  expect(listed.scans.map(({ status, input }) => [status, input])).toEqual([
    ["late", scanBody(scene).input],
    ["late", scanBody(scene).input],
  ]);
  const { rows } = await query("select seq, status from scans where session_id = $1 order by seq", [
    scene.session._id,
  ]);
  expect(rows.map(({ seq, status }) => [Number(seq), status])).toEqual([
    [1, "counted"],
    [2, "counted"],
    [3, "counted"],
    [4, "voided"],
    [9, "counted"],
    [20, "late"],
    [21, "late"],
  ]);
  // What was matched with no products meanwhile is matched with the session's again.
  const scanIds = listed.scans.map(({ _id }) => _id);
  await admin.call(contract.decideExceptions, decision(scanIds));
  const report = await admin.call(contract.varianceReport, { params, query: { view: "all" } });
  expect(report.items.find(({ sku }) => sku === "JK-1000")).toMatchObject({ counted: 6 });
});

test("a number that is used anew goes on after the device's last real one, past what is in use", async () => {
  const { runningSequence } = contract.limits;
  for (const seq of [runningSequence, runningSequence - 1, 7]) await scan(scene, { seq, opId: randomUUID() });
  const file = await archived("numbered", 6);
  for (const seq of [1, 8, 2]) await scan(scene, { seq, opId: randomUUID() }, scene.server.admin);
  await back(file);
  const { rows } = await query(
    "select seq::text from scans where session_id = $1 and status = 'late' order by scans.seq",
    [scene.session._id],
  );
  expect(rows.map(({ seq }) => Number(seq))).toEqual([8, 9, 10]);
});

test("scans that came meanwhile find their products once these are back, packs too, so that they speak against a zero", async () => {
  const { admin } = scene.server;
  await query("insert into packs values ($1, 'BOX-6', 'JK-1001', 6, now(), 'admin')", [
    contract.packKey("BOX-6"),
  ]);
  const file = await archived("matched");
  const came = [
    { seq: 20, input: "4000000000129" },
    { seq: 21, input: "BOX-6", quantity: 2 },
    { seq: 22, input: "SCARF" },
    { seq: 23, input: "BOX-6", quantity: 9_999 },
  ];
  for (const each of came) await scan(scene, { opId: randomUUID(), ...each }, admin);
  await back(file);
  const { rows } = await query(
    `select seq::integer, sku, quantity, pack_units as units from scans where session_id = $1 and status = 'late' order by seq`,
    [scene.session._id],
  );
  expect(rows).toEqual([
    { seq: 20, sku: "JK-1002", quantity: 1, units: null },
    { seq: 21, sku: "JK-1001", quantity: 12, units: 6 },
    { seq: 22, sku: null, quantity: 1, units: null },
    { seq: 23, sku: null, quantity: 9_999, units: null },
  ]);
  await query("delete from packs");
});

test("an undo of what is in the file is to come again, and is noted once the session is back", async () => {
  const file = await archived("undone");
  for (const seq of [1, undefined]) expect(await undoRefused(seq)).toEqual([423, "SESSION_ARCHIVED"]);
  await back(file);
  expect(await undoRefused(1)).toEqual([409, "SESSION_CLOSED"]);
  expect(await inDoubt()).toEqual([{ sku: "JK-1000", reason: "UNDONE_AFTER_END" }]);
});

test("the undo of a scan that came again meanwhile is noted of the one that the archive holds", async () => {
  const opIds = [randomUUID(), randomUUID()];
  for (const [index, opId] of opIds.entries()) await scan(scene, { seq: 9 + index, opId });
  const file = await archived("undone-again", 5);
  const { admin } = scene.server;
  for (const [index, opId] of opIds.entries()) await scan(scene, { seq: 9 + index, opId }, admin);
  await undoRefused(9);
  expect(await back(file)).toMatchObject({ scansSince: 2, repeats: 2 });
  expect(await inDoubt()).toEqual([{ sku: "JK-1000", reason: "UNDONE_AFTER_END" }]);
});

test.each([
  ["may be chosen yet, its", [5, 3], [{ sku: "JK-1000", reason: "UNDONE_AFTER_END" }]],
  [
    "may be chosen yet since a third differs from both, its",
    [5, 3, 4],
    [{ sku: "JK-1000", reason: "UNDONE_AFTER_END" }],
  ],
  ["is the first count's too, no", [5, 5], []],
])(
  "where the one that the archive holds is of a second count that %s figure is in doubt",
  async (_which, units, marks) => {
    for (const [index, jacketS] of units.entries()) {
      if (index > 0) await askAgain(scene);
      await countShelf(scene, await joinAs(scene, ["Ada", "Ben", "Cleo"][index] ?? ""), { jacketS });
    }
    await end(scene, scene.session._id);
    await letAge(scene, scene.session._id);
    const later = await countAgain(scene);
    await end(later, later.session._id);
    const { rows } = await query(
      `select op_id as "opId", input, quantity, sent_pass as pass from scans
     where session_id = $1 and device_id = 'device-of-Ben'`,
      [scene.session._id],
    );
    const file = fileNamed("second-count");
    await archive(file);
    for (const row of rows) await scan(scene, { ...row, deviceId: "device-of-Ben" }, scene.server.admin);
    await undoRefused(1, "device-of-Ben");
    expect(await back(file)).toMatchObject({ scansSince: 1, repeats: 1 });
    expect(await inDoubt()).toEqual(marks);
  },
);

test("where the one that the archive holds waits as well, it is out", async () => {
  const { session, server } = scene;
  await makeArchivable(scene);
  const opId = randomUUID();
  await scan(scene, { seq: 9, opId }, server.admin);
  // Deployed, so that it may wait in an archive.
  await query(
    `insert into adjustments (session_id, status, basis, zero_uncounted, total_adjustments, applied_by)
     select $1, 'applied', 'end', false, 1, id from users where role = 'admin' limit 1`,
    [session._id],
  );
  const file = fileNamed("waiting");
  await archive(file);
  await scan(scene, { seq: 9, opId }, server.admin);
  await undoRefused(9);
  expect(await back(file)).toMatchObject({ scansSince: 1, repeats: 1 });
  const { rows } = await query(
    "select status, reason, voided_by is null as unnamed from scans where session_id = $1 and seq = 9",
    [session._id],
  );
  expect(rows).toEqual([{ status: "voided", reason: "UNDONE", unnamed: false }]);
  expect(await inDoubt()).toEqual([]);
});

import { createHmac } from "node:crypto";
import {
  type CountRow,
  checkCountRows,
  finishArea,
  limits,
  resetArea,
  storeCountRows,
} from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { expect, test } from "vitest";
import {
  codes,
  countInEachTest,
  countingSlices,
  countsOf,
  endAtOnce,
  firstArea,
  scan,
} from "../../scanning/testing/scene.ts";
import { join } from "../../testing/scenes.ts";
import { paperRoutes } from "../routes.ts";

const scene = countInEachTest([...countingSlices, paperRoutes]);
const { jacketS, jacketM, shared, unknown } = codes;
const nothingKnown = { rows: 0, voided: 0, counted: { rows: 0, units: 0 }, unresolved: 0, late: 0 };

const rowsOf = (...rows: readonly Partial<CountRow>[]): CountRow[] =>
  rows.map((row, index) => ({ row: index + 2, area: "A1", code: jacketS.input, quantity: "1", ...row }));

const given = (rows: readonly CountRow[]) => ({
  params: { id: scene.session._id },
  body: { file: "counts.csv", rows: [...rows] },
});
const check = (rows: readonly CountRow[]) => scene.server.admin.call(checkCountRows, given(rows));
const store = (rows: readonly CountRow[]) => scene.server.admin.call(storeCountRows, given(rows));

const scansOf = () =>
  scene.server.database.database
    .selectFrom("scans")
    .innerJoin("users", "users.id", "scans.scannedBy")
    .selectAll("scans")
    .select("users.username")
    .where("sessionId", "=", scene.session._id)
    .orderBy("scans.id")
    .execute();

test("rows become scans of those who counted, like all others", async () => {
  const at = new Date(Date.now() - 1000).toISOString();
  const rows = rowsOf(
    { quantity: "12", who: "ada", when: at, at },
    { area: "a2", code: jacketM.input, quantity: " 3 ", who: "counter@example.com" },
    { code: unknown.input },
  );
  expect(await check(rows)).toMatchObject({
    bad: [],
    known: nothingKnown,
    counted: { rows: 2, units: 15 },
    unresolved: { rows: 1, codes: [unknown.input] },
  });
  expect(await scansOf()).toEqual([]);
  expect(await store(rows)).toEqual({
    ...{ bad: [], known: nothingKnown, counted: { rows: 2, units: 15 }, unresolved: 1, late: 0 },
    alike: { rows: 0, units: 0, examples: [] },
  });
  expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 12, [jacketM.sku]: 3 });
  const scans = await scansOf();
  const byCode = new Map(scans.map((row) => [row.input, row]));
  expect(byCode.get(jacketS.input)).toMatchObject({
    username: "Ada",
    quantity: 12,
    timeKnown: false,
    givenScannedAt: new Date(at),
  });
  expect(byCode.get(jacketM.input)).toMatchObject({ username: "Ada", quantity: 3, timeKnown: false });
  expect(byCode.get(unknown.input)).toMatchObject({
    username: "admin",
    status: "unresolved",
    timeKnown: false,
  });
});

test("a row's time is kept, and is the moment of no count, however exact it looks", async () => {
  const at = new Date(Math.floor(Date.now() / 1000 - 1) * 1000).toISOString();
  await store(rowsOf({ when: at, at }, { code: jacketM.input }));
  const scans = await scansOf();
  expect(scans.map(({ timeKnown }) => timeKnown)).toEqual([false, false]);
  expect(new Map(scans.map(({ input, givenScannedAt }) => [input, givenScannedAt]))).toEqual(
    new Map([
      [jacketS.input, new Date(at)],
      [jacketM.input, null],
    ]),
  );
});

test("the same rows change nothing the second time, in whatever parts and order", async () => {
  const rows = rowsOf(
    { quantity: "2" },
    { quantity: "2", copy: 2 },
    { area: "A2", quantity: "5" },
    { code: shared.input },
  );
  await store(rows);
  const before = await scansOf();
  const again = [
    [rows[3], rows[1]],
    [rows[0], rows[2]],
  ].map((part) => part.flatMap((row) => row ?? []));
  // By what known rows are now, whoever lost the answer to a part tells what it stored.
  const known = [
    { rows: 2, voided: 0, counted: { rows: 1, units: 2 }, unresolved: 1, late: 0 },
    { rows: 2, voided: 0, counted: { rows: 2, units: 7 }, unresolved: 0, late: 0 },
  ];
  for (const [index, part] of again.entries()) {
    expect(await check(part)).toMatchObject({
      known: known[index],
      counted: { rows: 0, units: 0 },
    });
    expect(await store(part)).toMatchObject({
      known: known[index],
      counted: { rows: 0, units: 0 },
      unresolved: 0,
    });
  }
  expect(await scansOf()).toEqual(before);
  expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 9 });
});

test("S41: a row of an RFID tag counts its item, once whatever the file says, and has no other quantity than 1", async () => {
  const code = epcOf(jacketS.input, 1);
  const rows = rowsOf({ code }, { code, copy: 2 }, { code: epcOf(jacketS.input, 2), quantity: "3" });
  expect(await store(rows)).toMatchObject({
    bad: [{ row: 4, problem: expect.stringContaining("An RFID tag is on one item") }],
    counted: { rows: 1, units: 1 },
    unresolved: 0,
  });
  expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
});

test("a row is known by the same id for good, so that a file that an earlier release stored is known", async () => {
  const { database } = scene.server.database;
  await store(rowsOf({ quantity: " 2", who: "Ada ", copy: 3 }));
  const { rowKey } = await database.selectFrom("installation").select("rowKey").executeTakeFirstOrThrow();
  const cells = JSON.stringify(["A1", "", jacketS.input, "2", "Ada", "", 3]);
  const content = `count-row:0:${scene.session._id}:${cells}`;
  const digest = createHmac("sha256", rowKey).update(content).digest();
  const id = digest.subarray(0, 16);
  id.writeUInt8((id.readUInt8(6) & 0x0f) | 0x80, 6);
  id.writeUInt8((id.readUInt8(8) & 0x3f) | 0x80, 8);
  const [stored] = await scansOf();
  expect(stored?.opId?.replaceAll("-", "")).toBe(id.toString("hex"));
  expect(stored?.seq).toBe(digest.readUIntBE(16, 6) + 1);
});

test("sent twice at the same moment they count once", async () => {
  const rows = rowsOf({ quantity: "2" }, { quantity: "3", who: "Ada" }, { code: unknown.input });
  const answers = await Promise.all([store(rows), store(rows)]);
  expect(answers.reduce((sum, { counted, unresolved }) => sum + counted.rows + unresolved, 0)).toBe(3);
  expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 5 });
});

test("each bad row is named with what is wrong and what to do, and only the others are stored", async () => {
  await join(scene.server, scene.session, { name: "Tom", email: "tom@example.com" });
  await join(scene.server, scene.session, { name: "Tom", email: "other@example.com" });
  await scan(scene, { areaCode: "A2" });
  const finish = { sessionId: scene.session._id, areaCode: "A2", locationId: scene.store.locationId };
  await scene.counter.api.call(finishArea, { body: { ...finish, declaredTotal: 1, deviceId: "device-1" } });
  const rows = rowsOf(
    { area: " " },
    { area: "Z9" },
    { location: "Cellar" },
    { area: "A2" },
    { code: " " },
    { code: "1".repeat(129) },
    { quantity: "" },
    { quantity: "0" },
    { quantity: "1.5" },
    { quantity: "10000" },
    { who: "Nobody" },
    { who: "Tom" },
    { when: "yesterday" },
    { location: "sales floor", who: "tom@example.com", quantity: "9999" },
  );
  const expected = [
    "The area is missing.",
    "This store has no area Z9. Correct the code, or create the area first.",
    "There is no area A1 in Cellar.",
    "Area A2 is closed. Reopen it to count in it, or take this row out.",
    "The scanned code is required. Correct the code.",
    "The scanned code can have at most 128 characters. Correct the code.",
    "The quantity is missing. Write a whole number from 1 to 9,999.",
    "The quantity 0 can't be counted.",
    "The quantity 1.5 can't be counted.",
    "The quantity 10000 can't be counted.",
    "Nobody called Nobody counts in this session.",
    "Several people in this session are called Tom. Write the e-mail address instead.",
    "The time yesterday can't be read.",
  ].map((problem, index) => ({ row: index + 2, problem: expect.stringContaining(problem) }));
  expect(await check(rows)).toMatchObject({ bad: expected, counted: { rows: 1, units: 9999 } });
  expect(await store(rows)).toMatchObject({ bad: expected, counted: { rows: 1, units: 9999 } });
});

test("of people of one name who came by the session code none is asked for an address", async () => {
  const { server, session } = scene;
  await join(server, session, { name: "Kim", email: "" });
  await join(server, session, { name: "kim", email: "" });
  const problem = expect.stringContaining("For somebody who has none, leave it blank for yourself.");
  expect(await check(rowsOf({ who: "Kim" }))).toMatchObject({ bad: [{ row: 2, problem }] });
});

test("what is here already is known, whatever became of its area, person or count since", async () => {
  const rows = rowsOf({ quantity: "4", who: "Ada" });
  await store(rows);
  await scene.server.admin.call(resetArea, { body: firstArea(scene) });
  await scene.server.database.pool.query("update users set deleted_at = now() where username = 'Ada'");
  expect(await check(rows)).toMatchObject({ bad: [], known: { rows: 1, voided: 1 } });
  expect(await store(rows)).toMatchObject({ known: { rows: 1, voided: 1 } });
  expect(await countsOf(scene)).toEqual({});
});

test("files take no more of a session's room for unknown codes than a person, so that whoever counts has some", async () => {
  const { unresolvedPerPerson: most, countRowsPerCall: atOnce } = limits;
  const rows = Array.from({ length: most + 1 }, (_row, index) => ({ code: `NONE-${index}` }));
  const bad: string[] = [];
  for (let from = 0; from < rows.length; from += atOnce) {
    const part = await store(rowsOf(...rows.slice(from, from + atOnce)));
    bad.push(...part.bad.map(({ problem }) => problem));
  }
  expect(bad).toEqual([
    expect.stringMatching(/too many such scans wait under Scans to Decide already\. Decide/),
  ]);
  expect(await scan(scene, { input: "NONE-OF-A-PHONE" })).toMatchObject({ status: "unresolved" });
});

test("a session that is over takes no files", async () => {
  await endAtOnce(scene);
  const { status, body } = await scene.server.admin.send(storeCountRows, given(rowsOf({})));
  expect([status, body]).toEqual([409, expect.objectContaining({ code: "SESSION_CLOSED" })]);
});

test("each loading is in the audit log, and what changed nothing is not", async () => {
  const rows = rowsOf({ quantity: "4" }, { quantity: "x" }, { code: unknown.input, quantity: "2" });
  await store(rows);
  await store(rows);
  const entries = await scene.server.database.database
    .selectFrom("auditEntries")
    .select(["actorName", "after"])
    .where("action", "=", "counts.loaded")
    .where("chain", "=", scene.session._id)
    .execute();
  expect(entries).toEqual([
    { actorName: "admin", after: { file: "counts.csv", firstRow: 2, lastRow: 4, rows: 2, units: 6 } },
  ]);
});

import {
  finishArea,
  lookUpCode,
  reopenArea,
  savePacks,
  sessionProgress,
  undoScan,
} from "@stocktake/contract";
import { expect, test } from "vitest";
import {
  codes,
  countInEachTest,
  countingSlices,
  countsOf,
  firstArea,
  scan,
} from "../../scanning/testing/scene.ts";
import { paperRoutes } from "../routes.ts";
import { sheetsOf } from "./testing.ts";

const scene = countInEachTest([...countingSlices, paperRoutes]);
const { areaIds, bringBack, ofSession, print, printKnown, read } = sheetsOf(scene);
const { jacketL, jacketM, jacketS, shared, unknown } = codes;

const scansOf = () =>
  scene.server.database.database
    .selectFrom("scans")
    .innerJoin("users", "users.id", "scans.scannedBy")
    .selectAll("scans")
    .select("users.username")
    .where("sessionId", "=", scene.session._id)
    .orderBy("scans.id")
    .execute();

test("what is keyed becomes scans of who counted, in the order of the sheet", async () => {
  const number = await printKnown();
  expect(await read(number)).toMatchObject({ areaStatus: "not_started", isAreaRestarted: true });
  const at = new Date(Date.now() - 1000).toISOString();
  const answer = await bringBack(number, {
    ...{ who: "ada", at, declaredTotal: 20 },
    lines: [
      { line: 1, quantity: 12 },
      { line: 2, quantity: 3 },
    ],
    others: [
      { code: jacketS.input, quantity: 4 },
      { code: unknown.input, quantity: 1 },
    ],
  });
  expect(answer).toMatchObject({
    ...{ isRepeat: false, bad: [], counted: { rows: 3, units: 19 }, unresolved: 1, late: 0 },
    sheet: {
      ...{ state: "returned", returnedBy: { username: "admin" }, countedBy: { username: "Ada" } },
      keyed: { rows: 4, units: 20, declaredTotal: 20, isStored: true },
    },
  });
  expect(await countsOf(scene)).toEqual({ [jacketM.sku]: 12, [jacketL.sku]: 3, [jacketS.sku]: 4 });
  const scans = (await scansOf()).filter(({ deviceId }) => deviceId === `sheet ${number}`);
  expect(scans.map(({ sku, quantity, username }) => [sku, quantity, username])).toEqual([
    [jacketM.sku, 12, "Ada"],
    [jacketL.sku, 3, "Ada"],
    [jacketS.sku, 4, "Ada"],
    [null, 1, "Ada"],
  ]);
  expect(scans[0]).toMatchObject({ timeKnown: false, givenScannedAt: new Date(at), method: "manual" });
  const { entries } = await read(number);
  expect(entries).toMatchObject({
    countedAt: at,
    lines: [
      { line: 1, quantity: 12 },
      { line: 2, quantity: 3 },
    ],
  });
});

test("S39: a sheet that is keyed twice counts once, whatever is keyed the second time", async () => {
  const number = await printKnown();
  await bringBack(number, { lines: [{ line: 1, quantity: 5 }] });
  const before = await scansOf();
  for (const quantity of [5, 6]) {
    expect(await bringBack(number, { lines: [{ line: 1, quantity }] })).toMatchObject({
      ...{ isRepeat: true, bad: [], counted: { rows: 0, units: 0 } },
      sheet: { keyed: { units: 5 } },
    });
  }
  expect(await scansOf()).toEqual(before);
  expect(await countsOf(scene)).toEqual({ [jacketM.sku]: 5 });
});

test("S39: keyed by several at the same moment it counts as one of them keyed it", async () => {
  const number = await printKnown();
  const answers = await Promise.all(
    [5, 6, 7, 8].map((quantity) =>
      bringBack(number, {
        lines: [
          { line: 1, quantity },
          { line: 2, quantity },
        ],
      }),
    ),
  );
  expect(answers.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
  const units = answers[0]?.sheet.keyed?.units ?? 0;
  expect(await countsOf(scene)).toEqual({ [jacketM.sku]: units / 2, [jacketL.sku]: units / 2 });
});

test("S39: a storing that broke off ends as it began, whatever is sent the next time", async () => {
  const number = await printKnown();
  await bringBack(number, { lines: [{ line: 1, quantity: 5 }] });
  // As if the server had gone down after the first scan of two.
  const kept = { lines: [{ line: 1, quantity: 5 }], others: [{ code: jacketS.input, quantity: 2 }] };
  await scene.server.database.pool.query(
    "update count_sheets set stored_at = null, keyed_units = 7, entries = $1 where session_id = $2",
    [kept, scene.session._id],
  );
  expect((await read(number)).sheet.keyed).toMatchObject({ isStored: false });
  expect(await bringBack(number, { lines: [{ line: 1, quantity: 9 }] })).toMatchObject({
    ...{ isRepeat: true, counted: { rows: 1, units: 2 }, sheet: { keyed: { units: 7, isStored: true } } },
  });
  expect(await countsOf(scene)).toEqual({ [jacketM.sku]: 5, [jacketS.sku]: 2 });
});

test("nothing of a sheet is stored while something of it can't be, and each is named with what to do", async () => {
  const number = await printKnown();
  const answer = await bringBack(number, {
    who: "Nobody",
    lines: [
      { line: 1, quantity: 1 },
      { line: 3, quantity: 1 },
    ],
    others: [
      { code: " ", quantity: 1 },
      { code: "1".repeat(129), quantity: 1 },
    ],
  });
  expect(answer.bad).toEqual([
    {
      line: null,
      code: null,
      problem: expect.stringContaining("Nobody called Nobody counts in this session."),
    },
    {
      line: 3,
      code: null,
      problem: expect.stringContaining("The last line with a product on this sheet is 2."),
    },
    { line: null, code: " ", problem: "The scanned code is required. Correct the code." },
    { line: null, code: "1".repeat(129), problem: expect.stringContaining("at most 128 characters") },
  ]);
  expect(answer).toMatchObject({ sheet: { state: "out" }, counted: { rows: 0, units: 0 } });
  expect(await countsOf(scene)).toEqual({});
});

test("a closed area takes no sheet until it is open again, and the sheet stays out", async () => {
  const number = await printKnown();
  const { sessionId, areaCode, locationId } = firstArea(scene);
  await scan(scene, { seq: 9 });
  await scene.counter.api.call(finishArea, {
    body: { sessionId, areaCode, locationId, declaredTotal: 1, deviceId: "device-1" },
  });
  expect(await bringBack(number, { lines: [{ line: 1, quantity: 5 }] })).toMatchObject({
    ...{ sheet: { state: "out" }, bad: [{ problem: expect.stringContaining("Area A1 is closed.") }] },
  });
  const body = { areaId: areaIds("A1")[0] ?? "", eraseScans: true as const };
  await scene.server.admin.call(reopenArea, { body });
  await bringBack(number, { lines: [{ line: 1, quantity: 5 }] });
  expect(await countsOf(scene)).toEqual({ [jacketM.sku]: 5 });
});

test("a code is told at once: its product, a pack's units, or that it fits none or several", async () => {
  await scene.server.admin.call(savePacks, {
    body: { packs: [{ code: "PACK-OF-12", sku: jacketS.sku, units: 12 }] },
  });
  const tell = (code: string) =>
    scene.server.admin.call(lookUpCode, { params: ofSession(), query: { code } });
  expect(await tell(jacketM.input)).toMatchObject({
    match: "one",
    product: { size: "M" },
    units: 1,
    problem: null,
  });
  expect(await tell("PACK-OF-12")).toMatchObject({ match: "one", product: { size: "S" }, units: 12 });
  expect(await tell(unknown.input)).toMatchObject({ match: "none", product: null });
  expect(await tell(shared.input)).toMatchObject({ match: "several", product: null });
  expect(await tell(" ")).toMatchObject({ problem: expect.stringContaining("required") });
  const [sheet] = await print();
  const answer = await bringBack(sheet?.number ?? 0, { others: [{ code: "PACK-OF-12", quantity: 3 }] });
  expect(answer).toMatchObject({ counted: { rows: 1, units: 36 }, sheet: { keyed: { units: 36 } } });
  expect(
    await bringBack((await print())[0]?.number ?? 0, { others: [{ code: "PACK-OF-12", quantity: 999 }] }),
  ).toMatchObject({
    bad: [{ code: "PACK-OF-12", problem: expect.stringContaining("11,988 units") }],
  });
  await scene.server.database.pool.query("delete from packs");
});

test("nobody is missed as a device that has fallen silent, because there is none", async () => {
  const [sheet] = await print();
  await bringBack(sheet?.number ?? 0, { who: "Ada", others: [{ code: jacketS.input, quantity: 2 }] });
  const { areas, devices } = await scene.server.admin.call(sessionProgress, { params: ofSession() });
  expect(areas.find(({ code }) => code === "A1")).toMatchObject({ scans: 2, usernames: ["Ada"] });
  expect(devices).toEqual([]);
});

test("no counter takes a line of a sheet back by its number, which anybody can guess", async () => {
  const number = await printKnown();
  await bringBack(number, { who: "ada", lines: [{ line: 1, quantity: 12 }] });
  const undo = { body: { ...firstArea(scene), deviceId: `sheet ${number}`, seq: 1 } };
  expect(await scene.counter.api.refusal(undoScan, undo)).toMatchObject({ code: "NOTHING_TO_UNDO" });
  expect(await countsOf(scene)).toEqual({ [jacketM.sku]: 12 });
});

import { type CallInput, type CountRow, checkCountRows, storeCountRows } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { codes, countInEachTest, countingSlices, countsOf } from "../../scanning/testing/scene.ts";
import { makeAreas, makeLocation } from "../../testing/scenes.ts";
import { paperRoutes } from "../routes.ts";

const scene = countInEachTest([...countingSlices, paperRoutes]);
const { jacketS, jacketM, unknown } = codes;

type Choice = Pick<CallInput<typeof storeCountRows>["body"], "countAlike" | "asOf">;

const rowsOf = (...rows: readonly Partial<CountRow>[]): CountRow[] =>
  rows.map((row, index) => ({ row: index + 2, area: "A1", code: jacketS.input, quantity: "1", ...row }));

const given = (rows: readonly CountRow[], choice: Choice) => ({
  params: { id: scene.session._id },
  body: { file: "counts.csv", rows: [...rows], ...choice },
});
const leftOut = { countAlike: false };
const check = (rows: readonly CountRow[], choice: Choice = leftOut) =>
  scene.server.admin.call(checkCountRows, given(rows, choice));
const store = (rows: readonly CountRow[], choice: Choice = leftOut) =>
  scene.server.admin.call(storeCountRows, given(rows, choice));

const at = (time: string) => ({ when: time, at: `2026-03-02T${time}Z` });
const none = { rows: 0, units: 0, examples: [] };

describe("a row that means the same as one that is here already", () => {
  test("is left out, told in a figure of its own, and counted where somebody says so", async () => {
    const rows = rowsOf({ quantity: "3" }, { code: jacketM.input, quantity: "2" }, { code: unknown.input });
    await store(rows);
    const corrected = [
      ...rows.map((row) => ({ ...row, location: "sales floor" })),
      { row: 5, area: "A2", code: jacketM.input, quantity: "7" },
    ];
    const alike = { rows: 3, units: 6, examples: [2, 3, 4] };
    const figures = { bad: [], alike, counted: { rows: 1, units: 7 } };
    expect(await check(corrected)).toMatchObject({ ...figures, unresolved: { rows: 0 } });
    expect(await store(corrected)).toMatchObject({ ...figures, unresolved: 0 });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 3, [jacketM.sku]: 9 });
    expect(await store(corrected, { countAlike: true })).toMatchObject({
      ...{ alike: none, known: { rows: 1 }, counted: { rows: 2, units: 5 }, unresolved: 1 },
    });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 6, [jacketM.sku]: 11 });
    expect(await check(corrected)).toMatchObject({ alike: none, known: { rows: 4 } });
  });

  test("is named among the bad ones to an app that does not know of such rows", async () => {
    await store(rowsOf({ quantity: "3" }), {});
    const rows = rowsOf({ quantity: "03" });
    const problem = expect.stringMatching(/^This row looks like one that is here already/);
    for (const send of [check, store]) {
      expect(await send(rows, {})).toMatchObject({
        ...{ bad: [{ row: 2, problem }], counted: { rows: 0, units: 0 } },
      });
    }
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 3 });
  });

  test("is one that a spreadsheet has saved again", async () => {
    const code = `0${jacketS.input.padStart(13, "0")}`;
    await store(rowsOf({ code, quantity: "03", who: "Ada", ...at("10:05:31") }));
    const saved = { code: code.replace(/^0+/, ""), quantity: "3", who: "counter@example.com" };
    const rows = rowsOf({ area: "a1", ...saved, ...at("10:05:00") });
    expect(await check(rows)).toMatchObject({ alike: { rows: 1, units: 3 }, counted: { rows: 0 } });
    expect(await store(rows)).toMatchObject({ alike: { rows: 1, units: 3 }, counted: { rows: 0 } });
  });

  test.each<[string, Partial<CountRow>]>([
    ["an area", { area: "A2" }],
    ["a code", { code: jacketM.input }],
    ["a quantity", { quantity: "4" }],
    ["somebody", { who: "Ada" }],
    ["a minute", at("10:06:31")],
    ["a second", at("10:05:32")],
    ["a time", { when: "", at: undefined }],
  ])("is none of another: %s", async (_what, change) => {
    await store(rowsOf({ quantity: "3", ...at("10:05:31") }));
    const rows = rowsOf({ quantity: "3", location: "sales floor", ...at("10:05:31"), ...change });
    expect(await check(rows)).toMatchObject({ bad: [], alike: none, counted: { rows: 1 } });
  });
});

test("each stored row is like one new row: of more equal ones the rest is counted, in whatever parts they come", async () => {
  await store(rowsOf({ quantity: "2" }, { quantity: "2", copy: 2 }));
  const again = rowsOf(...[1, 2, 3].map((copy) => ({ quantity: "02", copy })));
  expect(await check(again)).toMatchObject({ alike: { rows: 2 }, counted: { rows: 1, units: 2 } });
  expect(await check(again.slice(2))).toMatchObject({ alike: none, counted: { rows: 1, units: 2 } });
  // Those that are here under their own keys are like none of the same file.
  const more = rowsOf(...[1, 2].map((copy) => ({ quantity: "2", copy })), { quantity: "02" });
  expect(await check(more)).toMatchObject({
    known: { rows: 2 },
    alike: none,
    counted: { rows: 1, units: 2 },
  });
});

test("what a file itself has stored since it was checked is like none of its rows, and what others have is", async () => {
  const [one, other] = [rowsOf({ quantity: "2" }), rowsOf({ area: "a1", quantity: "2" })];
  const { asOf } = await check([...one, ...other]);
  const since = { ...leftOut, asOf };
  expect(await store(one, since)).toMatchObject({ counted: { rows: 1 } });
  expect(await store(other, since)).toMatchObject({ alike: none, counted: { rows: 1 } });
  expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 4 });
  const { database } = scene.server.database;
  const ada = await database
    .selectFrom("users")
    .select("id")
    .where("username", "=", "Ada")
    .executeTakeFirstOrThrow();
  await database
    .updateTable("scans")
    .set({ sentBy: ada.id })
    .where("sessionId", "=", scene.session._id)
    .execute();
  const third = rowsOf({ quantity: "02" });
  expect(await store(third, since)).toMatchObject({ alike: { rows: 1 }, counted: { rows: 0 } });
});

test("a column for the locations of a code that two areas have counts no row again where it is filled in all of them", async () => {
  const { server, store: shop } = scene;
  const locationId = await makeLocation(server, shop.id, "Stockroom");
  await makeAreas(server, { storeId: shop.id, locationId, codes: ["A1"] });
  const rows = rowsOf({ quantity: "3" }, { area: "A2", quantity: "5" });
  const { bad } = await store(rows);
  expect(bad).toEqual([{ row: 2, problem: expect.stringMatching(/leave it blank in all other rows\.$/) }]);
  const located = rows.map((row) => ({ ...row, location: "Sales floor" }));
  expect(await store(located)).toMatchObject({
    ...{ bad: [], counted: { rows: 1, units: 3 }, alike: { rows: 1, units: 5, examples: [3] } },
  });
  expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 8 });
});

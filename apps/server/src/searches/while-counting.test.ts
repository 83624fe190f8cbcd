import * as contract from "@stocktake/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { countWaiting } from "../testing/waiting-transactions.ts";
import { SearchScene } from "./testing-search-scene.ts";

const scene = new SearchScene();
const database = () => scene.server.database.database;

const leave = (body: Partial<contract.CallInput<typeof contract.leaveStockAlone>["body"]> = {}) =>
  scene.admin.call(contract.leaveStockAlone, {
    ...scene.ofSession,
    body: { every: {}, leftAlone: true, reason: "On loan", ...body },
  });

test.each([
  ["making lists", () => scene.create({ every: {} })],
  ["leaving stock alone", () => leave()],
  ["taking that back", () => leave({ leftAlone: false })],
])(
  "%s reads the shop's stock before it takes the session, which finishing an area waits for",
  async (_what, act) => {
    const { acting } = await database()
      .transaction()
      .execute(async (transaction) => {
        await sql`lock table session_items in access exclusive mode`.execute(transaction);
        const acting = act();
        await expect.poll(() => countWaiting(database())).toBe(1);
        await sql`select from sessions where id = ${scene.session._id} for share nowait`.execute(transaction);
        return { acting };
      });
    await acting;
  },
);

test("what was counted or listed since the stock was read is on no list, and not left alone", async () => {
  const [listed, { changed }] = await database()
    .transaction()
    .execute(async (transaction) => {
      await sql`select from sessions where id = ${scene.session._id} for update`.execute(transaction);
      const acting = Promise.all([scene.create({ every: {} }), scene.create({ every: {} }), leave()]);
      await expect.poll(() => countWaiting(database())).toBe(3);
      await sql`
        insert into scan_totals (session_id, area_id, pass, sku, quantity)
        values (${scene.session._id}, ${scene.store.areas[0]?.id}, 1, 'BELT-1', 1)`.execute(transaction);
      return { acting };
    })
    .then(async ({ acting }) => {
      const [one, other, left] = await acting;
      return [[one, other].map(({ lists }) => lists.map(({ items }) => items)), left] as const;
    });
  expect(listed.flat()).toEqual([5]);
  expect(changed).toBe(5);
});

test("an opened list names the areas that take what is found, as the counter's own list of areas shows them, but none that is not counted on purpose", async () => {
  await scene.create({ skus: ["BELT-1"] });
  const [a1, a2] = scene.store.areas.map(({ id }) => id);
  const openAreas = async ({ api } = scene.ben, left: readonly (string | undefined)[] = []) => {
    const { task } = await api.call(contract.readSearchTask, { ...scene.ofList(1), query: {} });
    const { areas } = await api.call(contract.listAreas, {});
    const open = areas.filter(({ _id, status }) => status !== "closed" && !left.includes(_id));
    const shown = open.map(({ _id }) => _id);
    expect(task.openAreas?.toSorted()).toEqual(shown.toSorted());
    return task.openAreas?.toSorted();
  };
  expect(await openAreas()).toEqual([a1, a2].toSorted());
  await scene.scan(scene.ada, "JK-1000", 7);
  await scene.close("A1", 7);
  expect(await openAreas()).toEqual([a2]);
  await scene.admin.call(contract.askSecondCount, { body: { areaId: a1 ?? "" } });
  expect([await openAreas(), await openAreas(scene.ada)]).toEqual([[a1, a2].toSorted(), [a2]]);
  await scene.admin.call(contract.stateAreas, {
    ...scene.ofSession,
    body: { areaIds: [a2 ?? ""], as: "void", stated: true, reason: "Being rebuilt" },
  });
  expect(await openAreas(scene.ada, [a2])).toEqual([]);
  await scene.scan(scene.ada, "JK-1000", 1, "A2");
  expect(await openAreas(scene.ada)).toEqual([a2]);
  await scene.end();
  const { task } = await scene.ben.api.call(contract.readSearchTask, { ...scene.ofList(1), query: {} });
  expect(task.openAreas).toEqual([]);
});

test("lists of as many SKUs as are asked for are made with their places, by one statement", async () => {
  const { lists } = await scene.create({ every: {}, itemsPerList: 4 });
  expect(lists.map(({ number, items }) => [number, items])).toEqual([
    [2, 2],
    [1, 4],
  ]);
  const { rows } = await sql<{ number: number; place: number; sku: string }>`
    select number, place, sku from search_items where session_id = ${scene.session._id} order by number, place`.execute(
    database(),
  );
  expect(rows.map(({ number, place }) => [number, place])).toEqual([
    ...[1, 2, 3, 4].map((place) => [1, place]),
    ...[1, 2].map((place) => [2, place]),
  ]);
  const { rows: missed } = await scene.admin.call(contract.listNeverCounted, {
    ...scene.ofSession,
    query: {},
  });
  expect(rows.map(({ sku }) => sku)).toEqual(missed.map(({ sku }) => sku));
});

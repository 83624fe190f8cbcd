import * as contract from "@stocktake/contract";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { makeStore } from "../testing/scenes.ts";
import { harbour } from "../testing/test-shop.ts";
import { SearchScene } from "./testing-search-scene.ts";

const scene = new SearchScene();

function idOf(code: string): string {
  const area = scene.store.areas.find((each) => each.code === code);
  if (area === undefined) throw new Error(`There is no area ${code}.`);
  return area.id;
}

async function expectedIn(code: string): Promise<string[]> {
  const query = { areaId: idOf(code) };
  const { rows, total } = await scene.admin.call(contract.listNeverCounted, { ...scene.ofSession, query });
  expect(total).toBe(rows.length);
  return rows.map(({ sku }) => sku);
}

const change = (statement: ReturnType<typeof sql>) => statement.execute(scene.server.database.database);

test("in an area is expected what another variant of its product was counted there of, in this session", async () => {
  expect(await expectedIn("A1")).toEqual([]);
  await scene.scan(scene.ada, "JK-1001");
  expect([await expectedIn("A1"), await expectedIn("A2")]).toEqual([["JK-1000", "JK-1002"], []]);
  await scene.scan(scene.ada, "JK-1000", 1, "A2");
  expect([await expectedIn("A1"), await expectedIn("A2")]).toEqual([["JK-1002"], ["JK-1002"]]);
});

test("what has no title is no variant of anything else that has none", async () => {
  await change(sql`update session_items set product_title = ' ' where session_id = ${scene.session._id}
    and sku in ('JK-1000', 'BELT-1')`);
  await scene.scan(scene.ada, "JK-1000");
  expect(await expectedIn("A1")).toEqual([]);
});

test("in an area is expected what was counted there in the last ended session that counted it, not before and not in another store", async () => {
  await scene.scan(scene.ada, "BELT-1");
  await scene.scan(scene.ada, "JK-1000", 1, "A2");
  await scene.beginNext();
  expect([await expectedIn("A1"), await expectedIn("A2")]).toEqual([["BELT-1"], ["JK-1000"]]);
  // The next one counts the first area alone, and the belt nowhere.
  await scene.scan(scene.ada, "JK-1002");
  await scene.beginNext();
  expect([await expectedIn("A1"), await expectedIn("A2")]).toEqual([["JK-1002"], ["JK-1000"]]);
  await scene.scan(scene.ada, "JK-1000", 1, "A2");
  expect([await expectedIn("A1"), await expectedIn("A2")]).toEqual([["JK-1002"], ["JK-1001", "JK-1002"]]);
});

test("what was counted in an area that was merged into another one lies in that", async () => {
  await scene.scan(scene.ada, "BELT-1", 1, "A2");
  await scene.beginNext();
  await change(
    sql`update areas set merged_into = ${idOf("A1")}, deleted_at = now() where id = ${idOf("A2")}`,
  );
  expect(await expectedIn("A1")).toEqual(["BELT-1"]);
});

test("lists are made of all that is expected in an area and fits besides, and of no other store's area", async () => {
  await scene.scan(scene.ada, "JK-1001");
  const other = await makeStore(scene.server, { shopifyLocation: harbour });
  const elsewhere = other.areas[0]?.id ?? "";
  const query = { areaId: elsewhere };
  const ofList = await scene.admin.refusal(contract.listNeverCounted, { ...scene.ofSession, query });
  expect(ofList.details).toMatchObject([{ field: "areaId" }]);
  const body = { every: { areaId: elsewhere } };
  const ofLists = await scene.admin.refusal(contract.createSearches, { ...scene.ofSession, body });
  expect(ofLists.details).toMatchObject([{ field: "every.areaId" }]);
  const nowhere = { areaId: scene.store.id };
  const unknown = await scene.admin.refusal(contract.listNeverCounted, {
    ...scene.ofSession,
    query: nowhere,
  });
  expect(unknown.code).toBe("NOT_FOUND");
  const { lists, remaining } = await scene.create({ every: { areaId: idOf("A1"), words: "jk-1002" } });
  expect([lists.map(({ items }) => items), remaining]).toEqual([[1], 0]);
  const item = await scene.item("JK-1002");
  expect(item?.state).toBe("open");
});

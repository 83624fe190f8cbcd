import * as contract from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { begin, join, makePermanentCounter, makeStore } from "../testing/scenes.ts";
import { harbour } from "../testing/test-shop.ts";
import { SearchScene, scarves } from "./testing-search-scene.ts";

const scene = new SearchScene();

const missed = async (query: contract.CallInput<typeof contract.listNeverCounted>["query"] = {}) =>
  scene.admin.call(contract.listNeverCounted, { ...scene.ofSession, query });

const skusOf = async (query: contract.CallInput<typeof contract.listNeverCounted>["query"] = {}) =>
  (await missed(query)).rows.map(({ sku }) => sku);

const jackets = ["JK-1000", "JK-1001", "JK-1002"];

describe("what was never counted", () => {
  test("is what Shopify has and keeps stock of, without what somebody has scanned anywhere, by brand and product", async () => {
    expect(await missed()).toMatchObject({ total: 6, units: 33, currency: "USD", next: null });
    expect(await skusOf()).toEqual(["BELT-1", ...jackets, ...scarves]);
    await scene.scan(scene.ada, "JK-1001");
    const { rows } = await missed();
    expect(rows.map(({ sku, onHand, worth }) => [sku, onHand, worth])).toEqual([
      ["BELT-1", 4, null],
      ["JK-1000", 7, 86.8],
      ["JK-1002", 9, 111.6],
      [scarves[0], 3, 12],
      [scarves[1], 2, 8],
    ]);
  });

  test("can be had by brand, type, words and how far it is searched for", async () => {
    expect(await skusOf({ vendor: "Skein" })).toEqual(scarves);
    expect(await skusOf({ productType: "Outerwear" })).toEqual(jackets);
    expect(await skusOf({ words: "1002 JACK" })).toEqual(["JK-1002"]);
    await scene.create({ skus: ["JK-1000", "BELT-1"] });
    await scene.say(scene.ada, "BELT-1", "not_there");
    expect(await skusOf({ state: "unlisted" })).toEqual(["JK-1001", "JK-1002", ...scarves]);
    expect(await skusOf({ state: "open" })).toEqual(["JK-1000"]);
    expect(await skusOf({ state: "not_there" })).toEqual(["BELT-1"]);
    expect(await scene.admin.call(contract.neverCountedGroups, scene.ofSession)).toEqual({
      ...{ items: 6, unlisted: 4, notThere: 1, contradicted: 0 },
      vendors: [
        { name: "Fjord", items: 4, unlisted: 2 },
        { name: "Skein", items: 2, unlisted: 2 },
      ],
      productTypes: [
        { name: "Accessories", items: 3, unlisted: 2 },
        { name: "Outerwear", items: 3, unlisted: 2 },
      ],
    });
  });

  test("of a follow-up is of its SKUs alone", async () => {
    const id = await scene.end();
    const started = await scene.admin.call(contract.startFollowUp, {
      params: { id },
      body: { skus: ["JK-1000", "BELT-1"] },
    });
    if (!("session" in started)) throw new Error("The follow-up is still being started.");
    const params = { id: started.session._id };
    const { rows } = await scene.admin.call(contract.listNeverCounted, { params, query: {} });
    expect(rows.map(({ sku }) => sku)).toEqual(["BELT-1", "JK-1000"]);
    const { lists } = await scene.admin.call(contract.createSearches, { params, body: { every: {} } });
    expect(lists).toMatchObject([{ items: 2 }]);
  });

  test("is in the report once the session has ended", async () => {
    await scene.end();
    const refusal = await scene.admin.refusal(contract.listNeverCounted, { ...scene.ofSession, query: {} });
    expect(refusal.code).toBe("SESSION_CLOSED");
  });
});

describe("search lists", () => {
  test("hold all that fits, in lists of so many, and never twice what somebody is looking for already", async () => {
    const { lists, remaining } = await scene.create({ every: {}, itemsPerList: 4 });
    expect(lists.map(({ number, items, open }) => [number, items, open])).toEqual([
      [2, 2, 2],
      [1, 4, 4],
    ]);
    expect(remaining).toBe(0);
    expect(await scene.create({ every: {} })).toEqual({ lists: [], leftOut: 0, remaining: 0 });
    await scene.admin.call(contract.withdrawSearch, scene.ofList(2));
    expect((await scene.create({ every: { vendor: "Skein" } })).lists).toMatchObject([
      { number: 3, items: 2 },
    ]);
  });

  test("of named SKUs leave out what was counted meanwhile or is not in stock", async () => {
    await scene.scan(scene.ada, "JK-1000");
    const { lists, leftOut } = await scene.create({
      skus: ["JK-1000", "JK-1001", "HAT-1", "NOTHING", "JK-1001"],
    });
    expect([lists.map(({ items }) => items), leftOut]).toEqual([[1], 3]);
  });

  test("are for an area and a person of the session alone", async () => {
    const other = await makeStore(scene.server, { shopifyLocation: harbour });
    const refuse = (body: contract.CallInput<typeof contract.createSearches>["body"]) =>
      scene.admin.refusal(contract.createSearches, { ...scene.ofSession, body });
    expect((await refuse({ every: {}, areaId: other.areas[0]?.id ?? "" })).details).toMatchObject([
      { field: "areaId" },
    ]);
    const stranger = await join(scene.server, await begin(scene.server, other));
    expect((await refuse({ every: {}, personId: stranger.invitationId })).details).toMatchObject([
      { field: "personId" },
    ]);
    expect((await refuse({ every: {}, personId: scene.store.id })).code).toBe("NOT_FOUND");
    expect((await refuse({})).details).toMatchObject([{ field: "skus" }]);
    const { lists } = await scene.create({
      ...{ every: {}, areaId: scene.store.areas[1]?.id ?? "", personId: scene.ben.invitationId },
    });
    expect(lists).toMatchObject([
      { area: { code: "A2", locationName: "Sales floor" }, assignedTo: "Ben", createdBy: "admin" },
    ]);
    const { entries } = await scene.admin.call(contract.listAudit, { query: { action: "search.created" } });
    expect(entries[0]).toMatchObject({
      after: { firstList: 1, lists: 1, skus: 6, area: "A2 - Area A2", assignedTo: "Ben" },
    });
  });

  test("say how far each has come", async () => {
    await scene.create({ every: {} });
    await scene.say(scene.ada, "JK-1000", "found");
    await scene.say(scene.ada, "JK-1001", "not_there");
    await scene.say(scene.ada, "JK-1002", "not_there");
    await scene.say(scene.ben, "JK-1002", "found");
    await scene.scan(scene.ben, "BELT-1");
    const { lists } = await scene.admin.call(contract.listSearches, { ...scene.ofSession, query: {} });
    expect(lists).toMatchObject([{ items: 6, counted: 1, found: 1, notThere: 1, contradicted: 1, open: 2 }]);
  });
});

describe("a counter", () => {
  const tasks = async (by = scene.ada) =>
    (await by.api.call(contract.listSearchTasks, { ...scene.ofSession, query: {} })).tasks.map(
      ({ number }) => number,
    );

  test("sees their own lists first, then anybody's, and never another's", async () => {
    await scene.create({ skus: ["JK-1000"] });
    await scene.create({ skus: ["JK-1001"], personId: scene.ben.invitationId });
    await scene.create({ skus: ["JK-1002"], personId: scene.ada.invitationId });
    expect(await tasks()).toEqual([3, 1]);
    expect(await tasks(scene.ben)).toEqual([2, 1]);
    const read = await scene.ada.api.refusal(contract.readSearchTask, { ...scene.ofList(2), query: {} });
    const body = { sku: "JK-1001", answer: "found" as const, deviceId: "phone" };
    const say = await scene.ada.api.refusal(contract.answerSearch, { ...scene.ofList(2), body });
    expect([read.code, say.code]).toEqual(["NOT_FOUND", "NOT_FOUND"]);
    expect(await scene.stateOf("JK-1000")).toBe("open");
    await scene.admin.call(contract.revokeInvitation, { params: { id: scene.ben.invitationId ?? "" } });
    expect(await tasks()).toEqual([3, 1, 2]);
  });

  test("gets them page by page, each with how far it has come", async () => {
    await scene.create({ skus: jackets, itemsPerList: 1 });
    await scene.create({ skus: ["BELT-1"], personId: scene.ada.invitationId });
    await scene.say(scene.ada, "JK-1001", "not_there", 2);
    const pages: [number, boolean, number, number][][] = [];
    let cursor: string | null = null;
    do {
      const query: { limit: string; cursor?: string } = {
        limit: "2",
        ...(cursor === null ? {} : { cursor }),
      };
      const { tasks: page, next }: contract.CallAnswer<typeof contract.listSearchTasks> =
        await scene.ada.api.call(contract.listSearchTasks, { ...scene.ofSession, query });
      pages.push(page.map(({ number, mine, items, done }) => [number, mine, items, done]));
      cursor = next ?? null;
    } while (cursor !== null);
    expect(pages).toEqual([
      [
        [4, true, 1, 0],
        [1, false, 1, 0],
      ],
      [
        [2, false, 1, 1],
        [3, false, 1, 0],
      ],
    ]);
  });

  test("with an account is given lists by it", async () => {
    const grace = await makePermanentCounter(scene.server, "Grace");
    await scene.create({ skus: ["JK-1000"], personId: grace.userId });
    expect([await tasks(grace), await tasks()]).toEqual([[1], []]);
  });

  test("of another store sees none of them", async () => {
    await scene.create({ every: {} });
    const other = await makeStore(scene.server, { shopifyLocation: harbour });
    const elsewhere = await join(scene.server, await begin(scene.server, other));
    for (const call of [contract.listSearchTasks, contract.readSearchTask] as const) {
      const refusal = await elsewhere.api.refusal(call, { ...scene.ofList(1), query: {} });
      expect(refusal.code).toBe("NOT_FOUND");
    }
  });

  test("can't answer a list that was taken back, and what was said before stands", async () => {
    await scene.create({ every: {} });
    await scene.say(scene.ada, "JK-1000", "not_there");
    await scene.admin.call(contract.withdrawSearch, scene.ofList(1));
    expect(await tasks()).toEqual([]);
    const body = { sku: "JK-1001", answer: "found" as const, deviceId: "phone" };
    const refusal = await scene.ada.api.refusal(contract.answerSearch, { ...scene.ofList(1), body });
    expect(refusal.code).toBe("SEARCH_WITHDRAWN");
    expect([await scene.stateOf("JK-1000"), await scene.stateOf("JK-1001")]).toEqual(["not_there", null]);
  });

  test("is told no figure of what they look for: no stock, no count, no cost", async () => {
    const planted = 7919;
    for (const column of ["start_on_hand", "unit_cost_cents"]) {
      await scene.server.database.pool.query(
        `update session_items set ${column} = ${planted} where session_id = $1 and sku = 'JK-1000'`,
        [scene.session._id],
      );
    }
    await scene.create({ every: {} });
    await scene.scan(scene.ben, "JK-1001", 4177);
    const told = [
      await scene.ada.api.call(contract.listSearchTasks, { ...scene.ofSession, query: {} }),
      await scene.ada.api.call(contract.readSearchTask, { ...scene.ofList(1), query: {} }),
      await scene.say(scene.ada, "JK-1000", "not_there"),
      await scene.ada.api.call(contract.readSearchTask, { ...scene.ofList(1), query: {} }),
    ];
    expect(JSON.stringify(told)).not.toMatch(/7919|79\.19|4177|onHand|cost|worth|units|quantity/i);
    expect(told[1]).toMatchObject({ task: { items: 6, done: 1 } });
  });
});

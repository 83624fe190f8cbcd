import {
  askSecondCount,
  type CountAgainRow,
  endSession,
  finishArea,
  listCountedAreas,
  reopenArea,
} from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { countSecond } from "../assembly/http/testing-second-counts.ts";
import { clearAway, codes as codesOfShop } from "../scanning/testing/scene.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { CountedAreas } from "./testing/counted-areas.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => clearAway(server));
afterAll(() => server.close());

const areas = ["A1", "A2", "A3"];

/** What is on the list, in its order, each SKU with its reasons and the codes of the areas to look in. */
function brief(rows: readonly CountAgainRow[]) {
  return rows.map((row) => [
    row.sku,
    row.reasons.map(({ kind }) => kind).join(" "),
    row.areas.map(({ code }) => code).join(" "),
  ]);
}

test("what nobody counted is listed where its siblings were counted, the most money first", async () => {
  const count = await CountedAreas.begin(server, areas);
  expect(await count.rows()).toEqual([]);
  await count.count("A2", { "JK-1000": 7 });
  const rows = await count.rows();
  expect(rows).toMatchObject([
    { sku: "JK-1002", counted: 0, neverCounted: true, onHand: 9, difference: -9, atStake: 111.6 },
    { sku: "JK-1001", counted: 0, neverCounted: true, onHand: 8, difference: -8, atStake: 99.2 },
  ]);
  expect(rows[0]?.reasons).toEqual([{ kind: "SIBLINGS_COUNTED", siblings: 1 }]);
  expect(rows[0]?.areas).toEqual([
    {
      ...{ _id: count.areaId("A2"), code: "A2", name: "Area A2", locationName: "Sales floor" },
      ...{ units: 0, secondCount: "possible" },
    },
  ]);
});

test("what is over is listed where areas beside each other each have as much of it, and not where one has less", async () => {
  const count = await CountedAreas.begin(server, areas);
  await count.count("A1", { "JK-1000": 5, "JK-1001": 8, "JK-1002": 9 });
  await count.scan("A2", { "JK-1000": 5 });
  expect(await count.rows()).toEqual([]);
  await count.close("A2", 5);
  expect(brief(await count.rows())).toEqual([["JK-1000", "OVERAGE_NEXT_AREA", "A1 A2"]]);
  await count.count("A3", { "JK-1001": 1, "JK-1002": 1 });
  expect(brief(await count.rows())).toEqual([["JK-1000", "OVERAGE_NEXT_AREA", "A1 A2"]]);
});

test("neighbours with as many too many as too few are suspected of a swap, each with the other, and both counts remain", async () => {
  const count = await CountedAreas.begin(server, areas);
  await count.count("A1", { "JK-1000": 9, "JK-1002": 9 });
  await count.count("A2", { "JK-1001": 6 });
  const rows = await count.rows();
  expect(brief(rows)).toEqual([
    ["JK-1000", "SWAP_SUSPECTED", "A1 A2"],
    ["JK-1001", "SWAP_SUSPECTED", "A2 A1"],
  ]);
  expect(rows[0]?.reasons).toEqual([
    {
      ...{ kind: "SWAP_SUSPECTED", sku: "JK-1001", productTitle: "Jacket", size: "M" },
      ...{ difference: -2, why: "neighbours" },
    },
  ]);
  const { rows: totals } = await sql<{ sku: string; quantity: number }>`
    select sku, quantity from scan_totals where session_id = ${count.session._id} order by sku`.execute(
    server.database.database,
  );
  expect(totals.map(({ quantity }) => quantity)).toEqual([9, 6, 9]);
});

test("sizes of one product that cancel out are listed with each other, the pair of a swap is not, and both counts remain", async () => {
  const count = await CountedAreas.begin(server, areas);
  await count.count("A1", { "JK-1000": 9, "JK-1001": 7 });
  await count.count("A2", { "JK-1002": 8 });
  const rows = await count.rows();
  expect(brief(rows)).toEqual([
    ["JK-1000", "SIZES_CANCEL_OUT", "A1 A2"],
    ["JK-1001", "SIZES_CANCEL_OUT", "A1 A2"],
    ["JK-1002", "SIZES_CANCEL_OUT", "A2 A1"],
  ]);
  expect(rows[0]?.reasons).toEqual([
    {
      kind: "SIZES_CANCEL_OUT",
      others: [
        { sku: "JK-1001", size: "M", difference: -1 },
        { sku: "JK-1002", size: "L", difference: -1 },
      ],
      othersLeftOut: 0,
    },
  ]);
});

test("of many sizes that cancel out some are named, and the rest told by their number", async () => {
  const count = await CountedAreas.begin(server, areas);
  const skus = Array.from({ length: 24 }, (_none, index) => `ROPE-${String(index).padStart(2, "0")}`);
  await sql`
    insert into session_items (session_id, sku, plain_sku, inventory_item_id, variant_number, product_title, size,
      start_on_hand, start_available, tracked, bundle, stocked)
    select ${count.session._id}, sku, sku, sku, sku, 'Rope', right(sku, 2), case when sku = 'ROPE-00' then 0 else 24 end, 24,
      true, false, true
    from unnest(${skus}::text[]) sku`.execute(server.database.database);
  await count.count("A1", { "BELT-1": 4 });
  await sql`
    insert into scan_totals (session_id, area_id, pass, sku, quantity)
    select ${count.session._id}, id, pass, sku, 23 from areas, unnest(${skus}::text[]) sku
    where id = ${count.areaId("A1")}`.execute(server.database.database);
  const rows = (await count.rows()).filter(({ sku }) => skus.includes(sku));
  expect(rows).toHaveLength(24);
  for (const { sku, reasons } of rows) {
    const [reason] = reasons.filter(({ kind }) => kind === "SIZES_CANCEL_OUT");
    if (reason?.kind !== "SIZES_CANCEL_OUT") throw new Error(`${sku} is none of them.`);
    const named = skus.filter((other) => other !== sku).slice(0, 20);
    expect(reason.others.map((other) => other.sku)).toEqual(named);
    expect(reason.othersLeftOut).toBe(3);
  }
});

test("what is short is listed with the codes like it that wait to be decided, and where they were scanned", async () => {
  const count = await CountedAreas.begin(server, areas);
  await count.count("A1", { "JK-1000": 5, "JK-1001": 8, "JK-1002": 9 });
  await count.scan("A3", { "JK-1O00": 2, "JK-9999": 4 });
  const rows = await count.rows();
  expect(brief(rows)).toEqual([["JK-1000", "UNKNOWN_CODES", "A1 A3"]]);
  expect(rows[0]?.reasons).toEqual([{ kind: "UNKNOWN_CODES", codes: [{ input: "JK-1O00", units: 2 }] }]);
  expect(rows[0]?.areas.map(({ secondCount }) => secondCount)).toEqual(["possible", "none"]);
  // One that fits several products, or a tag that is counted elsewhere, is a known code.
  await sql`update scans set reason = 'AMBIGUOUS_CODE' where input = 'JK-1O00'`.execute(
    server.database.database,
  );
  expect(await count.rows()).toEqual([]);
});

test("less than nothing on hand is listed whether it was counted or not; what is of unknown cost comes last", async () => {
  const count = await CountedAreas.begin(server, areas);
  await sql`update session_items set start_on_hand = -2 where session_id = ${count.session._id}
    and sku in ('HAT-1', 'BELT-1', 'JK-1000')`.execute(server.database.database);
  await count.count("A1", { "JK-1000": 1, "BELT-1": 40 });
  const { rows, unknownCosts, total, next } = await count.list();
  expect({ unknownCosts, total, next }).toEqual({ unknownCosts: 1, total: 5, next: null });
  expect(brief(rows)).toEqual([
    ["JK-1002", "SIBLINGS_COUNTED", "A1"],
    ["JK-1001", "SIBLINGS_COUNTED", "A1"],
    ["JK-1000", "NEGATIVE_STOCK", "A1"],
    ["HAT-1", "NEGATIVE_STOCK", ""],
    ["BELT-1", "NEGATIVE_STOCK", "A1"],
  ]);
  const first = await count.list({ limit: "3" });
  const second = await count.list({ limit: "3", cursor: first.next ?? "" });
  expect([...first.rows, ...second.rows]).toEqual(rows);
  expect(second).toMatchObject({ unknownCosts: 1, total: 5, next: null });
});

test("of many areas those with most units come first, then in the order of their codes, and the rest are told by their number", async () => {
  const codes = Array.from({ length: 22 }, (_none, index) => `A${index + 1}`);
  const count = await CountedAreas.begin(server, codes);
  await sql`update session_items set start_on_hand = -2 where session_id = ${count.session._id}
    and sku = 'JK-1000'`.execute(server.database.database);
  for (const code of codes.toReversed()) await count.count(code, { "JK-1000": code === "A21" ? 3 : 1 });
  const row = (await count.rows()).find(({ sku }) => sku === "JK-1000");
  expect(row?.areas.map(({ code }) => code)).toEqual(["A21", ...codes.slice(0, 19)]);
  expect(row?.areasLeftOut).toBe(2);
});

test("an area that is scanned twice as fast as half of them is a reason for what differs in it", async () => {
  const codes = ["A1", "A2", "A3", "A4", "A5", "A6"];
  // A reader reads them at a pace that is nobody's: so many of them would be what is usual.
  const ofTags = ["B1", "B2", "B3", "B4", "B5"];
  const count = await CountedAreas.begin(server, [...codes, ...ofTags]);
  const began = Date.now() - 3_600_000;
  await sql`update sessions set started_at = started_at - interval '2 hours',
    start_snapshot_at = start_snapshot_at - interval '2 hours' where id = ${count.session._id}`.execute(
    server.database.database,
  );
  for (const [index, code] of [...codes, ...ofTags].entries()) {
    const isOfTags = ofTags.includes(code);
    const eachMs = isOfTags ? 100 : code === "A4" ? 2_000 : 7_000;
    for (let scan = 0; scan < 20; scan += 1) {
      const scannedAt = new Date(began + index * 300_000 + scan * eachMs).toISOString();
      const input = isOfTags ? epcOf(codesOfShop.jacketL.input, index * 20 + scan) : "JK-1002";
      await count.scan(code, { [input]: 1 }, scannedAt, isOfTags ? "barcode" : "sku");
    }
    await count.close(code, 20);
  }
  const row = (await count.rows()).find(({ sku }) => sku === "JK-1002");
  expect(row).toMatchObject({ counted: 220, difference: 211 });
  expect(row?.reasons).toEqual([
    { kind: "FAST_AREA", areas: [{ _id: count.areaId("A4"), code: "A4", times: 3.5 }] },
  ]);
  const ofSession = { params: { id: count.session._id } };
  const { areas: counted } = await server.admin.call(listCountedAreas, ofSession);
  expect(counted.map(({ code, skus, fast }) => [code, skus, fast])).toEqual(
    [...codes, ...ofTags].map((code) => [code, 1, code === "A4" ? 3.5 : null]),
  );
  // What counts in it from now on are scans of both counts, hours apart, and the pace is nobody's.
  await sql`
    insert into compared_counts (session_id, area_id, of_pass, sku, first, second, third, settled_as, settled_at)
    select ${count.session._id}, id, pass, 'JK-1002', 19, 20, 20, 'second', now() from areas
    where id = ${count.areaId("A4")}`.execute(server.database.database);
  expect((await count.rows()).flatMap(({ reasons }) => reasons.map(({ kind }) => kind))).not.toContain(
    "FAST_AREA",
  );
});

test("a second count is asked for from the list; once it has settled the figure, the SKU is off it", async () => {
  const count = await CountedAreas.begin(server, areas);
  await count.count("A1", { "JK-1000": 9, "JK-1001": 6, "JK-1002": 9 });
  const stateOf = async () => (await count.rows())[0]?.areas[0]?.secondCount;
  expect(await stateOf()).toBe("possible");
  await server.admin.call(askSecondCount, { body: { areaId: count.areaId("A1") } });
  expect(await stateOf()).toBe("open");
  const area = { id: count.areaId("A1"), code: "A1" };
  const { store, session } = count;
  await countSecond(
    { server, store, session, area },
    { "JK-1000": 9, "JK-1001": 6, "JK-1002": 9 },
    (body, api) => api.call(finishArea, { body }),
  );
  expect(await count.rows()).toEqual([]);
});

test("while some SKUs of an area are counted a second time the list says which are, and which have to wait", async () => {
  const count = await CountedAreas.begin(server, areas);
  await count.count("A1", { "JK-1000": 9, "JK-1001": 6, "JK-1002": 9 });
  const body = { areaId: count.areaId("A1"), skus: ["JK-1000"] };
  await server.admin.call(askSecondCount, { body });
  const states = async () => (await count.rows()).map(({ sku, areas: [at] }) => [sku, at?.secondCount]);
  expect(await states()).toEqual([
    ["JK-1000", "open"],
    ["JK-1001", "open_of_others"],
  ]);
});

test("what two counts agree is not there is settled, and no longer listed as never counted", async () => {
  const count = await CountedAreas.begin(server, areas);
  await count.count("A1", { "JK-1000": 1, "JK-1001": 8, "JK-1002": 9 });
  await server.admin.call(askSecondCount, { body: { areaId: count.areaId("A1") } });
  const { store, session } = count;
  for (const by of ["Ben", "Cleo"]) {
    const area = { id: count.areaId("A1"), code: "A1" };
    await countSecond({ server, store, session, area, by }, { "JK-1001": 8, "JK-1002": 9 }, (body, api) =>
      api.call(finishArea, { body }),
    );
  }
  expect(brief(await count.rows())).toEqual([]);
  await server.admin.call(endSession, { body: { sessionId: session._id } });
  expect(brief(await count.rows())).toEqual([]);
});

test("an area that is reopened takes its SKUs off the list until it is closed again", async () => {
  const count = await CountedAreas.begin(server, areas);
  await count.count("A1", { "JK-1000": 9, "JK-1001": 6, "JK-1002": 9 });
  expect(await count.rows()).toHaveLength(2);
  await server.admin.call(reopenArea, { body: { areaId: count.areaId("A1"), eraseScans: true } });
  expect(await count.rows()).toEqual([]);
  await count.count("A1", { "JK-1000": 9, "JK-1001": 6, "JK-1002": 9 });
  expect(await count.rows()).toHaveLength(2);
});

test("after the end the report's figures are listed, and no second count can be asked for", async () => {
  const count = await CountedAreas.begin(server, areas);
  await count.count("A1", { "JK-1000": 9, "JK-1001": 6 });
  await server.admin.call(endSession, { body: { sessionId: count.session._id } });
  const rows = await count.rows();
  expect(brief(rows)).toEqual([
    ["JK-1002", "SIBLINGS_COUNTED", "A1"],
    ["JK-1000", "SWAP_SUSPECTED", "A1"],
    ["JK-1001", "SWAP_SUSPECTED", "A1"],
  ]);
  expect(rows.map(({ areas: [area] }) => area?.secondCount)).toEqual(["none", "none", "none"]);
});

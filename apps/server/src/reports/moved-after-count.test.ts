import { endSession, setBasis, varianceReport } from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scanTimes, startCounting } from "../scanning/testing/scene.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { MovedAfterCount } from "./answer/moved-after-count.ts";
import type { ReportContext } from "./counting-time.ts";
import type { ReportRow } from "./rows/report-row-queries.ts";
import { makeContext as context, during, makeRow as row } from "./testing/report-row.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const later = during.getTime() + 60 * 60_000;
/** Ten were there before it was counted and after, and two were sold then. */
const readings = [{ at: later, onHand: 10 }];

test("a SKU that moved after it was counted is told of in every view, where it has no variance at the end too", async () => {
  const scene = await startCounting(server);
  const sessionId = scene.session._id;
  await scanTimes(scene, 5);
  await server.shop.sell({ item: "JK-1000", location: scene.store.shopifyLocationId, quantity: 2 });
  await server.admin.call(endSession, { body: { sessionId } });
  // What a reading found touched would be read for that alone.
  await server.database.pool.query("update stock_readings set touched = false");
  const read = (view: "variances" | "all") =>
    server.admin.call(varianceReport, { params: { sessionId }, query: { view } });
  const [variances, all] = [await read("variances"), await read("all")];
  expect(variances.items.filter(({ sku }) => sku === "JK-1000")).toEqual([]);
  expect(all.items.filter(({ sku }) => sku === "JK-1000")).toMatchObject([{ variance: 0 }]);
  expect(variances.summary).toEqual(all.summary);
  expect(all.summary.movedAfterCount).toEqual({
    items: 1,
    units: 2,
    isCertain: false,
    firstSkus: ["JK-1000"],
  });
  await server.admin.call(setBasis, { params: { sessionId }, body: { basis: "count" } });
  expect((await read("variances")).summary.movedAfterCount).toBeUndefined();
});

function movedAfterCount(rows: readonly ReportRow[], when: ReportContext) {
  const moved = new MovedAfterCount(when);
  for (const each of rows) moved.add(each);
  return moved.summary();
}

test("the first of those that moved after they were counted are named in the report's order", async () => {
  const rows = ["Z", "Y", "X", "W", "V", "U"].map((sku) =>
    row({ sku, counted: 7, startOnHand: 10, endOnHand: 7, readings }),
  );
  expect(await movedAfterCount(rows, context())).toEqual({
    movedAfterCount: { items: 6, units: 18, isCertain: true, firstSkus: ["U", "V", "W", "X", "Y"] },
  });
});

test.each([
  [
    "what nobody counted",
    row({ hasCount: false, counted: 0, firstCountedAt: null, lastCountedAt: null, readings }),
    context(),
  ],
  ["what is left out of a deploy", row({ tracked: false, readings }), context()],
  ["what was counted by hand", row({ manual: true, readings }), context()],
  ["a report that was deployed", row({ readings }), context({ deployed: true })],
  ["a report that compares with the time of counting", row({ readings }), context({ basis: "count" })],
])("nothing is told of %s", async (_what, given, when) => {
  expect(await movedAfterCount([given], when)).toEqual({});
});

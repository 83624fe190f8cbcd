import { deployReport, endSession, type ReportItem, varianceReport } from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CountingScene, scanTimes, startCounting } from "../scanning/testing/scene.ts";
import { begin, join } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function endAndRead(scene: CountingScene, counted: number): Promise<ReportItem | undefined> {
  await scanTimes(scene, counted);
  await server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  const params = { sessionId: scene.session._id };
  const { items } = await server.admin.call(varianceReport, { params, query: { view: "all" } });
  return items.find(({ sku }) => sku === "JK-1000");
}

test("what a count before has deployed under a clock that was a day ahead is not taken back by the next one", async () => {
  const first = await startCounting(server, { shopifyLocation: highStreet });
  expect(await endAndRead(first, 6)).toMatchObject({ endOnHand: 7, variance: -1 });
  await server.admin.call(deployReport, { params: { sessionId: first.session._id }, body: {} });
  await server.database.pool.query(
    "update adjustment_chunks set sent_at = sent_at + interval '1 day', finished_at = finished_at + interval '1 day'",
  );
  const session = await begin(server, first.store);
  const second = { ...first, session, counter: await join(server, session) };
  expect(await endAndRead(second, 6)).toMatchObject({
    ...{ endOnHand: 6, variance: 0, movedByOthers: 0, wouldMove: 0, skipReason: null },
  });
});

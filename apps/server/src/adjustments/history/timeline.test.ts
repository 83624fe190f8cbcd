import { adjustCount, listAdjustments, listMoveEvents, rollbackReport } from "@stocktake/contract";
import { expect, test } from "vitest";
import { ReportScene } from "../testing/report-scene.ts";

const scene = new ReportScene();

test("the timeline has who deployed and rolled back what and when, and how far each came, newest first, page by page", async () => {
  const { admin } = scene.server;
  const sessionId = await scene.counted({ "JK-1000": 9, "JK-1001": 5 });
  const params = { sessionId };
  expect(await admin.call(listMoveEvents, { params })).toMatchObject({ events: [], total: 0 });
  await scene.deploy(sessionId);
  await admin.call(rollbackReport, { params });
  const { events, total } = await admin.call(listMoveEvents, { params });
  const by = { username: "admin" };
  const moved = { items: 2, moved: 2, unclear: 0, notMoved: 0, note: null, settled: null };
  expect(events).toMatchObject([
    { ...moved, action: "rollback.concluded", by: null, units: 1, movedUnits: 1 },
    { action: "rollback.requested", by, items: 2, units: 1, moved: 0 },
    { ...moved, action: "deploy.concluded", by: null, units: -1, movedUnits: -1 },
    { action: "deploy.requested", by, items: 2, units: -1, moved: 0 },
  ]);
  expect(total).toBe(4);
  const first = await admin.call(listMoveEvents, { params, query: { limit: "3" } });
  const rest = await admin.call(listMoveEvents, { params, query: { limit: "3", cursor: first.next ?? "" } });
  expect([...first.events, ...rest.events]).toEqual(events);
});

test("what a deploy left out is told as it was when the deploy was asked for, also after its rollback", async () => {
  const { admin } = scene.server;
  const sessionId = await scene.counted({ "JK-1000": 9, "SET-1": 9 });
  const params = { sessionId };
  const leftOut = async () =>
    (await admin.call(listAdjustments, { params })).adjustments.map((each) => each.leftOut);
  const { skipped } = await scene.deploy(sessionId);
  expect(skipped).toEqual([{ sku: "SET-1", reason: "BUNDLE" }]);
  expect(await leftOut()).toEqual([[{ reason: "BUNDLE", count: 1, skus: ["SET-1"] }]]);
  await admin.call(rollbackReport, { params });
  expect(await leftOut()).toEqual([[{ reason: "BUNDLE", count: 1, skus: ["SET-1"] }]]);
  await admin.call(adjustCount, { params, body: { sku: "SET-1", newCount: 0 } });
  expect(await leftOut()).toEqual([[{ reason: "BUNDLE", count: 1, skus: ["SET-1"] }]]);
});

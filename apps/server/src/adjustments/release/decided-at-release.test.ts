import { adjustCount, includeFigures, setBasis, varianceReport } from "@stocktake/contract";
import { expect, test } from "vitest";
import type { TestServer } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";
import { RestoredScene, thereAndBack } from "../testing/restored-scene.ts";

const scene = new RestoredScene();
const reason = "MOVED_SINCE_BACKUP";

const adjust = ({ admin }: TestServer, sku: string, newCount: number) =>
  admin.call(adjustCount, { ...scene.ofReport, body: { sku, newCount } });

/** Shopify tells when a level was changed in whole seconds. */
const aSecondLater = () => scene.server.shop.advanceClock({ milliseconds: 2_000 });

async function rowOf({ admin }: TestServer, sku: string) {
  const { items } = await admin.call(varianceReport, { ...scene.ofReport, query: { view: "all" } });
  return items.find((item) => item.sku === sku);
}

test("what was counted only after the release is not moved a second time without being named", async () => {
  await adjust(scene.server, "JK-1000", 7);
  const file = await scene.backUp();
  await adjust(scene.server, "JK-1000", 6);
  await scene.deploy(scene.server);
  const restored = await scene.restore(file);
  expect((await scene.preview(restored)).rows.map(({ sku }) => sku)).not.toContain("JK-1000");
  await scene.release(restored, { alreadyMoved: "all" });
  expect(await rowOf(restored, "JK-1000")).toMatchObject({ variance: 0, uncertain: reason });

  await scene.rollBack(restored);
  await adjust(restored, "JK-1000", 6);
  expect((await scene.deploy(restored)).skipped).toContainEqual({ sku: "JK-1000", reason });
  expect((await scene.moved())["JK-1000"]).toEqual([-1]);
});

test("what an administrator decided at the release is deployed, until its count or the comparison is another", async () => {
  const file = await scene.backUp();
  await scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
  const restored = await scene.restore(file);
  expect(await scene.preview(restored)).toMatchObject({ unknown: 1, notMoved: 2 });
  await scene.release(restored);
  const row = () => rowOf(restored, "JK-1000");
  expect(await row()).toMatchObject({ uncertain: reason, included: true, skipReason: null });
  expect(await rowOf(restored, "JK-1001")).toMatchObject({ uncertain: null, included: false });

  await restored.admin.call(setBasis, { ...scene.ofReport, body: { basis: "count" } });
  expect(await row()).toMatchObject({ uncertain: reason, included: false, skipReason: reason });
  await restored.admin.call(setBasis, { ...scene.ofReport, body: { basis: "end" } });
  expect(await row()).toMatchObject({ included: false });
  const body = { skus: ["JK-1000"], included: true };
  await restored.admin.call(includeFigures, { ...scene.ofReport, body });
  expect(await scene.deploy(restored)).toMatchObject({ totalAdjustments: 3 });
});

test("what nobody can tell of, where other SKUs are recorded as moved, waits to be settled and is not resumed", async () => {
  const file = await scene.backUp();
  await scene.deploy(scene.server);
  await scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
  const restored = await scene.restore(file);
  await scene.release(restored, { alreadyMoved: ["JK-1001", "JK-1002"] });
  expect(await scene.rowsOf(restored)).toMatchObject({ "JK-1000": "unclear", "JK-1001": "confirmed" });
  expect(await scene.adjustmentOf(restored)).toMatchObject({ status: "partial", resumable: 0 });
});

test("what looks moved and was not named waits to be settled, as the look before the release may have been partial", async () => {
  const file = await scene.backUp();
  await scene.deploy(scene.server);
  const restored = await scene.restore(file);
  await scene.release(restored, { alreadyMoved: ["JK-1001"] });
  expect(await scene.rowsOf(restored)).toMatchObject({ "JK-1000": "unclear", "JK-1001": "confirmed" });
  expect(await scene.adjustmentOf(restored)).toMatchObject({ status: "partial", resumable: 0 });
});

test("what has as much as before the backup again waits to be settled too: what the deploy had found was sold since", async () => {
  const file = await scene.backUp();
  await aSecondLater();
  await scene.deploy(scene.server);
  await scene.server.shop.sell({ item: "JK-1001", location: highStreet, quantity: 2 });
  const restored = await scene.restore(file);
  const { movedSkus, unknown, notMoved } = await scene.preview(restored);
  expect([unknown, notMoved]).toEqual([1, 0]);
  expect(movedSkus.toSorted()).toEqual(["JK-1000", "JK-1002"]);
  await scene.release(restored, { alreadyMoved: movedSkus });
  expect(await scene.rowsOf(restored)).toMatchObject({ "JK-1000": "confirmed", "JK-1001": "unclear" });
  expect(await scene.adjustmentOf(restored)).toMatchObject({ status: "partial", resumable: 0 });
});

test("a report of which everything was deployed and sold again does not look as if nothing was moved", async () => {
  await adjust(scene.server, "JK-1000", 7);
  await adjust(scene.server, "JK-1002", 9);
  const file = await scene.backUp();
  await aSecondLater();
  await scene.deploy(scene.server);
  await scene.server.shop.sell({ item: "JK-1001", location: highStreet, quantity: 2 });
  const found = await scene.preview(await scene.restore(file));
  expect(found).toMatchObject({ total: 1, unknown: 1, notMoved: 0, verdict: "unclear" });
});

test("what was rolled back since and has as much as after the deploy waits to be settled: what came back was sold since", async () => {
  await scene.deploy(scene.server);
  const file = await scene.backUp();
  await scene.rollBack(scene.server);
  await scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 2 });
  const restored = await scene.restore(file);
  const { movedSkus, unknown, notMoved } = await scene.preview(restored);
  expect([unknown, notMoved]).toEqual([1, 0]);
  expect(movedSkus.toSorted()).toEqual(["JK-1001", "JK-1002"]);
  await scene.release(restored, { alreadyMoved: movedSkus });
  expect(await scene.rowsOf(restored, "rollback")).toMatchObject({
    "JK-1000": "unclear",
    "JK-1001": "confirmed",
  });
  expect(await scene.adjustmentOf(restored)).toMatchObject({ status: "partial", resumable: 0 });
  expect(await scene.moved()).toEqual(thereAndBack);
});

test("a deploy of which everything was rolled back and sold again does not look as if nothing was", async () => {
  await adjust(scene.server, "JK-1001", 8);
  await adjust(scene.server, "JK-1002", 9);
  await scene.deployLongBefore(scene.server);
  const file = await scene.backUp();
  await scene.rollBack(scene.server);
  await scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 2 });
  const found = await scene.preview(await scene.restore(file));
  expect(found).toMatchObject({
    question: "rollback",
    total: 1,
    unknown: 1,
    notMoved: 0,
    verdict: "unclear",
  });
});

test("a deploy of just before the backup is not told from a rollback of just after it by the time that Shopify names", async () => {
  await scene.deploy(scene.server);
  const found = await scene.preview(await scene.restore(await scene.backUp()));
  expect(found).toMatchObject({ question: "rollback", total: 3, unknown: 3, verdict: "unclear" });
});

test("what a deploy had left in the backup is not resumed either where nobody can tell whether the lost server moved it", async () => {
  await scene.deploy(scene.server);
  const { pool } = scene.server.database;
  const left = ["JK-1000", "JK-1001"];
  await pool.query(
    "update adjustment_rows set state = 'not_moved', note = 'Cancelled before it was sent to Shopify.' where sku = any($1)",
    [left],
  );
  await pool.query("delete from stock_ledger where sku = any($1)", [left]);
  await pool.query("update adjustments set status = 'partial'");
  const file = await scene.backUp();
  await scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
  const restored = await scene.restore(file);
  expect(await scene.preview(restored)).toMatchObject({ question: "rest", unknown: 1 });
  await scene.release(restored, { alreadyMoved: ["JK-1001"] });
  expect(await scene.rowsOf(restored)).toMatchObject({ "JK-1000": "unclear", "JK-1001": "confirmed" });
  expect(await scene.adjustmentOf(restored)).toMatchObject({ status: "partial", resumable: 0 });
});

import * as contract from "@stocktake/contract";
import { expect, test } from "vitest";
import { strictRecords } from "../reports/testing/strict-csv.ts";
import { ReportScene } from "./testing/report-scene.ts";

const scene = new ReportScene();

/** Why a deployed report leaves a row out, as its list and its drawer say it. */
async function reasonsOf(sessionId: string, sku: string): Promise<unknown> {
  const { admin } = scene.server;
  const params = { sessionId };
  const { items } = await admin.call(contract.varianceReport, { params, query: { view: "all" } });
  const { deploy, item } = await admin.call(contract.explainRow, { params, query: { sku } });
  return [items.find((each) => each.sku === sku)?.skipReason, item.skipReason, deploy.skipReason];
}

/** What the file of a report says of why a row was left out. */
async function exportedReason(sessionId: string, sku: string): Promise<string | undefined> {
  const params = { sessionId };
  const file = await scene.server.admin.send(contract.exportReport, { params, query: { view: "variances" } });
  const [header, ...lines] = strictRecords(String(file.body).slice(1));
  const column = (name: string) => header?.indexOf(name) ?? -1;
  return lines.find((cells) => cells[column("SKU")] === sku)?.[column("Left Out")];
}

test("a session that ended after the deploy is no reason why the deploy left a row out, until it is rolled back", async () => {
  const sessionId = await scene.counted({ "JK-1000": 5 }, { scope: "full" });
  await scene.deploy(sessionId);
  await scene.counted({ "BELT-1": 4 });
  expect(await reasonsOf(sessionId, "BELT-1")).toEqual(["NOT_COUNTED", "NOT_COUNTED", "NOT_COUNTED"]);
});

test.each([
  ["left what nobody counted as it is", {}, "NOT_COUNTED"],
  ["was to set to zero what nobody counted", { zeroUncounted: true }, "MOVED_SINCE_BACKUP"],
] as const)(
  "why a row in doubt that nobody counted was left out by a deploy that %s",
  async (_how, choices, reason) => {
    const sessionId = await scene.counted({ "JK-1000": 6 }, { scope: "full" });
    await scene.server.database.pool.query(
      "insert into uncertain_figures (session_id, sku, reason) values ($1, 'BELT-1', 'MOVED_SINCE_BACKUP')",
      [sessionId],
    );
    const { uncounted } = await scene.server.admin.call(contract.previewDeploy, { params: { sessionId } });
    const confirmUnits = uncounted.units;
    const { skipped } = await scene.deploy(
      sessionId,
      "zeroUncounted" in choices ? { ...choices, confirmUnits } : choices,
    );
    expect(skipped).toContainEqual({ sku: "BELT-1", reason });
    expect(await reasonsOf(sessionId, "BELT-1")).toEqual([reason, reason, reason]);
  },
);

test("what Shopify could not move when it was deployed has its reason in the drawer and in the history, though the report of the end does not know it", async () => {
  const { admin, shop } = scene.server;
  const counts = {
    "JK-1000": (await scene.onHand("JK-1000")) + 3,
    "JK-1001": (await scene.onHand("JK-1001")) + 3,
  };
  const sessionId = await scene.counted(counts);
  await shop.changeVariant({ item: "JK-1000", change: { tracked: false } });
  const { skipped } = await scene.deploy(sessionId);
  await shop.changeVariant({ item: "JK-1000", change: { tracked: true } });
  expect(skipped).toEqual([{ sku: "JK-1000", reason: "UNTRACKED" }]);
  const params = { sessionId };
  const { deploy } = await admin.call(contract.explainRow, { params, query: { sku: "JK-1000" } });
  expect(deploy).toMatchObject({ moved: 0, skipReason: "UNTRACKED" });
  const { adjustments } = await admin.call(contract.listAdjustments, { params });
  expect(adjustments[0]?.leftOut).toEqual([{ reason: "UNTRACKED", count: 1, skus: ["JK-1000"] }]);
  expect(await exportedReason(sessionId, "JK-1000")).toBe("Inventory not tracked in Shopify");
  expect(await exportedReason(sessionId, "JK-1001")).toBe("");
});

test.each([
  ["not_moved", "not moved: Shopify refused it"],
  ["unclear", "outcome unknown: Shopify refused it"],
])("the file says why what a deploy tried to move is %s", async (state, text) => {
  const sessionId = await scene.counted({ "JK-1002": (await scene.onHand("JK-1002")) + 3 });
  await scene.deploy(sessionId);
  await scene.server.database.pool.query(
    `update adjustment_rows set state = $2, note = 'Shopify refused it.'
     where adjustment_id in (select id from adjustments where session_id = $1)`,
    [sessionId, state],
  );
  expect(await exportedReason(sessionId, "JK-1002")).toBe(text);
});

test("the file says of what a rollback has taken back, while others stay moved, that it was", async () => {
  const { admin, shop } = scene.server;
  const skus = ["JK-1000", "JK-1001"];
  const units = await Promise.all(skus.map((sku) => scene.onHand(sku)));
  const sessionId = await scene.counted(
    Object.fromEntries(skus.map((sku, index) => [sku, (units[index] ?? 0) + 3])),
  );
  await scene.deploy(sessionId);
  await shop.changeVariant({ item: "JK-1001", change: { tracked: false } });
  const params = { sessionId };
  expect(await admin.call(contract.rollbackReport, { params })).toMatchObject({ status: "partial" });
  await shop.changeVariant({ item: "JK-1001", change: { tracked: true } });
  expect(await exportedReason(sessionId, "JK-1000")).toBe("was moved and taken back");
  expect(await exportedReason(sessionId, "JK-1001")).toBe("");
});

test("what a deploy moved is among a deployed report's variances, also where its count has come to fit the stock since", async () => {
  const sessionId = await scene.counted({ "JK-1001": (await scene.onHand("JK-1001")) + 5 });
  await scene.deploy(sessionId);
  await scene.server.database.pool.query(
    "update session_items set end_on_hand = end_on_hand + 5 where session_id = $1 and sku = 'JK-1001'",
    [sessionId],
  );
  const params = { sessionId };
  const { items } = await scene.server.admin.call(contract.varianceReport, { params, query: {} });
  expect(items.find(({ sku }) => sku === "JK-1001")).toMatchObject({ variance: 0, deployed: 5 });
  const file = await scene.server.admin.send(contract.exportReport, { params, query: { view: "variances" } });
  expect(String(file.body)).toContain("JK-1001");
});

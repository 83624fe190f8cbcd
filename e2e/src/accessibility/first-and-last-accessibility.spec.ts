import { type CallAnswer, deployReport, endSession } from "@stocktake/contract";
import { Admin } from "../people/admin.ts";
import { Counter } from "../people/counter.ts";
import { countOverApi, invite, type RunningCount, startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import type { Stage } from "../staging.ts";
import { type Article, findArticle } from "../stock.ts";
import { expectAccessible, expectAccessibleDialog, still, twoAppearances } from "./axe.ts";

const store = "Linden Quay Harbour Street";
const location = "Sales Floor";
const areas = [{ code: "A1", name: "Tables" }];
const mila = { name: "Mila", email: "mila@linden-quay.example" };

test.use({ stageName: "first and last" });

/** Begins a deploy that waits for Shopify at its first step; of one article it can move nothing. */
async function beginsHinderedDeploy(
  { shop }: Stage,
  { admin, sessionId }: RunningCount,
  busy: Article,
): Promise<{ readonly ended: Promise<CallAnswer<typeof deployReport>> }> {
  await shop.addFaults({
    faults: [
      { match: { field: "inventoryAdjustQuantities" }, effect: { kind: "hang", when: "before" } },
      { effect: { kind: "stale", skus: [busy.sku] }, times: "always" },
    ],
  });
  const ended = admin.call(deployReport, { params: { sessionId }, body: {} });
  await shop.untilHanging();
  return { ended };
}

test("the first steps, the end of a count on a phone, and a deploy that is held up and broken off", async ({
  openPage,
  stage,
}) => {
  const page = await openPage(still);
  const admin = new Admin(page);
  await admin.signsIn();
  await admin.opensDashboard();
  await expect(page.getByRole("heading", { name: "First Steps" })).toBeVisible();
  await expectAccessible(page, "dashboard with the first steps");

  const shop = await stage.shop.snapshot();
  const [tee, busy] = [findArticle(shop, "Tern Tee Chalk", "M"), findArticle(shop, "Tern Tee Chalk", "L")];
  const count = await startCount(stage, { store, location, areas, scope: "partial" });
  const { link } = await invite(stage, count, mila);
  await countOverApi(stage, count, { link, area: "A1", codes: [tee.barcode, busy.barcode], finish: true });
  const counter = new Counter(await openPage(still));
  await counter.joins(link, mila.name);
  for (const path of ["code", "sheets/print"]) {
    await page.goto(`/admin/sessions/${count.sessionId}/${path}`);
    await expect(page.getByRole("heading").nth(1)).toBeVisible();
    await expectAccessible(page, `${path} before there is anything`, twoAppearances);
  }
  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });
  await expect(counter.page.getByRole("heading", { name: "Count finished, thank you" })).toBeVisible();
  await expectAccessible(counter.page, "count finished, thank you");

  for (const path of ["code", "files", "sheets"]) {
    await page.goto(`/admin/sessions/${count.sessionId}/${path}`);
    await expect(page.getByRole("heading").nth(1)).toBeVisible();
    await expectAccessible(page, `${path} of an ended session`, twoAppearances);
  }

  const deploy = await beginsHinderedDeploy(stage, count, busy);
  await page.goto(`/admin/reports?session=${count.sessionId}&tab=history`);
  await expect(page.getByRole("button", { name: "Cancel Deploy" })).toBeVisible();
  await expectAccessibleDialog(page, "CancelDialog", "Cancel Deploy");
  await stage.shop.releaseHanging();
  await deploy.ended;
  await page.reload();
  await expect(page.getByRole("button", { name: "Leave as They Are" })).toBeVisible();
  await expectAccessibleDialog(page, "LeaveDialog", "Leave as They Are");
});

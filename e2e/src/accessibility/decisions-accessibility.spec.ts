import type { Page } from "@playwright/test";
import { revokeInvitation } from "@stocktake/contract";
import { Admin } from "../people/admin.ts";
import { Counter } from "../people/counter.ts";
import { invite, startCount } from "../running-count.ts";
import { expect, once, test as stageTest } from "../stage.ts";
import { findArticle } from "../stock.ts";
import {
  expectAccessible,
  expectAccessibleInside,
  expectAccessibleOpenDialog,
  still,
  twoAppearances,
} from "./axe.ts";
import { buildDoubtfulCount, type DoubtfulCount, restoreBeside } from "./doubtful-scenery.ts";

const harbour = "Linden Quay Harbour Street";
const unknownCode = "5012345678900";

const test = stageTest.extend<{ readonly doubtful: DoubtfulCount }>({
  doubtful: once((stage) => buildDoubtfulCount(stage)),
});

test.use({ stageName: "decisions" });

async function opensReport(page: Page, sessionId: string): Promise<void> {
  await page.goto(`/admin/reports?session=${sessionId}`);
  await expect(page.getByRole("heading", { name: "Variance Report" })).toBeVisible();
}

test("a report with uncertain rows, and the deploy that zeroes and stocks", async ({
  openPage,
  doubtful,
}) => {
  const page = await openPage(still);
  await new Admin(page).signsIn();
  await opensReport(page, doubtful.count.sessionId);
  await page.getByRole("combobox", { name: "Show" }).selectOption("Uncertain");
  await expect(page.getByRole("button", { name: `Include: ${doubtful.uncertain}` })).toBeVisible();
  await expectAccessible(page, "report with an uncertain row", twoAppearances);
  const opener = page.getByRole("button", { name: "Deploy to Shopify" }).first();
  await opener.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Type the number of units to confirm")).toBeVisible();
  await expect(dialog.getByLabel("Also stock products that were counted")).toBeVisible();
  await expectAccessibleOpenDialog(page, "DeployDialog with Zeroing", opener);
});

test("what a restore leaves to be decided", async ({ openPage, stage, doubtful }) => {
  const restored = await restoreBeside(stage, doubtful.count);
  try {
    const page = await openPage({ ...still, baseURL: restored.url });
    const admin = new Admin(page);
    await admin.signsIn();
    await admin.opensDashboard();
    await expect(page.getByText("Restored from a backup")).toBeVisible();
    await expectAccessible(page, "dashboard after a restore", twoAppearances);
    await page.getByRole("button", { name: "Review Sessions" }).click();
    const list = page.getByRole("dialog", { name: "Sessions from the backup" });
    const release = list.getByRole("button", { name: /^Compare and Release/ });
    await expect(release).toHaveCount(1);
    await expect(list.getByText(/^Comparing/)).toBeHidden();
    await expectAccessibleInside(page, "ReleaseListDialog");
    await release.click();
    const one = page.getByRole("dialog", { name: "Release this session?" });
    await expect(one.getByLabel(/^Nothing/)).toBeVisible();
    await expectAccessibleInside(page, "ReleaseDialog");
  } finally {
    await restored.close();
  }
});

test.describe("a counter whose invitation is revoked", () => {
  test.use({ provokedRefusals: [401] });

  test("the finish with unknown scans, and the login that says what happened", async ({
    openPage,
    stage,
  }) => {
    const areas = [{ code: "A1", name: "Tables" }];
    const count = await startCount(stage, { store: harbour, location: "Sales Floor", areas });
    const shop = await stage.shop.snapshot();
    const counter = new Counter(await openPage(still));
    const { page } = counter;
    const person = { name: "Mila", email: "mila@linden-quay.example" };
    const { link, invitationId } = await invite(stage, count, person);
    await counter.joins(link, person.name);
    await counter.syncsProducts(harbour, shop.variants.length);
    await counter.startsArea({ store: harbour, location: "Sales Floor", area: "A1" });
    const tee = findArticle(shop, "Tern Tee Chalk", "M");
    await counter.scans([tee.barcode]);
    await counter.scansInVain(unknownCode);
    await page.getByRole("button", { name: "Finish Area" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("2");
    await page.getByRole("button", { name: "Submit Count" }).click();
    await expect(page.getByText("Did you count the unknown one in?")).toBeVisible();
    await expectAccessibleOpenDialog(
      page,
      "FinishDialog with its question",
      page.getByLabel("Scanner input"),
    );
    await counter.goesOffline();
    await counter.scans([tee.barcode]);
    await count.admin.call(revokeInvitation, { params: { id: invitationId } });
    await page.context().setOffline(false);
    await expect(page).toHaveURL("/login");
    await expect(page.getByRole("button", { name: "Save Queue as File" })).toBeVisible();
    await expectAccessible(page, "login after a revoked invitation", twoAppearances);
  });
});

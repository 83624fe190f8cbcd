import { smallScreens } from "../hands.ts";
import { Admin } from "../people/admin.ts";
import { countOverApi, invite, startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import { findArticle } from "../stock.ts";
import { expectAccessible, expectAccessibleInside, still, twoAppearances } from "./axe.ts";

const store = "Linden Quay Old Mill";

test.use({ stageName: "count-again" });

test("a tolerance asks for a second count of the SKU as soon as its area closes, and the list says why, on a phone too", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2"].map((code) => ({ code, name: `Shelf ${code}` }));
  const running = await startCount(stage, { store, location: "Ground Floor", areas });
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const admin = new Admin(await openPage({ ...still, viewport: smallScreens[0] }));
  await admin.signsIn();
  await admin.page.goto("/admin/stores");
  await admin.page.getByRole("button", { name: `EDIT ${store}` }).click();
  await admin.page.getByRole("button", { name: "Set the Tolerance for Second Counts" }).click();
  await expect(admin.dialog.getByRole("group", { name: "More Than Shopify Has" })).toBeVisible();
  await expectAccessibleInside(admin.page, "EditStoreTolerance in StoreToleranceDialog");
  await admin.dialog.getByRole("group", { name: "More Than Shopify Has" }).getByLabel("Units").fill("0");
  await admin.dialog.getByRole("button", { name: "Save Tolerance" }).click();
  await expect(admin.page.getByRole("dialog")).toHaveCount(0);

  await admin.page.goto("/admin/sessions");
  await admin.page.getByRole("link", { name: "What to Count Again" }).click();
  await expect(admin.page.getByText(/^Negative stock:/)).toBeVisible();
  await admin.page.getByRole("button", { name: "Set the Tolerance" }).click();
  await expect(admin.dialog.getByLabel("Use the store's tolerance")).toBeVisible();
  await expectAccessibleInside(admin.page, "EditSessionTolerance in SessionToleranceDialog");
  await admin.dialog.getByLabel("Use the store's tolerance").uncheck();
  await expectAccessible(admin.page, "a tolerance of the session's own", twoAppearances);
  await admin.dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(admin.page.getByRole("button", { name: "Set the Tolerance" })).toBeFocused();

  const { link } = await invite(stage, running, { name: "Edda", email: "edda@linden-quay.example" });
  const codes = Array.from({ length: 150 }, () => tee.barcode);
  await countOverApi(stage, running, { link, area: "A1", codes, finish: true });
  await expect(admin.page.getByText("Beyond tolerance: units.")).toBeVisible();
  await expect(admin.page.getByText(/second count under way/).first()).toBeVisible();
  await expect(
    admin.page.getByText(/^Never counted, though 1 other variant of its product was\.$/).first(),
  ).toBeVisible();
  await expectAccessible(admin.page, "what to count again", twoAppearances);
  await admin.page.getByRole("link", { name: "Go to Second Counts" }).click();
  await expect(
    admin.page.getByText("Second count of 1 SKU, beyond tolerance: Waiting for somebody"),
  ).toBeVisible();
});

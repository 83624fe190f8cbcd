import { endSession, listShopifyLocations } from "@stocktake/contract";
import { Admin } from "../people/admin.ts";
import { startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import { expectAccessibleInside, still } from "./axe.ts";

const gone = {
  code: "PLATFORM_ERROR",
  error:
    "Shopify no longer has this store's location, or it is not active there. The session still counts, and every scan is kept. " +
    "If the location was only deactivated, activate it in Shopify and end the session again. " +
    "If it is gone for good, end the session without its stock.",
};

test.use({ stageName: "location gone", provokedRefusals: [502] });

test("the end of a session whose Shopify location is gone", async ({ openPage, stage }) => {
  const page = await openPage(still);
  await new Admin(page).signsIn();
  await startCount(stage, {
    ...{ store: "Linden Quay Harbour Street", location: "Sales Floor", scope: "partial" },
    areas: [{ code: "A1", name: "Tables" }],
  });
  // The emulated shop closes no location.
  await page.route(`**${endSession.path}`, (route) => route.fulfill({ status: 502, json: gone }));
  await page.route(`**${listShopifyLocations.path}`, (route) => route.fulfill({ json: { locations: [] } }));
  await page.goto("/admin/sessions");
  await page.getByRole("button", { name: "End Session" }).click();
  const ordinary = page.getByRole("dialog", { name: "End session?" });
  await ordinary.getByRole("button", { name: "End Session" }).click();
  const choice = page.getByRole("button", { name: "Location Gone for Good" });
  await expect(choice).toBeInViewport();
  await expectAccessibleInside(page, "EndSessionDialog");
  await expect(choice).toBeInViewport();
  await choice.click();
  await expect(page.getByRole("dialog", { name: "End without stock?" })).toBeVisible();
  await expectAccessibleInside(page, "WithoutStockDialog");
  await page.keyboard.press("Escape");
  await expect(ordinary).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(1);
});

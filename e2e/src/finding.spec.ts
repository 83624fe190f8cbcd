import { expectAccessible, still, twoAppearances } from "./accessibility/axe.ts";
import { isInTheOpen, smallScreens } from "./hands.ts";
import { Counter } from "./people/counter.ts";
import { invite, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import { findArticle } from "./stock.ts";

const store = "Linden Quay Harbour Street";

test.use({ stageName: "finding" });

test("a product is found by its name and counted, and shows its photo, without a network too", async ({
  openPage,
  stage,
}) => {
  const areas = [{ code: "F1", name: "Shirts" }];
  const running = await startCount(stage, { store, location: "Sales Floor", areas });
  const shirt = findArticle(await stage.shop.snapshot(), "Quay Oxford Shirt Sky", "S");
  const counter = new Counter(await openPage({ ...still, viewport: smallScreens[0] }));
  const { page } = counter;
  const { link } = await invite(stage, running, { name: "Fia", email: "fia@linden-quay.example" });
  await counter.joins(link, "Fia");
  await counter.startsArea({ store, location: "Sales Floor", area: "F1" });

  await counter.scans([shirt.barcode]);
  const photo = counter.banner.locator("img");
  await expect(photo).toHaveJSProperty("complete", true);
  await expect(counter.banner).toContainText("1 here");
  expect(await isInTheOpen(counter.itemsScanned)).toBe(true);
  // Only a photo that is on the disk may be waited for where there is no network.
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open("product-photos")).keys()).length))
    .toBe(1);

  await counter.hasPending(0);
  await counter.goesOffline();
  await page.getByRole("button", { name: "Manual Entry" }).click();
  await counter.dialog.getByPlaceholder("Enter SKU, Barcode, or Last 4-8 digits").fill("sky oxf s");
  const hit = counter.dialog.getByRole("button", { name: shirt.sku });
  await expect(hit).toContainText("already 1 here");
  await expectAccessible(page, "products found", twoAppearances);
  await hit.click();
  await expect(counter.itemsScanned).toHaveText("2");
  await expect(counter.banner).toContainText("2 here");
  await expect(photo).toHaveAttribute("src", /^blob:/);
  expect(await isInTheOpen(counter.itemsScanned)).toBe(true);
  await counter.comesBack();
  await counter.finishesArea(2, "F1");
});

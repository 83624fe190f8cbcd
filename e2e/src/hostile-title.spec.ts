import type { Page } from "@playwright/test";
import { endSession } from "@stocktake/contract";
import { Admin } from "./people/admin.ts";
import { Counter, phone } from "./people/counter.ts";
import { invite, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import type { Stage } from "./staging.ts";

test.use({ stageName: "hostile" });

const store = "Linden Quay Old Mill";
const location = "Floor";
const title = `<img src=x onerror="alert('title')">`;
const size = `"><img src=x onerror="alert('size')">`;
const barcode = "4006381333931";

/** Whoever may write products in Shopify decides what their titles and sizes are. */
async function putProduct({ shop }: Stage): Promise<void> {
  const { locations } = await shop.snapshot();
  const options = [{ name: "Size", value: size }];
  const stock = locations.map(({ name }) => (name === store ? { available: 3 } : null));
  const variant = { title: size, sku: "HOSTILE-1", barcode, options, unitCost: "5.00", stock };
  await shop.addProduct({ title, vendor: title, productType: title, variants: [variant] });
}

/** What would be there if any of it were read as HTML: an element of it, or what it does. */
function watch(page: Page) {
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return async (where: string) => {
    await expect(page.locator("[onerror], img[src=x]"), where).toHaveCount(0);
    expect(dialogs, where).toEqual([]);
  };
}

test("a product title of HTML is text on the phone, in the report and on paper, and does nothing", async ({
  openPage,
  stage,
}) => {
  await putProduct(stage);
  const areas = [{ code: "A1", name: "Tables" }];
  const count = await startCount(stage, { store, location, areas, scope: "partial" });
  const { link } = await invite(stage, count, { name: "Ola", email: "ola@linden-quay.example" });
  const counter = new Counter(await openPage(phone));
  const expectTextAlone = watch(counter.page);
  await counter.joins(link, "Ola");
  await counter.startsArea({ store, location, area: "A1" });
  await counter.scans([barcode]);
  await expect(counter.banner).toContainText(title);
  await expect(counter.page.getByText(size, { exact: false }).first()).toBeVisible();
  await expectTextAlone("the scan banner");
  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });

  const page = await openPage();
  const expectTextAloneHere = watch(page);
  await new Admin(page).signsIn();
  await page.goto(`/admin/reports?session=${count.sessionId}`);
  await expect(page.getByText(title).first()).toBeVisible();
  await expectTextAloneHere("the report");
  await page.getByRole("button", { name: "HOSTILE-1" }).first().click();
  await expect(page.getByRole("dialog")).toContainText(title);
  await expectTextAloneHere("why the count is what it is");
  await page.keyboard.press("Escape");
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(page.locator("table").getByText(title).filter({ visible: true }).first()).toBeVisible();
  await expectTextAloneHere("the print");
});

import { acceptInvitation, decideExceptions, exceptionGroups, postScanBatch } from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import { isInTheOpen, overhangOf } from "./hands.ts";
import { Counter, phone } from "./people/counter.ts";
import { invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, once, test as stageTest } from "./stage.ts";
import type { Stage } from "./staging.ts";
import { type Article, findArticle } from "./stock.ts";

const store = "Linden Quay Harbour Street";
const location = "Sales Floor";
/** The phones that counts were tried on: a cheap one, with and without the browser's bar, and two larger ones. */
const phones = [
  { width: 360, height: 640 },
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 412, height: 915 },
] as const;
const longArea = { code: "B12", name: "Rack at the rear wall, left of the fitting rooms, upper shelves" };
const largestEntry = 9_999;
/** From two metres a figure of 40 pixels, half a centimetre high, is still read. */
const smallestFigure = 40;

interface Fixtures {
  readonly count: RunningCount;
  readonly shirt: Article;
}

const longProduct = {
  title:
    "Harbour Lane Heavyweight Organic Cotton Long Sleeve Oversized Crew Neck Sweatshirt with Embroidered Anchor Navy",
  size: "XXL Tall / Relaxed Fit",
  sku: "HL-HWCREW-NAVY-XXLT",
  barcode: "4006381333931",
};

async function putLongProduct({ shop }: Stage): Promise<void> {
  const { locations } = await shop.snapshot();
  const { title, size, sku, barcode } = longProduct;
  const stock = locations.map(() => ({ available: 5 }));
  const options = [{ name: "Size", value: size }];
  const variant = { title: size, sku, barcode, options, unitCost: "5.00", stock };
  await shop.addProduct({ title, vendor: "Linden Quay", productType: "Sweatshirts", variants: [variant] });
}

const test = stageTest.extend<Fixtures>({
  count: once(async (stage) => {
    await putLongProduct(stage);
    return startCount(stage, { store, location, areas: [{ code: "A2", name: "A2" }, longArea] });
  }),
  shirt: once(async (stage) => findArticle(await stage.shop.snapshot(), "Quay Oxford Shirt Sky", "S")),
});

test.use({ stageName: "in-sight" });

/** Checks on every phone that the count is whole, large and uncovered, and that what was scanned last has room beside it. */
async function expectCountInSight({ page, itemsScanned }: Counter, what: string): Promise<void> {
  const soft = expect.configure({ soft: true });
  for (const size of phones) {
    const at = `${what} at ${size.width} × ${size.height}`;
    await page.setViewportSize(size);
    await page.evaluate(() => scrollTo(0, 0));
    soft(await overhangOf(page), `pixels over the rim, ${at}`).toBe(0);
    soft(await isInTheOpen(itemsScanned), `the count, ${at}`).toBe(true);
    const figure = await itemsScanned.evaluate((output) => ({
      size: Number.parseFloat(getComputedStyle(output).fontSize),
      lines: output.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(output).lineHeight),
      right: output.getBoundingClientRect().right,
    }));
    soft(figure.size, `the figure's height, ${at}`).toBeGreaterThanOrEqual(smallestFigure);
    soft(Math.round(figure.lines), `the figure's lines, ${at}`).toBe(1);
    const last = await page.getByText("Last Scanned").boundingBox();
    soft(last?.width, `room for what was scanned last, ${at}`).toBeGreaterThan(80);
    soft(last?.x, `the figure's end, ${at}`).toBeGreaterThan(figure.right);
  }
}

async function countsAs(counter: Counter, quantity: number, shown: string): Promise<void> {
  const { page, dialog, itemsScanned } = counter;
  await page.getByRole("button", { name: "Change the quantity" }).click();
  await dialog.getByLabel("Quantity").fill(`${quantity}`);
  await dialog.getByRole("button", { name: "OK" }).click();
  await expect(itemsScanned).toHaveText(shown);
}

/** Somebody else's scans of a code that nobody knows, in the same area, accepted as an article by the administrator. */
async function acceptMany(
  stage: Stage,
  { admin, sessionId, storeId, locationId, areas }: RunningCount,
  { link, area, entries, sku }: { link: string; area: string; entries: number; sku: string },
): Promise<void> {
  const other = new ApiClient(stage.product.url);
  await other.call(acceptInvitation, { params: { token: link.split("/").at(-1) ?? "" } });
  const common = { sessionId, storeId, locationId, areaCode: area, deviceId: "device-other" } as const;
  const what = {
    input: "5012345678900",
    inputType: "barcode",
    method: "scan",
    quantity: largestEntry,
  } as const;
  const scans = Array.from({ length: entries }, (_none, index) => ({ ...common, ...what, seq: index + 1 }));
  await other.call(postScanBatch, { body: { scans } });
  const { groups } = await admin.call(exceptionGroups, { params: { id: sessionId } });
  const areaId = areas.find(({ code }) => code === area)?._id ?? "";
  const scanIds = groups.flatMap((group) => group.scanIds);
  await admin.call(decideExceptions, {
    params: { id: sessionId },
    body: { scanIds, action: "accept", sku, areaId },
  });
}

test("the count stays in sight as it grows to seven digits", async ({ stage, count, shirt, openPage }) => {
  const counter = new Counter(await openPage({ ...phone, isMobile: false }));
  const { link } = await invite(stage, count, { name: "Ada", email: "ada@linden-quay.example" });
  await counter.joins(link, "Ada");
  await counter.startsArea({ store, location, area: "A2" });
  await counter.scans([shirt.barcode]);
  await expectCountInSight(counter, "1");
  await countsAs(counter, 120, "120");
  await expectCountInSight(counter, "120");
  await countsAs(counter, largestEntry, "9,999");
  await expectCountInSight(counter, "9,999");
  await counter.page.clock.fastForward(1_000);
  await counter.pullsTrigger(shirt.barcode);
  await expect(counter.itemsScanned).toHaveText("10,000");
  await expectCountInSight(counter, "10,000");
  await countsAs(counter, largestEntry, "19,998");
  await expectCountInSight(counter, "19,998");
  const other = await invite(stage, count, { name: "Bo", email: "bo@linden-quay.example" });
  await acceptMany(stage, count, { link: other.link, area: "A2", entries: 102, sku: shirt.sku });
  await expect(counter.itemsScanned).toHaveText("1,039,896");
  await expectCountInSight(counter, "1,039,896");
});

test("neither a long area name nor a long product's covers the count", async ({ stage, count, openPage }) => {
  const counter = new Counter(await openPage({ ...phone, isMobile: false }));
  const { link } = await invite(stage, count, { name: "Cleo", email: "cleo@linden-quay.example" });
  await counter.joins(link, "Cleo");
  await counter.startsArea({ store, location, area: longArea.code });
  await expectCountInSight(counter, "ready");
  await counter.scans([longProduct.barcode]);
  await expectCountInSight(counter, "a long name");
  await countsAs(counter, largestEntry, "9,999");
  await expectCountInSight(counter, "9,999 of a long name");
  await counter.goesOffline();
  await counter.page.clock.fastForward(1_000);
  await counter.pullsTrigger(longProduct.barcode);
  await expect(counter.itemsScanned).toHaveText("10,000");
  await expectCountInSight(counter, "offline");
});

import type { Page } from "@playwright/test";
import { Counter, phone } from "./people/counter.ts";
import { invite, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import { findArticle } from "./stock.ts";

const store = "Linden Quay Harbour Street";
const location = "Sales Floor";

test.use({ stageName: "early-scans" });

/** Scans as soon as the page shows such a text, before it can do anything else. */
function scanWhenShown([text, code]: readonly [text: string, code: string]): void {
  const observer = new MutationObserver(() => {
    if (document.body?.textContent.includes(text) !== true) return;
    observer.disconnect();
    for (const key of [...code, "Enter"]) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
    Reflect.set(globalThis, "hasScanned", true);
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Lets nothing of such an address come until the returned function is called. */
async function holdBack(page: Page, address: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test("a scan made while the page still loads, or draws, is answered as any other, and counts nothing", async ({
  stage,
  openPage,
}) => {
  const shirt = findArticle(await stage.shop.snapshot(), "Quay Oxford Shirt Sky", "S");
  const count = await startCount(stage, { store, location, areas: [{ code: "E1", name: "Early" }] });
  const { link } = await invite(stage, count, { name: "Edda", email: "edda@linden-quay.example" });
  const counter = new Counter(await openPage(phone));
  const { page } = counter;
  await counter.joins(link, "Edda");
  const refusal = page.getByText("Nothing was counted: start an area first.");

  await test.step("on the dashboard, while its scripts are under way", async () => {
    const release = await holdBack(page, "**/assets/*.js");
    await page.goto("/counter", { waitUntil: "commit" });
    await expect(page.getByText("Loading…")).toBeVisible();
    await counter.burstsIn(shirt.barcode);
    release();
    await expect(refusal).toBeVisible();
    await page.unroute("**/assets/*.js");
  });

  await test.step("between the page's first drawing and that of its device", async () => {
    const next = await page.context().newPage();
    await next.addInitScript(scanWhenShown, ["Opening this device…", shirt.barcode] as const);
    await next.goto("/counter");
    await expect(next.getByText("Nothing was counted: start an area first.")).toBeVisible();
    expect(await next.evaluate(() => Reflect.get(globalThis, "hasScanned"))).toBe(true);
    await next.close();
  });

  await test.step("on the scanning screen, which says that it is not ready and counts none of it", async () => {
    await counter.startsArea({ store, location, area: "E1" });
    const openStation = await holdBack(page, "**/api/device-max-seq*");
    const release = await holdBack(page, "**/assets/*.js");
    await page.reload({ waitUntil: "commit" });
    await expect(page.getByText("Loading…")).toBeVisible();
    await counter.burstsIn(shirt.barcode);
    release();
    await expect(counter.banner).toContainText("Not ready yet. Scan again in a moment.");
    openStation();
    await expect(counter.banner).toContainText("READY TO SCAN");
    await counter.scans([shirt.barcode]);
    await expect(counter.itemsScanned).toHaveText("1");
    await counter.hasPending(0);
  });
});

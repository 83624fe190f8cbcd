import type { Browser, Page } from "@playwright/test";
import { openDeployment } from "./newer-build.ts";
import { codes, join, offlineStore, scansOf, test } from "./offline-count.ts";
import { Counter, phone } from "./people/counter.ts";
import { hasInstalled } from "./people/installed-app.ts";
import { invite, type RunningCount } from "./running-count.ts";
import { expect } from "./stage.ts";
import type { Stage } from "./staging.ts";
import type { Article } from "./stock.ts";
import { evictStorage, limitStorage } from "./storage-faults.ts";
import { tabsAndFaultsPlan } from "./tabs-and-faults.ts";

const { store, location } = offlineStore;
const yearMs = 365 * 24 * 60 * 60 * 1_000;
const debounceMs = 1_000;
const tenMinutesMs = 10 * 60 * 1_000;

test.use({ stageName: "tabs and faults", installsApp: true, plan: tabsAndFaultsPlan });

/** Exactly what was accepted is on the server: each once, in this order. */
async function serverHas(count: RunningCount, area: string, articles: readonly Article[]): Promise<void> {
  const scans = await scansOf(count, area);
  expect(scans.map(({ sku }) => sku)).toEqual(articles.map(({ sku }) => sku));
}

/** Not openPage: the page writes into its console what the storage refuses, or breaks off. */
async function openUnwatched(browser: Browser, { product }: Stage): Promise<Counter> {
  const context = await browser.newContext({ ...phone, baseURL: product.url });
  return new Counter(await context.newPage());
}

/**
 * Keeps the page's connections to IndexedDB, so that a test can close them as phones do: without an event. In the same moment a
 * code comes from the scanner.
 */
async function canLoseStorage(page: Page): Promise<(code: string) => Promise<void>> {
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...given) {
      const request = open.apply(this, given);
      request.addEventListener("success", () => {
        const { result } = request;
        document.addEventListener("test:lose-storage", () => result.close());
      });
      return request;
    };
  });
  return (code) =>
    page.evaluate(
      (keys) => {
        document.dispatchEvent(new Event("test:lose-storage"));
        // Outside any input the page reads the keys themselves.
        for (const key of keys)
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      },
      [...code, "Enter"],
    );
}

test("two tabs of one counter: what both scanned without a network is sent once, though the sending tab dies", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const first = new Counter(await openPage(phone));
  await join(first, stage, count, "Ada");
  const second = new Counter(await first.page.context().newPage());
  await second.page.clock.install();
  await second.page.goto("/counter");
  await first.startsArea({ store, location, area: "F1" });
  await second.startsArea({ store, location, area: "F2" });
  await first.goesOffline();
  await first.scans(codes(pile));
  await second.scans(codes(pile));
  await first.hasPending(6);
  await second.hasPending(6);
  await first.page.close({ runBeforeUnload: false });
  await second.page.context().setOffline(false);
  await second.hasPending(0);
  await serverHas(count, "F1", pile);
  await serverHas(count, "F2", pile);
});

test("S28: storage deleted beneath an open page gets back what was not sent, and the screen says so", async ({
  browser,
  stage,
  count,
  pile,
}) => {
  const counter = await openUnwatched(browser, stage);
  await join(counter, stage, count, "Berta");
  await counter.startsArea({ store, location, area: "F3" });
  await counter.scans(codes(pile.slice(0, 1)));
  await counter.hasPending(0);
  await counter.goesOffline();
  await counter.scans(codes(pile.slice(1)));
  await evictStorage(counter.page);
  await expect(counter.banner).toContainText("The browser deleted this device's storage.");
  await expect(counter.banner).toContainText("What had not been sent is safe (2 entries).");
  await expect(counter.banner).toContainText("sync the products again");
  await counter.hasPending(2);
  await counter.page.context().setOffline(false);
  await counter.hasPending(0);
  await serverHas(count, "F3", pile);
  await counter.page.context().close();
});

test("storage deleted while the page was closed: the server has what was sent, and counting goes on", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const counter = new Counter(await openPage(phone));
  const { page } = counter;
  await join(counter, stage, count, "Cora");
  await counter.startsArea({ store, location, area: "F4" });
  await counter.scans(codes(pile));
  await counter.hasPending(0);
  const again = new Counter(await page.context().newPage());
  await page.close({ runBeforeUnload: false });
  await again.page.clock.install();
  await again.page.goto("/manifest.webmanifest");
  await evictStorage(again.page);
  await again.page.goto("/counter");
  await again.syncsProducts(store, (await stage.shop.snapshot()).variants.length);
  await again.page.getByRole("radio", { name: location }).check();
  await again.page.getByRole("radio", { name: "F4" }).check();
  await again.page.getByRole("button", { name: "Start Counting Area" }).click();
  await again.dialog.getByRole("button", { name: "Continue Counting" }).click();
  await again.scans(codes(pile.slice(0, 1)));
  await again.hasPending(0);
  await serverHas(count, "F4", [...pile, ...pile.slice(0, 1)]);
});

test("S1: with no room left a scan is refused aloud and not counted; once there is room again it counts", async ({
  browser,
  stage,
  count,
  pile,
}) => {
  const counter = await openUnwatched(browser, stage);
  const storage = await limitStorage(counter.page, new URL(stage.product.url).origin);
  await join(counter, stage, count, "Dora");
  await counter.startsArea({ store, location, area: "F5" });
  await counter.goesOffline();
  await counter.scans(codes(pile.slice(0, 2)));
  await storage.fill();
  await counter.scansLabel(pile[2]?.barcode ?? "");
  await expect(counter.banner).toContainText("could not be saved on the device and was not counted");
  await expect(counter.banner).toContainText("Free up some space, then scan it again.");
  await expect(counter.itemsScanned).toHaveText("2");
  await storage.makeRoom();
  await counter.scans(codes(pile.slice(2)));
  await counter.page.context().setOffline(false);
  await counter.hasPending(0);
  await serverHas(count, "F5", pile);
  await counter.page.context().close();
});

test("S28: IndexedDB that closes in the middle of counting is opened again, and a scan made just then is not green", async ({
  browser,
  stage,
  count,
  pile,
}) => {
  const counter = await openUnwatched(browser, stage);
  const loseStorage = await canLoseStorage(counter.page);
  await join(counter, stage, count, "Edda");
  await counter.startsArea({ store, location, area: "F6" });
  await counter.goesOffline();
  await counter.scans(codes(pile.slice(0, 2)));
  await counter.page.clock.fastForward(debounceMs);
  await loseStorage(pile[2]?.barcode ?? "");
  await expect(counter.banner).toContainText("The browser had closed this device's storage.");
  await expect(counter.banner).toContainText("check Last Scanned, and scan whatever is missing again");
  await expect(counter.itemsScanned).toHaveText("2");
  await counter.scans(codes(pile.slice(2)));
  await counter.page.context().setOffline(false);
  await counter.hasPending(0);
  await serverHas(count, "F6", pile);
  await counter.page.context().close();
});

test("yesterday's build, whose files today's server does not have any more, goes on from its cache and sends what is scanned", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const deployment = await openDeployment(stage.product.url);
  const counter = new Counter(await openPage({ ...phone, baseURL: deployment.url }));
  const { page } = counter;
  const { link } = await invite(stage, count, { name: "Frida", email: "frida@linden-quay.example" });
  await counter.joins(new URL(link).pathname, "Frida");
  await hasInstalled(counter.page);
  await counter.syncsProducts(store, (await stage.shop.snapshot()).variants.length);
  deployment.retireFiles();
  await page.reload();
  await counter.startsArea({ store, location, area: "F7" });
  await counter.scans(codes(pile.slice(0, 2)));
  // An answer on its way would say that the server is there.
  await counter.hasPending(0);
  await counter.goesOffline();
  await page.reload();
  await expect(counter.itemsScanned).toHaveText("2");
  await counter.scans(codes(pile.slice(2)));
  await page.context().setOffline(false);
  await counter.hasPending(0);
  await serverHas(count, "F7", pile);
  await page.close();
  await deployment.close();
});

test("S5: a phone whose clock is a year off counts, and the server has the times that were", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const counter = new Counter(await openPage(phone));
  const { page } = counter;
  await join(counter, stage, count, "Gerda");
  await page.clock.setSystemTime(new Date(Date.now() + yearMs));
  await page.reload();
  await counter.startsArea({ store, location, area: "F8" });
  await counter.scans(codes(pile.slice(0, 1)));
  await counter.hasPending(0);
  await counter.goesOffline();
  await counter.scans(codes(pile.slice(1)));
  await counter.comesBack();
  await serverHas(count, "F8", pile);
  for (const { scannedAt } of await scansOf(count, "F8"))
    expect(Math.abs(Date.parse(scannedAt) - Date.now())).toBeLessThan(tenMinutesMs);
});

test("a private window keeps what is scanned while it is open, warns that it goes with it, and leaves nothing behind", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  // Each of Chromium's contexts is one: its storage is its own, and is deleted with it.
  const counter = new Counter(await openPage(phone));
  const { page } = counter;
  await join(counter, stage, count, "Hedda");
  await counter.startsArea({ store, location, area: "F9" });
  await counter.goesOffline();
  await counter.scans(codes(pile));
  await page.reload();
  await page.getByRole("button", { name: "Device Settings" }).click();
  await expect(counter.dialog).toContainText("a private window does when it is closed");
  await page.keyboard.press("Escape");
  await counter.comesBack();
  await page.context().close();
  await serverHas(count, "F9", pile);
  const next = await openPage(phone);
  await next.goto("/counter");
  await expect(next.getByRole("heading", { name: "Administrator Login" })).toBeVisible();
  expect(await next.evaluate(() => indexedDB.databases().then((all) => all.length))).toBe(0);
});

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { varianceReport } from "@stocktake/contract";
import { emulatorControl } from "@stocktake/shopify-emulator";
import { type Product, type ProductOptions, startProduct } from "@stocktake/testkit";
import { makeDataFolder } from "../data-folder.ts";
import { openMailbox } from "../mailbox.ts";
import { looksForNewer } from "../newer-build.ts";
import { codes, join as joinCount, offlineStore, scansOf } from "../offline-count.ts";
import { Counter, phone } from "../people/counter.ts";
import { startCount } from "../running-count.ts";
import { expect, test as stageTest } from "../stage.ts";
import { adminPassword, openShop, type Stage } from "../staging.ts";
import { findArticle } from "../stock.ts";

const olderFolder = process.env.OLDER_TREE ?? "";
const { store, location } = offlineStore;
const area = "U1";

/** The server with the older pages beside it, and the same restarted with today's. */
interface Running {
  readonly stage: Stage;
  updates(): Promise<void>;
}

async function startOlder(options: ProductOptions): Promise<Product> {
  return startProduct({ ...options, serverProgram: join(olderFolder, "apps/server/dist/main.js") });
}

const test = stageTest.extend<{ readonly running: Running }>({
  running: [
    async ({}, use) => {
      const [emulator, mailbox, dataDir] = [await openShop(), await openMailbox(), await makeDataFolder()];
      const environment = (url: string) => ({ PUBLIC_URL: url, SMTP_URL: mailbox.url });
      const options = { shopifyUrl: emulator.url, adminPassword, dataDir, environment };
      let product = await startOlder(options);
      const { url } = product;
      await use({
        stage: { product, shop: emulatorControl(emulator.url), mailbox },
        updates: async () => {
          await product.stop();
          product = await startProduct({ ...options, port: Number(new URL(url).port) });
        },
      });
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
      await mailbox.close();
      await emulator.close();
    },
    { timeout: 120_000 },
  ],
  stage: async ({ running }, use) => use(running.stage),
});

test.use({ installsApp: true });

/** The script that a build's page begins with: its name has a hash of what is in it. */
async function scriptOf(build: string): Promise<string> {
  return /src="(\/assets\/[^"]+\.js)"/.exec(await readFile(join(build, "index.html"), "utf8"))?.[1] ?? "";
}

async function expectPageOf(page: Page, build: string): Promise<void> {
  await expect(page.locator(`script[src="${await scriptOf(build)}"]`)).toBeAttached();
}

test("a phone and a desk with older pages go on once the server has today's, and the phone finishes its area with these", async ({
  running,
  stage,
  openPage,
}) => {
  // Whoever drives an older page goes by its texts.
  const people = join(olderFolder, "e2e/src/people");
  const { Counter: OlderCounter }: typeof import("../people/counter.ts") = await import(
    join(people, "counter.ts")
  );
  const { Admin: OlderAdmin }: typeof import("../people/admin.ts") = await import(join(people, "admin.ts"));
  const snapshot = await stage.shop.snapshot();
  const pile = ["M", "L"].map((size) => findArticle(snapshot, "Jetty Shorts Sand", size));
  const [first, second] = codes(pile);
  if (first === undefined || second === undefined) throw new Error("There is nothing to scan.");

  const count = await startCount(stage, { ...offlineStore, areas: [{ code: area, name: "Tables" }] });
  const older = new OlderCounter(await openPage(phone));
  const { page } = older;
  const desk = new OlderAdmin(await openPage());

  await test.step("the older pages are at work, and the phone has lost its network", async () => {
    await desk.signsInByForm();
    // An older dashboard can't draw its chart any more once the server has no file of it; its other pages are all in the browser's cache.
    await desk.opens("Stores");
    await joinCount(older, stage, count, "Olga");
    await expectPageOf(page, join(olderFolder, "apps/web/dist"));
    await older.startsArea({ store, location, area });
    await older.scans([first, second]);
    await older.hasPending(0);
    await older.goesOffline();
    await older.scans([first]);
    await older.hasPending(1);
  });

  await test.step("the server is restarted with today's pages; the older ones go on", async () => {
    await desk.page.context().setOffline(true);
    await running.updates();
    await desk.page.context().setOffline(false);
    await older.comesBack();
    await older.scans([second, second]);
    await older.undoesLast();
    await older.hasPending(0);
    // Whether the undo has arrived: "0 pending" may still be what it was before it.
    await expect
      .poll(async () => (await scansOf(count, area)).map(({ sku }) => sku))
      .toEqual([pile[0], pile[1], pile[0], pile[1]].map((article) => article?.sku));
    await desk.opens("Locations");
    await desk.opens("Sessions");
    for (const shown of [page, desk.page]) await expect(shown.getByRole("alert")).toHaveCount(0);
  });

  await test.step("the phone takes today's page when it is asked to, and finishes the area with it", async () => {
    await looksForNewer(page);
    await page.getByRole("button", { name: "Exit Area" }).click();
    const loadedAgain = page.waitForEvent("load");
    await page.getByRole("button", { name: "Update" }).click();
    await loadedAgain;
    await expectPageOf(page, fileURLToPath(new URL("../../../apps/web/dist", import.meta.url)));
    const counter = new Counter(page);
    await page.getByRole("button", { name: "Start Counting Area" }).click();
    // By its key: the test's clock is ahead of the browser's own by now, so that a press where the one before was is a double tap's for long.
    await counter.dialog.getByRole("button", { name: "Continue Counting" }).press("Enter");
    await expect(counter.itemsScanned).toHaveText("4");
    await counter.scans([first]);
    await counter.finishesArea(5, area);
  });

  await test.step("the older desk ends the session, and the report has each scan once", async () => {
    await desk.endsSession(store, ["This finalizes the counts"]);
    const params = { sessionId: count.sessionId };
    const { items } = await count.admin.call(varianceReport, { params, query: {} });
    const counted = pile.map(({ sku }) => items.find((item) => item.sku === sku)?.counted);
    expect(counted).toEqual([3, 2]);
  });
});

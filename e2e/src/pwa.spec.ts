import type { Page } from "@playwright/test";
import { looksForNewer, openDeployment } from "./newer-build.ts";
import { Counter, phone } from "./people/counter.ts";
import { invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, once, test as stageTest } from "./stage.ts";
import type { Stage } from "./staging.ts";
import { type Article, findArticle } from "./stock.ts";

const store = "Linden Quay Old Mill";
const location = "Ground Floor";
const areas = [
  { code: "P1", name: "Tables" },
  { code: "P2", name: "Shelves" },
];

interface AppFixtures {
  readonly count: RunningCount;
  readonly article: Article;
}

const test = stageTest.extend<AppFixtures>({
  count: once((stage) => startCount(stage, { store, location, areas })),
  article: once(async (stage) => findArticle(await stage.shop.snapshot(), "Jetty Shorts Sand", "M")),
});

test.use({ stageName: "pwa", installsApp: true });

/** Waits until the worker of this build is in charge and has every file. */
async function isInstalled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller !== null) return;
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
    );
  });
}

async function cachedPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
}

async function join(counter: Counter, stage: Stage, count: RunningCount, name: string): Promise<void> {
  const person = { name, email: `${name.toLowerCase()}@linden-quay.example` };
  await counter.joins((await invite(stage, count, person)).link, name);
  await isInstalled(counter.page);
  await counter.syncsProducts(store, (await stage.shop.snapshot()).variants.length);
}

test("the app can be installed: its manifest names icons that the server has", async ({
  openPage,
  stage,
}) => {
  const page = await openPage();
  await page.goto("/login");
  const address = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = await (await page.request.get(address ?? "")).json();
  expect(manifest).toMatchObject({ name: "Stocktake", start_url: "/counter", display: "standalone" });
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await page.request.get(new URL(src, stage.product.url).href);
    expect(icon.headers()["content-type"]).toBe(type);
    if (type !== "image/png") continue;
    const pixels = (await icon.body()).readUInt32BE(16);
    expect(`${pixels}x${pixels}`).toBe(sizes);
  }
});

test("the first visit is served by the worker already, and no call ever lies in a cache", async ({
  openPage,
  stage,
  count,
  article,
}) => {
  const counter = new Counter(await openPage(phone));
  await join(counter, stage, count, "Ida");
  await counter.startsArea({ store, location, area: "P1" });
  await counter.scans([article.barcode]);
  await counter.hasPending(0);
  const paths = await cachedPaths(counter.page);
  expect(paths).toContain("/index.html");
  expect(paths.filter((path) => path.startsWith("/api"))).toEqual([]);
  expect(paths.filter((path) => path.endsWith(".map"))).toEqual([]);
});

test("a newer version waits until somebody asks for it on the dashboard, never in an area", async ({
  openPage,
  stage,
  count,
}) => {
  const deployment = await openDeployment(stage.product.url);
  const counter = new Counter(await openPage({ ...phone, baseURL: deployment.url }));
  const { page } = counter;
  const { link } = await invite(stage, count, { name: "Nils", email: "nils@linden-quay.example" });
  await counter.joins(new URL(link).pathname, "Nils");
  await isInstalled(page);
  await counter.syncsProducts(store, (await stage.shop.snapshot()).variants.length);
  await counter.startsArea({ store, location, area: "P2" });

  const offer = page.getByText("A new version is ready");
  deployment.deploy();
  await looksForNewer(page);
  await expect(counter.banner).toContainText("READY TO SCAN");
  await expect(offer).toHaveCount(0);

  await page.getByRole("button", { name: "Exit Area" }).click();
  await expect(offer).toBeVisible();
  const loadedAgain = page.waitForEvent("load");
  await page.getByRole("button", { name: "Update" }).click();
  await loadedAgain;
  await expect(page.getByRole("heading", { name: "Counter Dashboard" })).toBeVisible();
  await expect(offer).toHaveCount(0);
  await page.close();
  await deployment.close();
});

test("without the server the dashboard and the area open again, with their products, for the user of before", async ({
  openPage,
  stage,
  count,
  article,
}) => {
  const counter = new Counter(await openPage(phone));
  const { page } = counter;
  await join(counter, stage, count, "Vera");
  await counter.startsArea({ store, location, area: "P2" });
  await counter.scans([article.barcode]);
  await counter.hasPending(0);

  await page.context().setOffline(true);
  await page.reload();
  await expect(counter.itemsScanned).toHaveText("1");
  await counter.scans([article.barcode]);
  await counter.hasPending(1);
  await expect(page.getByText("Offline", { exact: true })).toBeVisible();

  await page.goto("/counter");
  await expect(page.getByText("Welcome, Vera")).toBeVisible();
  await expect(page.getByText("1 pending", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Resume Area" }).click();
  await expect(counter.itemsScanned).toHaveText("2");

  await page.goto("/admin/anything");
  await expect(page.getByRole("heading", { name: "Counter Dashboard" })).toBeVisible();
  await page.context().setOffline(false);
  await counter.hasPending(0);
});

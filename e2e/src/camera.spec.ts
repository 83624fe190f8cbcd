import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { isInTheOpen, smallScreens } from "./hands.ts";
import { filmSeconds, writeLabelFilm } from "./label-film.ts";
import { Counter, phone } from "./people/counter.ts";
import { hasInstalled } from "./people/installed-app.ts";
import { invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, once, test as stageTest } from "./stage.ts";
import { type Article, findArticle } from "./stock.ts";

const store = "Linden Quay Old Mill";
const location = "Ground Floor";
const areas = [
  { code: "K1", name: "Tables" },
  { code: "K2", name: "Shelves" },
];

interface CameraFixtures {
  readonly count: RunningCount;
  readonly article: Article;
  /** A browser whose camera sees the article's label come and go. */
  readonly seeing: Browser;
}

const test = stageTest.extend<CameraFixtures>({
  count: once((stage) => startCount(stage, { store, location, areas })),
  article: once(async (stage) => findArticle(await stage.shop.snapshot(), "Jetty Shorts Sand", "M")),
  seeing: async ({ article, launchOptions }, use) => {
    const folder = await mkdtemp(join(tmpdir(), "stocktake-film-"));
    const film = join(folder, "label.y4m");
    await writeLabelFilm(film, article.barcode);
    const camera = ["--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${film}`];
    // A Chromium without windows has nobody to ask.
    camera.push("--use-fake-ui-for-media-stream");
    const browser = await chromium.launch({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), ...camera],
    });
    await use(browser);
    await browser.close();
    await rm(folder, { recursive: true });
  },
});

test.use({ stageName: "camera" });

/** Sooner than the label goes again. */
const often = { intervals: [100] };

/** Waits until the label has come and gone before the camera once more. */
async function filmRunsThrough(page: Page): Promise<void> {
  const seen = () =>
    page.getByLabel("Camera picture").evaluate((video: HTMLVideoElement) => video.currentTime);
  const from = await seen();
  await expect.poll(seen, often).toBeGreaterThan(from + filmSeconds);
}

test("a label before the camera is counted once each time it comes into view, offline too", async ({
  stage,
  count,
  article,
  seeing,
}) => {
  const context = await seeing.newContext({
    ...{ ...phone, baseURL: stage.product.url, permissions: ["camera"] },
  });
  const counter = new Counter(await context.newPage());
  const { page } = counter;
  const asked: string[] = [];
  context.on("request", (request) => asked.push(request.url()));
  const { link } = await invite(stage, count, { name: "Kim", email: "kim@linden-quay.example" });
  await counter.joins(link, "Kim");
  await hasInstalled(counter.page);
  await counter.syncsProducts(store, (await stage.shop.snapshot()).variants.length);
  await counter.startsArea({ store, location, area: "K1" });
  await counter.goesOffline();

  await page.getByRole("button", { name: "Scan with Camera" }).click();
  await expect(page.getByLabel("Camera picture")).toBeVisible();
  await expect(page.getByLabel("Camera picture")).toBeInViewport({ ratio: 1 });
  await expect.poll(() => counter.counted(), often).toBeGreaterThanOrEqual(1);
  await expect(counter.banner).toContainText(article.title);
  await expect.poll(() => counter.counted(), often).toBeGreaterThanOrEqual(2);

  for (const size of smallScreens) {
    await page.setViewportSize(size);
    expect.soft(await isInTheOpen(counter.itemsScanned), `count at ${size.height}`).toBe(true);
    await expect.soft(page.getByLabel("Camera picture")).toBeInViewport({ ratio: 1 });
  }

  await page.getByRole("button", { name: "Finish Area" }).click();
  await expect(counter.dialog).toBeVisible();
  // A label that was seen before the dialog opened may be counted a moment later.
  await filmRunsThrough(page);
  const counted = await counter.counted();
  await filmRunsThrough(page);
  expect(await counter.counted()).toBe(counted);
  await counter.hasPending(counted);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Close Camera" }).click();
  await expect(page.getByRole("button", { name: "Scan with Camera" })).toBeVisible();
  // The pictures of products are the shop's; whatever reads labels comes from the server.
  const isShopPicture = (url: string) => new URL(url).pathname.startsWith("/images/");
  const isOurs = (url: string) => url.startsWith(stage.product.url) || url.startsWith("blob:");
  expect(asked.filter((url) => !isOurs(url) && !isShopPicture(url))).toEqual([]);
  await context.close();
});

test("a camera that is not allowed is said, with what to do; the scanner goes on", async ({
  openPage,
  stage,
  count,
  article,
}) => {
  const counter = new Counter(await openPage(phone));
  const { page } = counter;
  const { link } = await invite(stage, count, { name: "Lou", email: "lou@linden-quay.example" });
  await counter.joins(link, "Lou");
  await counter.syncsProducts(store, (await stage.shop.snapshot()).variants.length);
  await counter.startsArea({ store, location, area: "K2" });
  await page.getByRole("button", { name: "Scan with Camera" }).click();
  await expect(page.getByRole("alert")).toContainText(/No camera found|The camera is blocked/);
  await counter.scans([article.barcode]);
});

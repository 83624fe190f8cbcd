import type { Request } from "@playwright/test";
import { join, offlineStore } from "./offline-count.ts";
import { Counter, phone } from "./people/counter.ts";
import { startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import { findArticle } from "./stock.ts";

const { store, location } = offlineStore;
const areas = [{ code: "W1", name: "Wall" }];
const watchedMs = 5_000;

test.use({ stageName: "server-away" });

/** What a page asked of the server's calls, and how long after the beginning. */
function watchCalls(counter: Counter) {
  const beganAt = Date.now();
  const calls: { readonly path: string; readonly afterMs: number }[] = [];
  counter.page.on("request", (request: Request) => {
    const path = new URL(request.url()).pathname;
    if (path.startsWith("/api/")) calls.push({ path, afterMs: Date.now() - beganAt });
  });
  return {
    isOver: () => Date.now() - beganAt >= watchedMs,
    pathsOf: () => calls.filter(({ afterMs }) => afterMs < watchedMs).map(({ path }) => path),
  };
}

test("S19: a server that is away while the network is up is asked at a measured pace, and scans go on", async ({
  browser,
  stage,
}) => {
  const count = await startCount(stage, { ...offlineStore, areas });
  const article = findArticle(await stage.shop.snapshot(), "Jetty Shorts Sand", "M");
  // Not openPage: the browser writes each refused connection into its console, which here is what happens.
  const context = await browser.newContext({ ...phone, baseURL: stage.product.url });
  const counter = new Counter(await context.newPage());
  await join(counter, stage, count, "Pia");
  await counter.startsArea({ store, location, area: "W1" });
  stage.product.process.kill("SIGKILL");
  await counter.scans([article.barcode]);
  await expect(counter.page.getByText("Offline", { exact: true })).toBeVisible();

  const watched = watchCalls(counter);
  await counter.scans([article.barcode, article.barcode]);
  // The page goes on asking: what it asks once the time is over ends the watch.
  await counter.page.waitForRequest((request) => request.url().includes("/api/") && watched.isOver());
  const paths = watched.pathsOf();
  expect(paths.filter((path) => path === "/api/health" || path.startsWith("/api/scan")).length).toBeLessThan(
    8,
  );
  expect(paths.length).toBeLessThan(15);
  await counter.hasPending(3);
  await context.close();
});

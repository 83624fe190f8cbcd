import { parseArgs } from "node:util";
import {
  adminLogin,
  type CallAnswer,
  type listSessions,
  type ReportItem,
  type varianceReport,
} from "@stocktake/contract";
import { reportItem, reportSummary, session } from "@stocktake/contract/examples";
import { startEmulator } from "@stocktake/shopify-emulator";
import { ApiClient, startProduct } from "@stocktake/testkit";
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { findChromium } from "../../scripts/chromium.ts";
import { loadText, machineText } from "./machine.ts";
import { openDrawers } from "./report/in-browser.ts";
import { explanationOf } from "./report/worst-row.ts";
import { installFrameProbe, scrollThrough } from "./screen/frames.ts";

/**
 * `npm run bench:report-page [-- --rows N]`: the reports page in Chromium with a large report, its rows under their products and in one
 * list: how long until its first row, until a row's drawer shows what it is full of, and how long each frame takes while it is scrolled,
 * at a desk's and a phone's size, on this machine's processor and on one four times slower.
 */

const adminPassword = "a password for the bench";
const sizes = ["XS", "S", "M", "L", "XL"] as const;
const sessionId = "00000000-0000-4000-8000-000000000001";

/** Pixels a frame: reading, a hard throw of a thumb (15,000 a second), and the scroll bar, a new windowful each frame. */
const paces = [
  { name: "reading", pixels: 40, frames: 400 },
  { name: "throwing", pixels: 250, frames: 400 },
  { name: "scroll bar", pixels: 1_500, frames: 400 },
] as const;

const orders = [
  { name: "by product", address: "" },
  { name: "the most money first (rows=stake)", address: "&rows=stake" },
] as const;

const viewports = [
  { name: "desk", width: 1440, height: 900 },
  { name: "phone", width: 360, height: 740 },
] as const;

type Report = CallAnswer<typeof varianceReport>;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function itemAt(index: number): ReportItem {
  // Every row has one, so that every row is shown.
  const variance = ((index * 7) % 10) - 5 || 5;
  const product = Math.floor(index / sizes.length);
  const endOnHand = 5 + (index % 20);
  return reportItem({
    productTitle: `Long Sleeve Shirt ${String(product).padStart(5, "0")}`,
    image: `/logo.svg?product=${product}`,
    size: sizes[index % sizes.length] ?? null,
    sku: `SHIRT-${String(index).padStart(6, "0")}`,
    startOnHand: endOnHand,
    endOnHand,
    counted: endOnHand + variance,
    variance,
    unitCost: 12.5,
    costImpact: variance * 12.5,
    areas: [`Shelf ${index % 40}`],
  });
}

const counted = session({ _id: sessionId, snapshot: { status: "complete", items: 20_000 } });

function reportOf(rows: number): Report {
  const items = Array.from({ length: rows }, (_none, index) => itemAt(index));
  return {
    session: counted,
    items,
    summary: reportSummary({
      ...{ totalItems: rows, shortages: rows / 2, overages: rows / 2, matches: 0, totalCostImpact: 0 },
    }),
    basis: "end",
    deployed: false,
    exceptions: { unresolved: 0, late: 0 },
  };
}

/** The server's part is measured elsewhere: the lists and the report are made here, and returned at once. */
async function standIn(context: BrowserContext, rows: number): Promise<void> {
  const bodies: Record<string, unknown> = {
    [`variance/${sessionId}*`]: reportOf(rows),
    [`adjustments/${sessionId}`]: { adjustments: [] },
  };
  await context.route(`**/api/report/explanation/${sessionId}*`, (route) => {
    const sku = new URL(route.request().url()).searchParams.get("sku") ?? "";
    return route.fulfill({ status: 200, json: explanationOf(itemAt(Number(sku.split("-")[1]))) });
  });
  for (const [path, content] of Object.entries(bodies)) {
    const body = JSON.stringify(content);
    await context.route(`**/api/report/${path}`, (route) =>
      route.fulfill({ status: 200, contentType: "application/json", body }),
    );
  }
  const sessions: CallAnswer<typeof listSessions> = { sessions: [counted] };
  const body = JSON.stringify(sessions);
  await context.route("**/api/session", (route) =>
    route.fulfill({ status: 200, contentType: "application/json", body }),
  );
}

async function openReport(page: Page, url: string, order: string): Promise<number> {
  await page.goto(`${url}/admin/reports?session=${sessionId}&show=counted${order}`, { waitUntil: "commit" });
  await page.locator("tr[data-index]").first().waitFor({ timeout: 120_000 });
  await page.locator("table[aria-rowcount]").evaluate((table) => table.scrollIntoView());
  return page.evaluate(() => window.firstRowAt ?? Number.NaN);
}

/** What the page's main thread has worked so far, in milliseconds of processor time: other programs do not add to it. */
async function worked(processor: CDPSession): Promise<number> {
  const { metrics } = await processor.send("Performance.getMetrics");
  return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
}

interface Place {
  readonly page: Page;
  readonly processor: CDPSession;
  readonly url: string;
}

async function measureDrawers({ page, processor }: Place): Promise<void> {
  const before = await worked(processor);
  const took = (await openDrawers(page)).toSorted((left, right) => left - right);
  const own = ((await worked(processor)) - before) / took.length;
  const middle = took[Math.floor(took.length / 2)] ?? Number.NaN;
  const most = Math.max(...took).toFixed(0);
  print(
    `    a full drawer: median ${middle.toFixed(0)} ms, at most ${most} (aim 200), ${own.toFixed(0)} ms the page's own work with closing it`,
  );
}

async function measureScrolling({ page, processor }: Place): Promise<void> {
  for (const pace of paces) {
    const before = await worked(processor);
    const { p50, p95, over50, longestTask, nodes, blank } = await scrollThrough(page, pace);
    const own = ((await worked(processor)) - before) / pace.frames;
    const frames = `frames p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (aim 32), ${over50} of ${pace.frames} over 50 ms`;
    const samples = `${nodes} elements at most, ${blank} samples of ${pace.frames / 20} without a row`;
    print(`    ${pace.name}: ${frames}, ${own.toFixed(1)} ms the page's own work on average`);
    print(`      longest task ${Math.round(longestTask)} ms, ${samples}`);
  }
}

async function measure(place: Place, slowdown: number): Promise<void> {
  await place.processor.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  const processor = slowdown === 1 ? "this processor" : `${slowdown} times slower`;
  for (const { name, address } of orders) {
    const firstRowAt = await openReport(place.page, place.url, address);
    print(`  ${processor}, ${name}: first row ${Math.round(firstRowAt)} ms (${loadText()})`);
    await measureDrawers(place);
    await measureScrolling(place);
  }
}

async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({
    ...(executablePath === "" ? {} : { executablePath }),
    args: ["--no-sandbox", "--disable-background-networking", "--disable-quic"],
  });
}

async function run(url: string, cookie: string, rows: number): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  for (const { name: device, ...viewport } of viewports) {
    // A browser each: one whose page was slowed down is not measured again.
    const browser = await openBrowser();
    const context = await browser.newContext({ viewport });
    await context.addCookies([{ name, value, url }]);
    await standIn(context, rows);
    await context.addInitScript(installFrameProbe);
    const page = await context.newPage();
    const processor = await context.newCDPSession(page);
    await processor.send("Performance.enable", { timeDomain: "threadTicks" });
    print(`${rows} rows, ${device} (${viewport.width} × ${viewport.height})`);
    for (const slowdown of [1, 4]) await measure({ page, processor, url }, slowdown);
    await browser.close();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rows: { type: "string", default: "20000" } } });
  print(machineText());
  const emulator = await startEmulator();
  const product = await startProduct({ shopifyUrl: emulator.url, adminPassword });
  try {
    const admin = new ApiClient(product.url);
    await admin.call(adminLogin, { body: { password: adminPassword } });
    await run(product.url, admin.cookie ?? "", Number(values.rows));
  } finally {
    await product.stop();
    await emulator.close();
  }
}

await main();

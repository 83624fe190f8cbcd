import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { whoAmI } from "@stocktake/contract";
import { startEmulator } from "@stocktake/shopify-emulator";
import { ApiClient, startProduct } from "@stocktake/testkit";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { findChromium } from "../../scripts/chromium.ts";
import { loadText } from "./machine.ts";
import { beginSession, inviteCounter, openStore } from "./rehearsal/store-floor.ts";
import {
  type Figure,
  forget,
  lineOf,
  longTasks,
  measureIgnoredRepeats,
  measureManualEntry,
  measureReopening,
  measureScans,
  measureSyncing,
} from "./screen/measures.ts";
import { installProbe } from "./screen/probe.ts";
import { type StandIn, standIn } from "./screen/stand-in.ts";

/**
 * `npm run bench:screen [-- --products N --scans N --slowdown 1,4]`: the scan screen in Chromium with a large shop's
 * products, on this machine's processor and on one four times slower: from Enter to banner, count and sound, beside the
 * write to the disk; opening the area again; typing into Manual Entry; and scanning while a changed catalogue is taken over.
 */

const adminPassword = "a password for the bench";
const area = "A1";
const reopenings = 5;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Brings the products onto the fresh device and opens the area, so that every measure begins on the scan screen. */
async function enterArea(page: Page, url: string): Promise<Figure[]> {
  const startedAt = performance.now();
  await page.goto(`${url}/counter`);
  await forget(page);
  // They come by themselves.
  await page.getByText("products for offline use!").waitFor({ timeout: 300_000 });
  const first = { name: "first sync, to the last row", values: [performance.now() - startedAt] };
  const tasks = await longTasks(page);
  await page.getByRole("radio", { name: "Sales floor" }).check();
  await page.getByRole("radio", { name: area }).check();
  await page.getByRole("button", { name: "Start Counting Area" }).click();
  await page.getByText("READY TO SCAN").waitFor();
  // Scans follow each other faster here than the second that the screen asks for by default.
  await page.getByRole("button", { name: "Device Settings" }).click();
  await page.getByLabel("only the same code again").check();
  await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).last().click();
  return [first, tasks];
}

/** Aims for READY TO SCAN in milliseconds, by how much slower the processor is made. */
const readyAims: Readonly<Record<number, number>> = { 1: 1_000, 4: 3_000 };

interface Bench {
  readonly page: Page;
  readonly processor: CDPSession;
  readonly shop: StandIn;
  readonly products: number;
  readonly scans: number;
}

async function measureAll(
  { page, processor, shop, products, scans }: Bench,
  slowdown: number,
): Promise<Figure[]> {
  await processor.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  const [ready = [], busy = []] = await measureReopening(page, processor, reopenings);
  const aim = readyAims[slowdown];
  const reopening = [
    { name: "loading to READY TO SCAN", values: ready, ...(aim === undefined ? {} : { aim }) },
    { name: "processor time of the page's main thread", values: busy },
  ];
  const scanning = await measureScans(page, scans, products);
  const ignoring = await measureIgnoredRepeats(page, Math.ceil(scans / 4), products);
  const finding = await measureManualEntry(page, processor);
  shop.change();
  return [
    ...reopening,
    ...scanning,
    ...ignoring,
    ...finding,
    ...(await measureSyncing(page, processor, products)),
  ];
}

async function openPage(url: string, counter: ApiClient, products: number) {
  const executablePath = findChromium();
  // With a profile on the disk: what a browser keeps in memory alone is not stored by the same engine.
  const profile = await mkdtemp(join(tmpdir(), "stocktake-bench-"));
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath === "" ? {} : { executablePath }),
    args: ["--no-sandbox", "--disable-background-networking", "--disable-quic"],
    viewport: { width: 390, height: 844 },
  });
  const [name = "", value = ""] = (counter.cookie ?? "").split("=");
  await context.addCookies([{ name, value, url }]);
  const { invitationData } = await counter.call(whoAmI);
  const shop = await standIn(context, invitationData?.storeId ?? "", products);
  await context.addInitScript(installProbe);
  const page = await context.newPage();
  const processor = await context.newCDPSession(page);
  await processor.send("Performance.enable", { timeDomain: "threadTicks" });
  const close = async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { close, page, processor, shop };
}

interface Order {
  readonly products: number;
  readonly scans: number;
  readonly slowdowns: readonly number[];
}

async function run(url: string, counter: ApiClient, { products, scans, slowdowns }: Order): Promise<void> {
  const { close, ...opened } = await openPage(url, counter, products);
  try {
    for (const figure of await enterArea(opened.page, url)) print(lineOf(figure));
    for (const slowdown of slowdowns) {
      const processor = slowdown === 1 ? "this machine" : `${slowdown} times slower`;
      print(`${products} products, ${processor}, ${loadText()}:`);
      for (const figure of await measureAll({ ...opened, products, scans }, slowdown)) print(lineOf(figure));
    }
  } finally {
    await close();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      products: { type: "string", default: "100000" },
      scans: { type: "string", default: "100" },
      slowdown: { type: "string", default: "1,4" },
    },
  });
  const slowdowns = values.slowdown.split(",").map(Number);
  const order = { products: Number(values.products), scans: Number(values.scans), slowdowns };
  const emulator = await startEmulator();
  const product = await startProduct({ shopifyUrl: emulator.url, adminPassword });
  try {
    const admin = new ApiClient(product.url);
    const floor = await beginSession(admin, await openStore(admin, adminPassword, [area]));
    const counter = await inviteCounter(admin, floor, "bench");
    await run(product.url, counter, order);
  } finally {
    await product.stop();
    await emulator.close();
  }
}

await main();

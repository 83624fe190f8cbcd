import { parseArgs } from "node:util";
import { type Product, type ScanPayload, whoAmI } from "@stocktake/contract";
import { startEmulator } from "@stocktake/shopify-emulator";
import { ApiClient, startProduct } from "@stocktake/testkit";
import { type BrowserContext, chromium, type Page, type Route } from "playwright-core";
import { beginSession, inviteCounter, openStore } from "./rehearsal/store-floor.ts";
import { installProbe } from "./screen/probe.ts";

/**
 * `npm run bench:screen [-- --products N --scans N]`: the scan screen in Chromium with a large shop's products: from
 * Enter to count, banner and sound, beside the write to the disk; and how long opening the area again takes, on this
 * machine's processor and on one four times slower.
 */

const adminPassword = "a password for the bench";
const area = "A1";

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function productAt(index: number, storeId: string): Product {
  return {
    sku: `SKU-${String(index).padStart(7, "0")}`,
    barcode: String(2_000_000_000_000 + index),
    productTitle: `Long Sleeve Shirt ${index % 9_000}`,
    size: ["XS", "S", "M", "L", "XL"][index % 5] ?? null,
    image: `https://cdn.example/files/${index % 9_000}.jpg?v=1700000000`,
    storeId,
  };
}

function answerOf(scan: ScanPayload, index: number) {
  return {
    scan: {
      ...{ _id: String(index), seq: scan.seq, sku: scan.input, productTitle: "Long Sleeve Shirt", size: "M" },
      ...{ areaCode: scan.areaCode, pass: scan.pass ?? 1 },
    },
    ...{ status: "counted", reason: null, duplicate: false },
  };
}

/** The network's part is not what is measured: the products are made here, and each scan is answered at once. */
async function standIn(context: BrowserContext, storeId: string, products: number): Promise<void> {
  const map = JSON.stringify({
    products: Array.from({ length: products }, (_none, index) => productAt(index, storeId)),
    etag: '"bench"',
  });
  const answer = (route: Route, status: number, body: unknown) =>
    route.fulfill({ status, contentType: "application/json", body: JSON.stringify(body) });
  await context.route("**/api/products/map?**", (route) =>
    route.request().headers()["if-none-match"] === undefined
      ? route.fulfill({
          status: 200,
          contentType: "application/json",
          headers: { etag: '"bench"' },
          body: map,
        })
      : route.fulfill({ status: 304 }),
  );
  await context.route("**/api/scan", (route) =>
    answer(route, 201, answerOf(route.request().postDataJSON(), 1)),
  );
  await context.route("**/api/scan/batch", (route) => {
    const { scans }: { scans: ScanPayload[] } = route.request().postDataJSON();
    const results = scans.map((scan, index) => ({ httpStatus: 201, ...answerOf(scan, index) }));
    return answer(route, 200, { results });
  });
}

async function scanOnce(page: Page, code: string): Promise<void> {
  const before = await page.evaluate(() => window.scanTimes?.length ?? 0);
  await page.keyboard.insertText(code);
  await page.keyboard.press("Enter");
  await page.waitForFunction((count) => (window.scanTimes?.length ?? 0) > count, before);
}

async function measureScans(page: Page, scans: number, products: number): Promise<void> {
  await page.evaluate(() => window.scanTimes?.splice(0));
  for (let scan = 0; scan < scans; scan += 1) {
    await scanOnce(page, String(2_000_000_000_000 + ((scan * 7_919) % products)));
  }
  const times = await page.evaluate(() => window.scanTimes ?? []);
  const sorted = (values: number[]) => values.toSorted((left, right) => left - right);
  const besides = sorted(times.map(({ total, write }) => total - write));
  const writes = sorted(times.map(({ write }) => write));
  const at = (values: number[], share: number) =>
    (values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN).toFixed(1);
  say(`  Enter to count besides the write: p50 ${at(besides, 0.5)} ms, p95 ${at(besides, 0.95)} ms (aim 16)`);
  say(`  strict write to IndexedDB:        p50 ${at(writes, 0.5)} ms, p95 ${at(writes, 0.95)} ms`);
}

async function measureReopening(page: Page): Promise<void> {
  const startedAt = performance.now();
  await page.reload({ waitUntil: "commit" });
  await page.getByText("READY TO SCAN").waitFor();
  say(`  reload until READY TO SCAN: ${Math.round(performance.now() - startedAt)} ms`);
}

async function enterArea(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/counter`);
  await page.getByRole("radio", { name: "Sales floor" }).check();
  await page.getByRole("button", { name: "Sync Products" }).click();
  await page.getByText("products for offline use!").waitFor({ timeout: 120_000 });
  await page.getByRole("radio", { name: area }).check();
  await page.getByRole("button", { name: "Start Counting Area" }).click();
  await page.getByText("READY TO SCAN").waitFor();
  // Scans follow each other faster here than the second that the screen asks for by default.
  await page.getByRole("button", { name: "Device Settings" }).click();
  await page.getByLabel("only the same code again").check();
  await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).last().click();
}

async function run(url: string, counter: ApiClient, products: number, scans: number): Promise<void> {
  const executablePath = process.env.CHROMIUM_PATH;
  const browser = await chromium.launch({
    ...(executablePath === undefined || executablePath === "" ? {} : { executablePath }),
    args: ["--no-sandbox", "--disable-background-networking", "--disable-quic"],
  });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const [name = "", value = ""] = (counter.cookie ?? "").split("=");
  await context.addCookies([{ name, value, url }]);
  const { invitationData } = await counter.call(whoAmI);
  await standIn(context, invitationData?.storeId ?? "", products);
  await context.addInitScript(installProbe);
  const page = await context.newPage();
  await enterArea(page, url);
  const processor = await context.newCDPSession(page);
  for (const slowdown of [1, 4]) {
    await processor.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    say(`${products} products, ${slowdown === 1 ? "this machine" : `${slowdown} times slower`}:`);
    await measureScans(page, scans, products);
    await measureReopening(page);
  }
  await browser.close();
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { products: { type: "string", default: "100000" }, scans: { type: "string", default: "100" } },
  });
  const emulator = await startEmulator();
  const product = await startProduct({ shopifyUrl: emulator.url, adminPassword });
  try {
    const admin = new ApiClient(product.url);
    const floor = await beginSession(admin, await openStore(admin, adminPassword, [area]));
    const counter = await inviteCounter(admin, floor, "bench");
    await run(product.url, counter, Number(values.products), Number(values.scans));
  } finally {
    await product.stop();
    await emulator.close();
  }
}

await main();

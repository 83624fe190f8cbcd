import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "../../../scripts/chromium.ts";

/** What the page did; times in milliseconds. */
interface PageFigures {
  /** From the address until the browser has painted the table's first row. */
  readonly firstRow: number;
  /** Of each keystroke in the search: until the browser has painted after it, and until the table has its rows. */
  readonly painted: readonly number[];
  readonly rows: readonly number[];
  /** Of each drawer: from the click until it shows its scans. */
  readonly drawers: readonly number[];
}

declare global {
  interface Window {
    paintedAfter?: number[];
    keyAt?: number;
    rowsAt?: number;
    firstRowAt?: number;
  }
}

const words = ["synth", "1000", "zz"] as const;
// Somebody reads before they ask: what the page loads after its rows is there by then.
const readingMs = 3_000;
// Longer than the table needs by far: what is measured is over before.
const settleMs = 700;
const drawers = 8;

/** Runs in the page, before its own code. */
function installProbe(): void {
  window.paintedAfter = [];
  // Shorter ones are not told by the browser; they count as the threshold.
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === "keydown") window.paintedAfter?.push(entry.duration);
  });
  observer.observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  addEventListener(
    "keydown",
    () => {
      window.keyAt = performance.now();
      window.rowsAt = window.keyAt;
    },
    { capture: true },
  );
  const watch = new MutationObserver((changes) => {
    if (window.firstRowAt === undefined && document.querySelector("tr[data-index]") !== null) {
      window.firstRowAt = Number.NaN;
      // After the frame that shows it.
      requestAnimationFrame(() => setTimeout(() => Object.assign(window, { firstRowAt: performance.now() })));
    }
    if (changes.some(({ target }) => target instanceof Element && target.closest("table") !== null))
      window.rowsAt = performance.now();
  });
  watch.observe(document, { subtree: true, childList: true, attributes: true });
}

async function type(page: Page): Promise<Pick<PageFigures, "painted" | "rows">> {
  const search = page.getByRole("searchbox", { name: "Search" });
  const rows: number[] = [];
  for (const word of words) {
    await search.fill("");
    await page.waitForTimeout(settleMs);
    for (const letter of word) {
      await search.press(letter);
      await page.waitForTimeout(settleMs);
      rows.push(await page.evaluate(() => (window.rowsAt ?? 0) - (window.keyAt ?? 0)));
    }
  }
  await search.fill("");
  await page.waitForTimeout(settleMs);
  return { rows, painted: await page.evaluate(() => window.paintedAfter ?? []) };
}

/** Opens the drawers of the first rows that are drawn, one after the other. */
export async function openDrawers(page: Page): Promise<readonly number[]> {
  const took: number[] = [];
  for (let index = 0; index < drawers; index += 1) {
    took.push(
      await page.evaluate(async (at) => {
        const begun = performance.now();
        document.querySelectorAll<HTMLButtonElement>("table button[data-sku]")[at]?.click();
        while (document.querySelector("[role=dialog] section ol") === null)
          await new Promise((resolve) => requestAnimationFrame(resolve));
        return performance.now() - begun;
      }, index),
    );
    await page.keyboard.press("Escape");
    await page.locator("[role=dialog]").waitFor({ state: "detached" });
  }
  return took;
}

async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({
    ...(executablePath === "" ? {} : { executablePath }),
    args: ["--no-sandbox", "--disable-background-networking", "--disable-quic"],
  });
}

/** Opens the report of a session in Chromium at a desk's size, searches in it and asks why of some rows. */
export async function reportInBrowser(
  url: string,
  cookie: string,
  sessionId: string,
  show: string,
): Promise<PageFigures> {
  const [name = "", value = ""] = cookie.split("=");
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ name, value, url }]);
    await context.addInitScript(installProbe);
    const page = await context.newPage();
    await page.goto(`${url}/admin/reports?session=${sessionId}&show=${show}`, { waitUntil: "commit" });
    await page.locator("tr[data-index]").first().waitFor({ timeout: 60_000 });
    // By the page's own clock: it is busy with what comes after the row when it is asked whether the row is there.
    const firstRow = await page.evaluate(async () => {
      while (Number.isNaN(window.firstRowAt ?? Number.NaN))
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return window.firstRowAt ?? Number.NaN;
    });
    await page.waitForTimeout(readingMs);
    const opened = await openDrawers(page);
    return { firstRow, ...(await type(page)), drawers: opened };
  } finally {
    await browser.close();
  }
}

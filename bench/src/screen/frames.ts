import type { Page } from "playwright-core";

declare global {
  interface Window {
    /** When the report's first row was in the page, in milliseconds since the page was asked for. */
    firstRowAt?: number;
    longTasks?: number[];
  }
}

/** Runs in the page, before its own code: notes when the first row is drawn and which tasks held the page up. */
export function installFrameProbe(): void {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks?.push(duration);
  }).observe({ type: "longtask", buffered: true });
  const watch = new MutationObserver(() => {
    if (document.querySelector("tr[data-index]") === null) return;
    window.firstRowAt = performance.now();
    watch.disconnect();
  });
  watch.observe(document, { subtree: true, childList: true });
}

/** How a page held out while it was scrolled; times in milliseconds. */
export interface ScrollFigures {
  readonly p50: number;
  readonly p95: number;
  /** Frames that took longer than 50 ms, which is seen as a jerk. */
  readonly over50: number;
  readonly longestTask: number;
  /** Elements in the page, at most. */
  readonly nodes: number;
  /** Frames at whose end there was no row in the middle of the window. */
  readonly blank: number;
}

interface Pace {
  readonly pixels: number;
  readonly frames: number;
}

/**
 * Runs in the page: scrolls so many pixels at each frame, and turns round at either end of the table. Without functions
 * of its own: the compiler would name them with a helper that the page does not have.
 */
async function scrollFrames({ pixels, frames }: Pace) {
  const times: number[] = [];
  let [nodes, blank, direction] = [0, 0, 1];
  window.longTasks?.splice(0);
  let before = await new Promise<number>(requestAnimationFrame);
  while (times.length < frames) {
    const table = document.querySelector("table[aria-rowcount]")?.getBoundingClientRect();
    if ((table?.bottom ?? 0) < innerHeight + pixels) direction = -1;
    if ((table?.top ?? 0) > -pixels) direction = 1;
    scrollBy(0, direction * pixels);
    const now = await new Promise<number>(requestAnimationFrame);
    times.push(now - before);
    before = now;
    if (times.length % 20 !== 0) continue;
    nodes = Math.max(nodes, document.querySelectorAll("*").length);
    const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    if (middle?.closest("tr[data-index]") === null) blank += 1;
  }
  return { times, nodes, blank };
}

/** Scrolls the page for so many frames of so many pixels each. */
export async function scrollThrough(page: Page, pace: Pace): Promise<ScrollFigures> {
  const { times, nodes, blank } = await page.evaluate(scrollFrames, pace);
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  const longTasks = await page.evaluate(() => window.longTasks ?? []);
  const over50 = times.filter((time) => time > 50).length;
  return { p50: at(0.5), p95: at(0.95), over50, longestTask: Math.max(0, ...longTasks), nodes, blank };
}

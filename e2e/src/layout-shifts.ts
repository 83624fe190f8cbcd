import type { Page } from "@playwright/test";

/** Adds up how far the parts of a page have moved after they were seen, as `layoutShift` of its window. */
export function sumLayoutShifts(): void {
  let sum = 0;
  Reflect.set(globalThis, "layoutShift", sum);
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += Number(Reflect.get(entry, "value"));
    Reflect.set(globalThis, "layoutShift", sum);
  });
  observer.observe({ type: "layout-shift", buffered: true });
}

/** What has been added up on a page until now; a whole screen that moved by its own height is 1. */
export function layoutShiftOf(page: Page): Promise<number> {
  return page.evaluate(() => Number(Reflect.get(globalThis, "layoutShift")));
}

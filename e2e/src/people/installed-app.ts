import type { Page } from "@playwright/test";

/** Waits until the phone has the app's files, and can load it without a network. */
export async function hasInstalled(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

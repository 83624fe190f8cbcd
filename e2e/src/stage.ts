import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { type EmulatorControl, emulatorControl, startEmulator } from "@stocktake/shopify-emulator";
import { type Product, startProduct } from "@stocktake/testkit";
import { type Mailbox, openMailbox } from "./mailbox.ts";

export const adminPassword = "a password for the stage";

/** The built product with everything around it: embedded PostgreSQL, Shopify's stand-in over HTTP, a real mail server. */
export interface Stage {
  readonly product: Product;
  readonly shop: EmulatorControl;
  readonly mailbox: Mailbox;
}

interface Fixtures {
  readonly stage: Stage;
  /** Opens a page in a browser context of its own: another person with another device. */
  readonly openPage: (
    options?: Parameters<import("@playwright/test").Browser["newContext"]>[0],
  ) => Promise<Page>;
}

/** What a browser says by itself when a server goes away on purpose, or a login has ended. */
const expectedNoise = [/Failed to load resource: the server responded with a status of 401/];

function refuseConsoleErrors(page: Page, errors: string[]): void {
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !expectedNoise.some((noise) => noise.test(text))) {
      errors.push(`${page.url()}: ${text}`);
    }
  });
  page.on("pageerror", (error) => errors.push(`${page.url()}: ${error.stack ?? error.message}`));
}

export const test = base.extend<Fixtures>({
  stage: async ({}, use) => {
    const emulator = await startEmulator();
    const mailbox = await openMailbox();
    const product = await startProduct({
      shopifyUrl: emulator.url,
      adminPassword,
      environment: (url) => ({ PUBLIC_URL: url, SMTP_URL: mailbox.url }),
    });
    await use({ product, shop: emulatorControl(emulator.url), mailbox });
    await product.stop();
    await mailbox.close();
    await emulator.close();
  },

  openPage: async ({ browser, stage }, use) => {
    const contexts: BrowserContext[] = [];
    const errors: string[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL: stage.product.url, ...options });
      contexts.push(context);
      const page = await context.newPage();
      refuseConsoleErrors(page, errors);
      return page;
    });
    for (const context of contexts) await context.close();
    expect(errors, "unexpected errors in a browser's console").toEqual([]);
  },
});

export { expect };

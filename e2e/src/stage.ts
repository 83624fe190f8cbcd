import { test as base, expect, type Page } from "@playwright/test";
import { newFirefox } from "./firefox/new-firefox.ts";
import { openStage, type Stage } from "./staging.ts";

type ContextOptions = Parameters<import("@playwright/test").Browser["newContext"]>[0];

interface Fixtures {
  /** Keeps what the product has printed with a test that failed. */
  readonly productOutput: undefined;
  /** Statuses of refusals that a test provokes; the browser writes each into its console. */
  readonly provokedRefusals: readonly number[];
  /** Whether a browser installs the app, for what is done without a server. It costs as much as all else about a page. */
  readonly installsApp: boolean;
  /** Opens a page in a browser context of its own: another person with another device. */
  readonly openPage: (options?: ContextOptions) => Promise<Page>;
}

interface WorkerFixtures {
  /** Names the stage. Files that name it differently get stages of their own; the tests of one file share theirs. */
  readonly stageName: string;
  /** The shop's, as Shopify names it. */
  readonly currency: string;
  readonly stage: Stage;
}

/** What a browser says by itself while it is told to be offline, and of the question who is signed in. */
const ownWords = [
  /Failed to load resource: net::ERR_INTERNET_DISCONNECTED/,
  /Failed to load resource: the server responded with a status of 401/,
];

function isExpected(text: string, provokedRefusals: readonly number[]): boolean {
  const provoked = provokedRefusals.some((status) => text.includes(`responded with a status of ${status}`));
  return provoked || ownWords.some((pattern) => pattern.test(text));
}

/** A page as it is on plain http, where a browser has no service workers. */
function withoutWorkers(): void {
  Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
}

function collectErrors(page: Page, provokedRefusals: readonly number[], errors: string[]): void {
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() !== "error" || isExpected(text, provokedRefusals)) return;
    errors.push(`${page.url()}: ${text} (${message.location().url})`);
  });
  page.on("pageerror", (error) =>
    errors.push(`${page.url()}: ${error.stack || `${error.name}: ${error.message}`}`),
  );
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  stageName: ["", { scope: "worker", option: true }],
  currency: ["USD", { scope: "worker", option: true }],
  provokedRefusals: [[], { option: true }],
  installsApp: [false, { option: true }],

  stage: [
    async ({ stageName, currency }, use) => {
      if (stageName === "") throw new Error("Name the stage of this file: test.use({ stageName: … }).");
      const { close, ...stage } = await openStage(currency);
      await use(stage);
      await close();
    },
    { scope: "worker", timeout: 120_000 },
  ],

  productOutput: [
    async ({ stage }, use, testInfo) => {
      await use(undefined);
      if (testInfo.status === testInfo.expectedStatus) return;
      await testInfo.attach("product output", { body: stage.product.output(), contentType: "text/plain" });
    },
    { auto: true },
  ],

  openPage: async ({ browser, browserName, launchOptions, stage, provokedRefusals, installsApp }, use) => {
    const pages: Page[] = [];
    const errors: string[] = [];
    await use(async (options = {}) => {
      const asked = { baseURL: stage.product.url, ...options };
      const context =
        browserName === "firefox"
          ? await newFirefox(browser.browserType(), launchOptions, asked)
          : await browser.newContext(asked);
      if (!installsApp) await context.addInitScript(withoutWorkers);
      const page = await context.newPage();
      pages.push(page);
      collectErrors(page, provokedRefusals, errors);
      return page;
    });
    for (const page of pages) await page.context().close();
    expect(errors, "unexpected errors in a browser's console").toEqual([]);
  },
});

export { expect };

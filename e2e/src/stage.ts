import { test as base, expect, type Page } from "@playwright/test";
import { newFirefox } from "./firefox/new-firefox.ts";
import { type OwnStage, openStage, type Stage } from "./staging.ts";

type ContextOptions = Parameters<import("@playwright/test").Browser["newContext"]>[0];

interface Fixtures {
  /** Keeps what the product has printed with a test that failed. */
  readonly productOutput: undefined;
  /** Statuses of refusals that a test provokes; the browser writes each into its console. */
  readonly provokedRefusals: readonly number[];
  /** Whether a browser installs the app, for what is done without a server. It costs as much as all else about a page. */
  readonly installsApp: boolean;
  /** Names the stage. Files that name it differently get stages of their own; the tests of one file share theirs. */
  readonly stageName: string;
  /** The shop's, as Shopify names it. */
  readonly currency: string;
  readonly stage: Stage;
  /** Opens a page in a browser context of its own: another person with another device. */
  readonly openPage: (options?: ContextOptions) => Promise<Page>;
}

interface WorkerFixtures {
  /** All else is made for a test: what differs in a worker fixture costs a process and a browser of its own. */
  readonly stages: Stages;
}

/** The stage on which a worker's tests are played: one at a time, as its files come one after the other. */
class Stages {
  #present: { readonly name: string; readonly stage: Promise<OwnStage> } | null = null;
  #closed: Promise<void> = Promise.resolve();

  /** The stage of that name, opened where it is not the present one; the one before closes beside that. */
  async stageFor(name: string, currency: string, opener = openStage): Promise<Stage> {
    if (name === "") throw new Error("Name the stage of this file: test.use({ stageName: … }).");
    if (this.#present?.name !== name) {
      await this.#leave();
      this.#present = { name, stage: opener(currency) };
    }
    return this.#present.stage;
  }

  /** Ends when the stage before the present one is closed, and begins to close that. */
  async #leave(): Promise<void> {
    await this.#closed;
    const present = this.#present;
    this.#present = null;
    this.#closed = present?.stage.then(({ close }) => close()) ?? Promise.resolve();
  }

  async close(): Promise<void> {
    await this.#leave();
    await this.#closed;
  }
}

/** Makes something for a stage when it is first asked for; the tests of the stage share it. */
export function onStage<Thing, Given extends readonly unknown[]>(
  make: (stage: Stage, ...given: Given) => Promise<Thing>,
): (stage: Stage, ...given: Given) => Promise<Thing> {
  const made = new WeakMap<Stage, Promise<Thing>>();
  return (stage, ...given) => {
    const thing = made.get(stage) ?? make(stage, ...given);
    made.set(stage, thing);
    return thing;
  };
}

/** The same as a fixture. */
export function once<Thing>(make: (stage: Stage) => Promise<Thing>) {
  const made = onStage(make);
  return async ({ stage }: { stage: Stage }, use: (thing: Thing) => Promise<void>): Promise<void> =>
    use(await made(stage));
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
  stageName: ["", { option: true }],
  currency: ["USD", { option: true }],
  provokedRefusals: [[], { option: true }],
  installsApp: [false, { option: true }],

  stages: [
    async ({}, use) => {
      const stages = new Stages();
      await use(stages);
      await stages.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  stage: [
    async ({ stages, stageName, currency }, use) => use(await stages.stageFor(stageName, currency)),
    { timeout: 120_000 },
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

import type { Browser, Page, Request } from "@playwright/test";
import { createLocation } from "@stocktake/contract";
import { openDeployment } from "./newer-build.ts";
import { offlineStore, test } from "./offline-count.ts";
import { Admin } from "./people/admin.ts";
import { Counter } from "./people/counter.ts";
import { invite, type RunningCount } from "./running-count.ts";
import { expect } from "./stage.ts";
import { adminPassword } from "./staging.ts";
import { tabsAndFaultsPlan } from "./tabs-and-faults.ts";

const tabsOfABrowser = 12;
/**
 * Sooner than the others take over from a leader that is only silent. That it is within a second is held in simulated time by
 * shared-stream.test.ts: here a busy machine would be measured too.
 */
const takeoverWithinMs = 3_000;

test.use({ stageName: "tabs and faults", plan: tabsAndFaultsPlan });

/** A tab's stream, and when it was opened. */
interface Stream {
  readonly page: Page;
  readonly at: number;
}

/** The streams that are open, oldest first. */
function watchStreams(pages: readonly Page[]): Stream[] {
  const open: Stream[] = [];
  const isStream = (request: Request) => new URL(request.url()).pathname === "/api/events";
  for (const page of pages) {
    const end = (request: Request) => {
      if (isStream(request))
        open.splice(
          open.findIndex((stream) => stream.page === page),
          1,
        );
    };
    page.on("request", (request) => {
      if (isStream(request)) open.push({ page, at: Date.now() });
    });
    page.on("requestfailed", end).on("requestfinished", end);
  }
  return open;
}

/** Tabs of one browser in which the administrator is signed in. */
async function openTabs(browser: Browser, { admin }: RunningCount, url: string) {
  // Not openPage: on plain http the browser writes into its console which headers it ignores there.
  const context = await browser.newContext({ baseURL: url });
  const [name = "", value = ""] = (admin.cookie ?? "").split("=");
  await context.addCookies([{ name, value, url }]);
  const pages = await Promise.all(Array.from({ length: tabsOfABrowser }, () => context.newPage()));
  const streams = watchStreams(pages);
  await Promise.all(pages.map((page) => page.goto("/admin/locations")));
  for (const page of pages) await shows(page, offlineStore.location);
  // While a busy machine loads them a tab may be silent for so long that another takes over.
  await expect.poll(() => streams.length).toBe(1);
  return { context, pages, streams };
}

type Tabs = Awaited<ReturnType<typeof openTabs>>;

async function shows(page: Page, location: string): Promise<void> {
  await expect(page.getByRole("heading", { name: location })).toBeVisible();
}

/** Another administrator adds a location; every open tab shows it. */
async function allTellOf(name: string, { pages }: Tabs, { admin, storeId }: RunningCount): Promise<void> {
  await admin.call(createLocation, { body: { name, storeId } });
  for (const page of pages) if (!page.isClosed()) await shows(page, name);
}

/** The tab with the stream closes, and another one opens it in time. */
async function leaderCloses({ streams }: Tabs): Promise<void> {
  const [leading] = streams;
  const endedAt = Date.now();
  await leading?.page.close();
  await expect.poll(() => streams.filter((stream) => stream !== leading).length).toBe(1);
  expect((streams.at(-1)?.at ?? Number.NaN) - endedAt).toBeLessThan(takeoverWithinMs);
}

test("twelve tabs of one browser all load over one stream and hear of a change; the next takes it over when one closes", async ({
  browser,
  stage,
  count,
}) => {
  const tabs = await openTabs(browser, count, stage.product.url);
  await allTellOf("Cellar", tabs, count);
  await leaderCloses(tabs);
  await allTellOf("Attic", tabs, count);
  await tabs.context.close();
});

test("so do twelve tabs of a server on plain http, where the browser has no locks", async ({
  browser,
  stage,
  count,
}) => {
  const deployment = await openDeployment(stage.product.url);
  const tabs = await openTabs(browser, count, deployment.url.replace("127.0.0.1", "stocktake.example"));
  expect(await tabs.pages[0]?.evaluate(() => globalThis.isSecureContext)).toBe(false);
  await allTellOf("Yard", tabs, count);
  await leaderCloses(tabs);
  await allTellOf("Ramp", tabs, count);
  await tabs.context.close();
  await deployment.close();
});

test.describe("one login in all tabs", () => {
  // What a page asks just before it learns of the new login.
  test.use({ provokedRefusals: [403] });

  test("all tabs of a browser follow its login: a logout, a new one, and somebody else's", async ({
    openPage,
    stage,
    count,
  }) => {
    const page = await openPage();
    await new Admin(page).signsIn();
    const other = await page.context().newPage();
    await other.goto("/admin/locations");
    await shows(other, offlineStore.location);

    await page.getByRole("button", { name: "Logout" }).click();
    await expect(other).toHaveURL("/login");
    await other.getByLabel("Password").fill(adminPassword);
    await other.getByRole("button", { name: "Sign In" }).click();
    await expect(page.getByRole("heading", { name: "Welcome, admin!" })).toBeVisible();

    const { link } = await invite(stage, count, { name: "Rosa", email: "rosa@linden-quay.example" });
    await new Counter(other).joins(link, "Rosa");
    await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
    await page.getByRole("button", { name: "Go Back" }).click();
    await expect(page.getByText("Welcome, Rosa")).toBeVisible();
  });
});

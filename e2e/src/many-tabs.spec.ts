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

const tabsOfABrowser = 8;

test.use({ stageName: "tabs and faults", plan: tabsAndFaultsPlan });

/** The tabs that have a stream open, the oldest first. */
function watchStreams(pages: readonly Page[]): Page[] {
  const open: Page[] = [];
  const isStream = (request: Request) => new URL(request.url()).pathname === "/api/events";
  for (const page of pages) {
    const end = (request: Request) => {
      if (isStream(request)) open.splice(open.indexOf(page), 1);
    };
    page.on("request", (request) => {
      if (isStream(request)) open.push(page);
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

/** The tab with the stream closes, and another one opens it: within a second, which shared-stream.test.ts holds in simulated time. */
async function leaderCloses({ streams }: Tabs): Promise<void> {
  const [leading] = streams;
  await leading?.close();
  await expect.poll(() => streams.filter((page) => page !== leading).length).toBe(1);
}

test("eight tabs of one browser all load over one stream and hear of a change; the next takes it over when one closes", async ({
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

test("so do eight tabs of a server on plain http, where the browser has no locks", async ({
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
    await new Admin(page).signsInByForm();
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
    // Denied where it hears of the new login first; by the login page where it first hears that its own has ended.
    const denied = page.getByRole("heading", { name: "Access Denied" });
    const welcome = page.getByText("Welcome, Rosa");
    await expect(denied.or(welcome)).toBeVisible();
    if (await denied.isVisible()) await page.getByRole("button", { name: "Go Back" }).click();
    await expect(welcome).toBeVisible();
  });
});

test.describe("a logout that the server does not hear", () => {
  // What stands for a proxy without its server; the server's own at the end.
  test.use({ provokedRefusals: [401, 502] });

  test("holds in all tabs, over a reload and a network that comes back, until the server hears it", async ({
    openPage,
  }) => {
    const page = await openPage();
    const context = page.context();
    await page.setViewportSize({ width: 360, height: 740 });
    await new Admin(page).signsInByForm();
    const other = await context.newPage();
    await other.goto("/admin/locations");
    await expect(other.getByRole("heading", { name: "Locations", level: 1 })).toBeVisible();

    await context.route("**/api/auth/logout", (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("button", { name: "Logout" }).click();
    const notice = page.getByText("The server has not heard that you logged out");
    await expect(notice).toBeVisible();
    await expect(other).toHaveURL("/login");
    expect((await context.request.get("/api/auth/me")).status()).toBe(200);

    await other.goto("/admin/locations");
    await expect(other).toHaveURL("/login");
    await page.reload();
    await expect(notice).toBeVisible();
    await context.setOffline(true);
    await context.setOffline(false);
    await expect(notice).toBeVisible();
    await expect(page).toHaveURL("/login");

    await context.unroute("**/api/auth/logout");
    await context.setOffline(true);
    await context.setOffline(false);
    await expect(notice).toBeHidden();
    await expect(page).toHaveURL("/login");
    expect((await context.request.get("/api/auth/me")).status()).toBe(401);
  });
});

import { gzipSync } from "node:zlib";
import type { Locator, Page, Request } from "@playwright/test";
import { endSession } from "@stocktake/contract";
import { still } from "./accessibility/axe.ts";
import { layoutShiftOf, sumLayoutShifts } from "./layout-shifts.ts";
import { Admin } from "./people/admin.ts";
import { Counter, phone } from "./people/counter.ts";
import { invite, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";

const store = "Linden Quay Harbour Street";
const location = "Sales Floor";

test.use({ stageName: "first-load" });

/** What only administrators look at or work with, charts and label sheets above all. */
const notForCounters =
  /\/(?:administration|charts|barcode-pictures|signed-bars|activity-columns|area-labels|reports-page|release-dialog|sessions|stores-page|users-page|locations-page|audit-page|settings|account-guards|password-estimator|passkeys|authenticator-dialog)[-.]/;

interface Load {
  /** Bytes of the page's own files with gzip, fonts and the document among them; not the answers of calls. */
  readonly bytes: number;
  readonly paths: readonly string[];
}

/** Opens an address as a phone does that has nothing of the app yet, and waits until `isThere`. */
async function load(page: Page, address: string, isThere: () => Promise<void>): Promise<Load> {
  const urls: string[] = [];
  page.on("response", (response) => {
    if (!new URL(response.url()).pathname.startsWith("/api/")) urls.push(response.url());
  });
  await page.goto(address);
  await isThere();
  const sizes = await Promise.all(urls.map((url) => sizeOf(page, url)));
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    paths: urls.map((url) => new URL(url).pathname),
  };
}

/** Asks the server once more: the browser no longer has the body of each response that it has used. */
async function sizeOf(page: Page, url: string): Promise<number> {
  const body = await (await page.request.get(url)).body();
  return (url.endsWith(".woff2") ? body : gzipSync(body)).length;
}

/** Where something is on a page, in whole pixels. */
async function placeOf(part: Locator): Promise<Record<"x" | "y" | "width" | "height", number>> {
  const box = await part.boundingBox();
  if (box === null) throw new Error("What is asked for is not on the page.");
  const { x, y, width, height } = box;
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}

/** Notes when the largest part of a page was painted, as `largestPaint` of its window. */
function noteLargestPaint(): void {
  const observer = new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) Reflect.set(globalThis, "largestPaint", startTime);
  });
  observer.observe({ type: "largest-contentful-paint", buffered: true });
}

test("the first load of the login stays in its budget, and shows something before any script runs", async ({
  openPage,
}) => {
  const page = await openPage(phone);
  const { bytes, paths } = await load(page, "/login", () =>
    expect(page.getByRole("heading", { name: "Administrator Login" })).toBeVisible(),
  );
  expect(bytes).toBeLessThan(230_000);
  expect(paths.length).toBeLessThan(24);
  expect(paths.filter((path) => notForCounters.test(path))).toEqual([]);
  // Nobody has been here: this device holds nothing that the page would have to tell.
  expect(paths.filter((path) => path.startsWith("/assets/device"))).toEqual([]);
  const still = await openPage({ ...phone, javaScriptEnabled: false });
  await still.goto("/counter");
  await expect(still.getByText("Loading…")).toBeVisible();
});

test("the login that is painted before any script is there stands where the page then draws it", async ({
  openPage,
}) => {
  const waiting = await openPage(phone);
  // Never answered.
  await waiting.route("**/assets/*.js", () => undefined);
  await waiting.goto("/login", { waitUntil: "commit" });
  const painted = await placeOf(waiting.locator(".first-title"));
  const card = await placeOf(waiting.locator(".first-card"));
  const page = await openPage(phone);
  await page.goto("/login");
  const heading = page.getByRole("heading", { name: "Administrator Login" });
  await expect(heading).toBeVisible();
  expect(await placeOf(heading)).toEqual(painted);
  expect(await placeOf(page.locator("main .mantine-Card-root"))).toEqual(card);
});

test("a counter's first load stays in its budget and has none of the administrator's files", async ({
  openPage,
  stage,
}) => {
  const count = await startCount(stage, { store, location, areas: [{ code: "F1", name: "Front" }] });
  const { link } = await invite(stage, count, { name: "Fenna", email: "fenna@linden-quay.example" });
  const page = await openPage(phone);
  await new Counter(page).joins(link, "Fenna");
  // The same login on a phone that has nothing of the app yet.
  const again = await openPage({ ...phone, storageState: await page.context().storageState() });
  await again.addInitScript(sumLayoutShifts);
  await again.addInitScript(noteLargestPaint);
  const { bytes, paths } = await load(again, "/counter", () =>
    expect(again.getByRole("button", { name: "Start Counting Area" })).toBeVisible(),
  );
  expect(bytes).toBeLessThan(309_000);
  expect(paths.length).toBeLessThan(32);
  expect(paths.filter((path) => notForCounters.test(path))).toEqual([]);
  expect(paths.filter((path) => path.endsWith(".woff2"))).toHaveLength(1);
  // Until the products are here, and where they were: nothing has moved under a thumb.
  await expect(again.getByText("Successfully synced")).toBeVisible();
  expect(await layoutShiftOf(again)).toBeLessThan(0.02);
  // Nothing that is drawn later is larger than what the document says until then.
  const [firstPaint, largestPaint] = await again.evaluate(() => [
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    Reflect.get(globalThis, "largestPaint"),
  ]);
  expect(largestPaint).toBe(firstPaint);
});

test("the administrator's first loads stay in their budgets and move nothing", async ({ openPage }) => {
  const desk = await openPage(still);
  await new Admin(desk).signsIn();
  for (const { address, heading, most } of [
    { address: "/admin", heading: "Welcome, admin!", most: { bytes: 328_000, files: 36 } },
    { address: "/admin/reports", heading: "Reports", most: { bytes: 410_000, files: 42 } },
  ]) {
    const again = await openPage({ ...phone, storageState: await desk.context().storageState() });
    await again.addInitScript(sumLayoutShifts);
    const { bytes, paths } = await load(again, address, () =>
      expect(again.getByRole("heading", { name: heading })).toBeVisible(),
    );
    expect(bytes, address).toBeLessThan(most.bytes);
    expect(paths.length, address).toBeLessThan(most.files);
    expect.soft(await layoutShiftOf(again), address).toBeLessThan(0.02);
  }
});

test("a page behind a login says before any script is there why it takes its time, where the device has nothing of it", async ({
  openPage,
}) => {
  const page = await openPage(phone);
  // Never answered.
  await page.route("**/assets/*.js", () => undefined);
  const why = page.getByText("The first time on a device, and after an update");
  for (const path of ["/counter", "/counter/scan", "/admin/reports"]) {
    await page.goto(path, { waitUntil: "commit" });
    await expect(why).toBeVisible();
  }
  await page.goto("/login", { waitUntil: "commit" });
  await expect(page.locator(".first-title")).toBeVisible();
  await expect(why).toBeHidden();
});

test("a report that an address names is asked for once, before the page's own scripts", async ({
  openPage,
  stage,
}) => {
  const count = await startCount(stage, {
    ...{ store: "Linden Quay Old Mill", location },
    areas: [{ code: "F2", name: "Front" }],
  });
  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });
  const page = await openPage(still);
  await new Admin(page).signsIn();
  // Never opened: once it is, the page asks again, as something may have happened in between.
  await page.route("**/api/events*", () => undefined);
  for (const [show, view] of [
    ["", "variances"],
    ["&show=counted", "variances"],
    ["&show=all", "all"],
  ]) {
    await page.goto("about:blank");
    const asked: string[] = [];
    const note = (request: Request) =>
      asked.push(new URL(request.url()).pathname + new URL(request.url()).search);
    page.on("request", note);
    await page.goto(`/admin/reports?session=${count.sessionId}${show}`);
    await expect(page.getByRole("heading", { name: "Variance Report" })).toBeVisible();
    page.off("request", note);
    const report = `/api/report/variance/${count.sessionId}?view=${view}`;
    expect(asked.filter((path) => path.startsWith("/api/report/variance/"))).toEqual([report]);
    expect(asked.indexOf(report)).toBeLessThan(asked.findIndex((path) => path.startsWith("/assets/")));
  }
});

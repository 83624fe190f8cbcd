import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { endSession } from "@stocktake/contract";
import { Admin } from "./people/admin.ts";
import { Counter } from "./people/counter.ts";
import { countOverApi, invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, test as stageTest } from "./stage.ts";
import type { Stage } from "./staging.ts";
import { type Article, findArticle } from "./stock.ts";

const harbour = "Linden Quay Harbour Street";
const oldMill = "Linden Quay Old Mill";
const areas = [
  { code: "A1", name: "Tables" },
  { code: "A2", name: "Shelves" },
  { code: "A3", name: "Window" },
];
const unknownCode = "5012345678900";
const phoneWidth = 390;
const deskWidth = 1440;
const narrowestWidth = 360;

interface Look {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

/** For what changes on a screen: both colour schemes and both widths once. */
const twoLooks: readonly Look[] = [
  { colorScheme: "light", width: phoneWidth },
  { colorScheme: "dark", width: deskWidth },
];

/** For a screen: every scheme at every width. */
const allLooks: readonly Look[] = [
  ...twoLooks,
  { colorScheme: "light", width: deskWidth },
  { colorScheme: "dark", width: phoneWidth },
];

interface Scenery {
  /** A session that counts; the counters' screens show it. */
  readonly running: RunningCount;
  readonly ended: RunningCount;
  readonly tee: Article;
}

async function prepare(stage: Stage): Promise<Scenery> {
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const ended = await startCount(stage, {
    store: oldMill,
    location: "Ground Floor",
    areas,
    scope: "partial",
  });
  const { link } = await invite(stage, ended, { name: "Edda", email: "edda@linden-quay.example" });
  await countOverApi(stage, ended, { link, area: "A1", codes: [tee.barcode, unknownCode], finish: false });
  await ended.admin.call(endSession, { body: { sessionId: ended.sessionId } });
  const running = await startCount(stage, { store: harbour, location: "Sales Floor", areas });
  return { running, ended, tee };
}

const test = stageTest.extend<object, { readonly scenery: Scenery }>({
  scenery: [async ({ stage }, use) => use(await prepare(stage)), { scope: "worker" }],
});

// A trace would keep a copy of the page, axe included, for each of a hundred questions.
test.use({ stageName: "accessibility", trace: "off" });

const still = { reducedMotion: "reduce" } as const;

async function findingsOf(page: Page): Promise<string[]> {
  // No frames here, so that axe needs no blank page of its own to put several answers together.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
    );
}

/** Ends when every colour has arrived at its new scheme; one that arrives may set another going. */
async function settleColours(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const underway = () => document.getAnimations().filter((each) => each instanceof CSSTransition);
    for (let changes = underway(); changes.length > 0; changes = underway()) {
      await Promise.allSettled(changes.map((each) => each.finished));
    }
  });
}

/** Asks axe about what the page shows. */
async function expectAccessible(page: Page, screen: string, looks = allLooks): Promise<void> {
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await settleColours(page);
    expect.soft(await findingsOf(page), `${screen}, ${colorScheme}, ${width} px wide`).toEqual([]);
  }
  await expectFitting(page, screen);
}

function overhangOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The narrowest phones in use: once the page has taken their shape, nothing sticks out to the side. */
async function expectFitting(page: Page, screen: string): Promise<void> {
  await page.setViewportSize({ width: narrowestWidth, height: 640 });
  const soft = expect.configure({ soft: true });
  await soft.poll(() => overhangOf(page), { message: `pixels that stick out of ${screen}` }).toBe(0);
}

/** Opens a dialog by its button, asks about it, and closes it again. */
async function expectAccessibleDialog(page: Page, button: string, screen: string): Promise<void> {
  await page.getByRole("button", { name: button }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, screen, twoLooks);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

test("the public screens", async ({ openPage, stage, scenery }) => {
  const page = await openPage(still);
  await page.goto("/login");
  await expect(page.getByRole("heading", { name: "Administrator Login" })).toBeVisible();
  await expectAccessible(page, "login");
  const person = { name: "Gast", email: "gast@linden-quay.example" };
  await page.goto((await invite(stage, scenery.running, person)).link);
  await expect(page.getByRole("heading", { name: "Stock Count Invitation" })).toBeVisible();
  await expectAccessible(page, "invitation");
});

test.describe("a link that leads nowhere", () => {
  test.use({ provokedRefusals: [404] });

  test("the invalid invitation", async ({ openPage }) => {
    const page = await openPage(still);
    await page.goto("/counter/invite/no-such-token");
    await expect(page.getByRole("heading", { name: "Invalid Invitation" })).toBeVisible();
    await expectAccessible(page, "invalid invitation");
  });
});

const adminScreens = [
  { path: "/admin", ready: "Recent Sessions" },
  { path: "/admin/stores", ready: harbour },
  { path: "/admin/locations", ready: "Sales Floor" },
  { path: "/admin/sessions", ready: "Recent Sessions" },
  { path: "/admin/users", ready: "Add Counter" },
  { path: "/admin/reports", ready: "Select Session" },
  { path: "/admin/settings", ready: "System Health" },
  { path: "/admin/audit", ready: "Audit Log" },
  { path: "/counter", ready: "Access Denied" },
];

test("the administrator's screens", async ({ openPage, scenery }) => {
  const page = await openPage(still);
  await new Admin(page).signsIn();
  expect(scenery.running.areas).toHaveLength(areas.length);
  for (const { path, ready } of adminScreens) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: ready }).first()).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(0);
    await expectAccessible(page, path);
  }
});

test("the administrator's dialogs and the report", async ({ openPage, scenery }) => {
  const page = await openPage(still);
  await new Admin(page).signsIn();
  await page.goto("/admin/locations");
  await expectAccessibleDialog(page, "ADD AREAS Sales Floor", "bulk areas");
  await page.goto("/admin/sessions");
  await expectAccessibleDialog(page, "Invite Counters", "invitations");
  await expectAccessibleDialog(page, "End Session", "end session");
  await page.goto(`/admin/reports?session=${scenery.ended.sessionId}`);
  await expect(page.getByRole("heading", { name: "Variance Report" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Scans That Need a Decision" })).toBeVisible();
  await expectAccessible(page, "report");
  await expectAccessibleDialog(page, "Adjust Count", "adjust count");
  await expectAccessibleDialog(page, "Deploy to Shopify", "deploy");
});

test("the counter's screens", async ({ openPage, stage, scenery }) => {
  const counter = new Counter(await openPage(still));
  const { page } = counter;
  const person = { name: "Mila", email: "mila@linden-quay.example" };
  await counter.joins((await invite(stage, scenery.running, person)).link, person.name);
  await counter.syncsProducts(harbour, (await stage.shop.snapshot()).variants.length);
  await expect(page.getByRole("radio", { name: "A3" })).toBeVisible();
  await expectAccessible(page, "counter dashboard");
  await counter.startsArea({ store: harbour, location: "Sales Floor", area: "A1" });
  await expectAccessible(page, "scan, ready");
  await counter.scans([scenery.tee.barcode]);
  await expectAccessible(page, "scan, counted", twoLooks);
  await counter.scansInVain(unknownCode);
  await expectAccessible(page, "scan, unknown barcode", twoLooks);
  await expectAccessibleDialog(page, "Manual Entry", "manual entry");
  await expectAccessibleDialog(page, "Finish Area", "finish area");
  await expectAccessibleDialog(page, "Device Settings", "device settings");
  await counter.goesOffline();
  await expectAccessible(page, "scan, offline", twoLooks);
});

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { createCounter, endSession } from "@stocktake/contract";
import { Admin } from "./people/admin.ts";
import { Counter } from "./people/counter.ts";
import { countOverApi, invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, test as stageTest } from "./stage.ts";
import type { Stage } from "./staging.ts";
import { type Article, findArticle, findSharedSku } from "./stock.ts";

const harbour = "Linden Quay Harbour Street";
const oldMill = "Linden Quay Old Mill";
const areas = [
  { code: "A1", name: "Tables" },
  { code: "A2", name: "Shelves" },
  { code: "A3", name: "Window" },
];
const unknownCode = "5012345678900";
const permanentCounter = "Greta";
const phoneWidth = 390;
const deskWidth = 1440;
const narrowestWidth = 360;

interface Appearance {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

/** For what changes on a screen: both colour schemes and both widths once. */
const twoAppearances: readonly Appearance[] = [
  { colorScheme: "light", width: phoneWidth },
  { colorScheme: "dark", width: deskWidth },
];

/** For a screen: every scheme at every width. */
const allAppearances: readonly Appearance[] = [
  ...twoAppearances,
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
  await ended.admin.call(createCounter, { body: { username: permanentCounter, password: "counting day" } });
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
async function expectAccessible(page: Page, screen: string, appearances = allAppearances): Promise<void> {
  for (const { colorScheme, width } of appearances) {
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

/** Asks about the dialog that is open, and closes it. */
async function expectAccessibleOpenDialog(page: Page, component: string): Promise<void> {
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page, component, twoAppearances);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

/**
 * Opens a dialog by its button, asks about it, and closes it again. `component` is what shows it in the app;
 * scripts/checks/dialogs.test.ts fails where a component with a dialog is named nowhere in this file.
 */
async function expectAccessibleDialog(page: Page, component: string, button: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: button }).first().click();
  await expectAccessibleOpenDialog(page, component);
}

/** Leaves the area and comes back to it, by way of the question what to do with a count in progress. */
async function expectAccessibleReturn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Exit Area" }).click();
  for (const name of [harbour, "Sales Floor", "A1"]) await page.getByRole("radio", { name }).check();
  await expectAccessibleDialog(page, "AreaInProgress", "Start Counting Area");
  await page.getByRole("button", { name: "Start Counting Area" }).click();
  await page.getByRole("button", { name: "Continue Counting" }).click();
}

/** What a device saves that has nothing left to send. */
const emptyQueue = {
  ...{ format: "stocktake-queue", version: 1, deviceId: "device-1", exportedAt: "2026-03-01T08:00:00.000Z" },
  ...{ unsent: { scans: [], operations: [] }, refused: { scans: [], operations: [] } },
};

async function chooseQueueFile(page: Page): Promise<void> {
  const buffer = Buffer.from(JSON.stringify(emptyQueue));
  await page
    .getByLabel("Choose File")
    .setInputFiles({ name: "queue.json", mimeType: "application/json", buffer });
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
  await page.goto("/admin/stores");
  await expectAccessibleDialog(page, "EditStoreDialog", `EDIT ${harbour}`);
  await page.goto("/admin/users");
  await expectAccessibleDialog(page, "EditCounterDialog", `Edit ${permanentCounter}`);
  await page.goto("/admin/locations");
  await expectAccessibleDialog(page, "EditLocationDialog", "EDIT Sales Floor");
  await expectAccessibleDialog(page, "BulkAreasDialog", "ADD AREAS Sales Floor");
  await page.goto("/admin/sessions");
  await expectAccessibleDialog(page, "InvitationDialog", "Invite Counters");
  await expectAccessibleDialog(page, "EndSessionDialog", "End Session");
  await expectAccessibleDialog(page, "LiveDetailsDialog", "Areas and Devices");
  await expectAccessibleDialog(page, "EarlierCountsDialog", "Previous counts");
  await chooseQueueFile(page);
  await expectAccessibleOpenDialog(page, "LoadDialog");
  // MailDialog opens only where no mail server is configured, and this stage has one.
  await page.goto(`/admin/reports?session=${scenery.ended.sessionId}`);
  await expect(page.getByRole("heading", { name: "Variance Report" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Scans That Need a Decision" })).toBeVisible();
  await expectAccessible(page, "report");
  await expectAccessibleDialog(page, "AdjustCountDialog", "Adjust Count");
  await expectAccessibleDialog(page, "ImageOverlay", "Open image of");
  await expectAccessibleDialog(page, "ResolveDialog", `: ${unknownCode}`);
  await expectAccessibleDialog(page, "DeployDialog", "Deploy to Shopify");
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
  await expectAccessible(page, "scan, counted", twoAppearances);
  await counter.scansInVain(unknownCode);
  await expectAccessible(page, "scan, unknown barcode", twoAppearances);
  await expectAccessibleDialog(page, "ManualEntry", "Manual Entry");
  await expectAccessibleDialog(page, "FinishDialog", "Finish Area");
  await expectAccessibleDialog(page, "DeviceSettings", "Device Settings");
  await counter.scansLabel(findSharedSku(await stage.shop.snapshot()));
  await expectAccessibleOpenDialog(page, "ChooseProduct");
  await expectAccessibleReturn(page);
  await counter.goesOffline();
  await expectAccessible(page, "scan, offline", twoAppearances);
});

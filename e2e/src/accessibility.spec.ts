import type { Page } from "@playwright/test";
import { admitAll, createCounter, endSession, openSessionCode } from "@stocktake/contract";
import {
  expectAccessible,
  expectAccessibleDialog,
  expectAccessibleOpenDialog,
  still,
  twoAppearances,
} from "./axe.ts";
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
  await countOverApi(stage, ended, { link, area: "A2", codes: [tee.barcode], finish: true });
  await ended.admin.call(endSession, { body: { sessionId: ended.sessionId } });
  await ended.admin.call(createCounter, { body: { username: permanentCounter, password: "counting day" } });
  const running = await startCount(stage, { store: harbour, location: "Sales Floor", areas });
  return { running, ended, tee };
}

const test = stageTest.extend<object, { readonly scenery: Scenery }>({
  scenery: [async ({ stage }, use) => use(await prepare(stage)), { scope: "worker" }],
});

// A trace would keep a copy of the page, axe included, for each of a hundred questions.
test.use({ stageName: "accessibility", trace: "off", installsApp: false });

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

/** InviteListDialog opens over InvitationDialog, with a line that is right and one that is not. */
async function expectAccessibleList(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Invite Counters" }).first().click();
  await page.getByRole("button", { name: "Invite a List" }).click();
  await page.getByLabel("People", { exact: true }).fill("Tom, tom@example.com\nGrace, grace@example");
  await expect(page.getByRole("button", { name: "Correct 1 line" })).toBeVisible();
  await expectAccessible(page, "InviteListDialog", twoAppearances);
  // A list that was typed is not lost by one key.
  await page.keyboard.press("Escape");
  await page
    .getByRole("dialog", { name: "Close and lose what you typed?" })
    .getByRole("button", { name: "Close" })
    .last()
    .click();
  await expect(page.getByRole("button", { name: "Correct 1 line" })).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

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

/** The session code's page with somebody who waits, and the page of the phone that has asked. */
async function expectAccessibleCode(page: Page, { running: { admin, sessionId } }: Scenery): Promise<void> {
  const { code } = await admin.call(openSessionCode, { params: { sessionId } });
  await page.goto(`/admin/sessions/${sessionId}/code`);
  await expect(page.getByRole("img", { name: "QR code of the session" })).toBeVisible();
  const phone = await page.context().newPage();
  await phone.goto(new URL(code.link).pathname);
  await phone.getByLabel("Your name").fill("Tom");
  await expectAccessible(phone, "joining by a session code", twoAppearances);
  await phone.getByRole("button", { name: "Ask to Join" }).click();
  await expect(phone.getByRole("heading", { name: "Waiting for the administrator" })).toBeVisible();
  await expectAccessible(phone, "waiting to be admitted", twoAppearances);
  await phone.close();
  await expect(page.getByRole("button", { name: "Admit Tom" })).toBeVisible();
  await expectAccessible(page, "session code");
  await admin.call(admitAll, { params: { id: code._id }, body: { admitting: true } });
  const back = await page.context().newPage();
  await back.goto(new URL(code.link).pathname);
  await expect(back.getByRole("button", { name: "Continue as Tom" })).toBeVisible();
  await expectAccessible(back, "continuing by a session code", twoAppearances);
  await back.close();
}

const adminScreens = [
  { path: "/admin", ready: "Recent Sessions" },
  { path: "/admin/stores", ready: harbour },
  { path: "/admin/locations", ready: "Sales Floor" },
  { path: "/admin/sessions", ready: "Recent Sessions" },
  { path: "/admin/users", ready: "Add Counter" },
  { path: "/admin/reports", ready: "Select Session" },
  { path: "/admin/packs", ready: "Add or Change Codes" },
  { path: "/admin/settings", ready: "System Health" },
  { path: "/admin/audit", ready: "Audit Log" },
  { path: "/admin/wall", ready: harbour },
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
  await page.goto("/admin/sessions");
  await expectAccessibleDialog(page, "HelpDialog", "Help: Sessions");
});

test("joining by a session code", async ({ openPage, scenery }) => {
  const page = await openPage(still);
  await new Admin(page).signsIn();
  await expectAccessibleCode(page, scenery);
});

test("the administrator's dialogs and the report", async ({ openPage, scenery }) => {
  const page = await openPage(still);
  await new Admin(page).signsIn();
  await page.goto("/admin/stores");
  await expectAccessibleDialog(page, "EditStoreDialog", `EDIT ${harbour}`);
  await page.goto("/admin/users");
  await expectAccessibleDialog(page, "EditCounterDialog", `Edit ${permanentCounter}`);
  await page.goto("/admin/locations");
  await expectAccessibleDialog(page, "EditDialog", "EDIT Sales Floor");
  await expectAccessibleDialog(page, "BulkAreasDialog", "ADD AREAS Sales Floor");
  await expectAccessibleDialog(page, "EditDialog", "EDIT A1");
  await expectAccessibleDialog(page, "MergeDialog", "MERGE A1");
  await expectAccessibleDialog(page, "CopyDialog", `COPY FROM A STORE to ${harbour}`);
  await expectAccessibleDialog(page, "SessionOverDialog", "REOPEN A2");
  await page.goto("/admin/sessions");
  await expectAccessibleDialog(page, "InvitationDialog", "Invite Counters");
  await expectAccessibleList(page);
  await expectAccessibleDialog(page, "EditWordsDialog", "Name and Note of");
  await expectAccessibleDialog(page, "PlanDialog", "Plan a Session");
  await expectAccessibleDialog(page, "Inbox", /^Notices/);
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
  await unfoldReport(page);
  await expectAccessible(page, "report, unfolded", twoAppearances);
  await page.locator("button[data-sku]").first().press("Enter");
  await expect(page.getByRole("dialog").getByRole("heading", { name: "What a deploy does" })).toBeVisible();
  await expectAccessibleOpenDialog(page, "RowDrawer");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expectAccessibleDialog(page, "AdjustCountDialog", "Adjust Count");
  await expectAccessibleDialog(page, "ImageOverlay", "Open image of");
  await expectAccessibleDialog(page, "ResolveDialog", `Resolve to Product: ${unknownCode}`);
  await expectAccessibleDialog(page, "DismissDialog", `Dismiss: ${unknownCode}`);
  await page.goto(`/admin/sessions/${scenery.ended.sessionId}/exceptions`);
  await expect(page.getByRole("button", { name: `Dismiss: ${unknownCode}` })).toBeVisible();
  await expectAccessible(page, "scans to decide");
  await page.goto(`/admin/reports?session=${scenery.ended.sessionId}`);
  await expectAccessibleDialog(page, "DeployDialog", "Deploy to Shopify");
});

/** Opens every part of the report that a phone folds away. */
async function unfoldReport(page: Page): Promise<void> {
  const folded = page.locator("main h2 button[aria-expanded=false]");
  for (let left = await folded.count(); left > 0; left -= 1) await folded.first().click();
  await expect(folded).toHaveCount(0);
}

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
  await expectAccessibleDialog(page, "QuantityPad", "Change the quantity, now 1");
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

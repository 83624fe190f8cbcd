import type { Page } from "@playwright/test";
import {
  admitAll,
  declinePerson,
  openSessionCode,
  postScan,
  postScanBatch,
  readSessionCode,
} from "@stocktake/contract";
import { Admin } from "../people/admin.ts";
import { Counter } from "../people/counter.ts";
import { invite } from "../running-count.ts";
import { expect } from "../stage.ts";
import { findSharedSku } from "../stock.ts";
import {
  expectAccessible,
  expectAccessibleDialog,
  expectAccessibleOpenDialog,
  still,
  twoAppearances,
} from "./axe.ts";
import { areas, harbour, permanentCounter, type Scenery, test, unknownCode } from "./scenery.ts";

test.use({ stageName: "accessibility" });

/** Leaves the area and comes back to it, by way of the question what to do with a count in progress. */
async function expectAccessibleReturn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Exit Area" }).click();
  for (const name of [harbour, "Sales Floor", "A1"]) await page.getByRole("radio", { name }).check();
  await expectAccessibleDialog(page, "AreaInProgress", "Start Counting Area");
  await page.getByRole("button", { name: "Start Counting Area" }).click();
  await page.getByRole("button", { name: "Continue Counting" }).click();
}

/**
 * Somebody logs out whose phone holds a scan that the server never takes: on a phone the button is in the menu, which stays
 * open below the question.
 */
async function expectAccessibleLogout({ page }: Counter): Promise<void> {
  for (const { path } of [postScan, postScanBatch]) await page.route(`**${path}`, () => undefined);
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Open menu" }).click();
  await expectAccessibleDialog(page, "LogoutButton", "Logout", page.getByLabel("Scanner input"));
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL("/login");
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

  test("the invalid session code", async ({ openPage }) => {
    const page = await openPage(still);
    await page.goto("/counter/join/no-such-token");
    await expect(page.getByRole("heading", { name: "This code is not valid" })).toBeVisible();
    await expectAccessible(page, "invalid session code", twoAppearances);
  });
});

/** Fills in the name, and waits to be admitted. */
async function asksToJoin(phone: Page): Promise<void> {
  await phone.getByLabel("Your name").fill("Tom");
  await phone.getByRole("button", { name: "Ask to Join" }).click();
  await expect(phone.getByRole("heading", { name: "Waiting for the administrator" })).toBeVisible();
}

/** The session code's page with somebody who waits, and the pages of the phone that has asked, is declined and asks again. */
async function expectAccessibleCode(page: Page, { running: { admin, sessionId } }: Scenery): Promise<void> {
  const { code } = await admin.call(openSessionCode, { params: { sessionId } });
  await page.goto(`/admin/sessions/${sessionId}/code`);
  await expect(page.getByRole("img", { name: "QR code of the session" })).toBeVisible();
  const phone = await page.context().newPage();
  await phone.goto(new URL(code.link).pathname);
  await expect(phone.getByLabel("Your name")).toBeVisible();
  await expectAccessible(phone, "joining by a session code", twoAppearances);
  await asksToJoin(phone);
  await expectAccessible(phone, "waiting to be admitted", twoAppearances);
  const { requests } = await admin.call(readSessionCode, { params: { sessionId } });
  for (const { _id: id } of requests) await admin.call(declinePerson, { params: { id } });
  await expect(phone.getByRole("heading", { name: "You were not admitted" })).toBeVisible();
  await expectAccessible(phone, "not admitted", twoAppearances);
  await phone.getByRole("button", { name: "Ask Again" }).click();
  await asksToJoin(phone);
  await phone.close();
  await expect(page.getByRole("button", { name: "Admit Tom" })).toBeVisible();
  await expectAccessible(page, "session code");
  await expectAccessibleDialog(page, "CloseCode", "Close the Code");
  await admin.call(admitAll, { params: { id: code._id }, body: { admitting: true } });
  const back = await page.context().newPage();
  await back.goto(new URL(code.link).pathname);
  await expect(back.getByRole("button", { name: "Continue as Tom" })).toBeVisible();
  await expectAccessible(back, "continuing by a session code", twoAppearances);
  await back.close();
}

const adminScreensOf = ({ running }: Scenery) => [
  { path: "/admin", ready: "Recent Sessions" },
  { path: "/admin/stores", ready: harbour },
  { path: "/admin/locations", ready: "Sales Floor" },
  { path: `/admin/locations/${running.locationId}/labels`, ready: "Area Labels" },
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
  for (const { path, ready } of adminScreensOf(scenery)) {
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
  const scanner = page.getByLabel("Scanner input");
  await expectAccessibleDialog(page, "QuantityPad", "×N, change the quantity, now 1", scanner);
  await counter.scansInVain(unknownCode);
  await expectAccessible(page, "scan, unknown barcode", twoAppearances);
  await expectAccessibleDialog(page, "ManualEntry", "Manual Entry", scanner);
  await expectAccessibleDialog(page, "FinishDialog", "Finish Area", scanner);
  await expectAccessibleDialog(page, "DeviceSettings", "Device Settings", scanner);
  await counter.scansLabel(findSharedSku(await stage.shop.snapshot()));
  await expectAccessibleOpenDialog(page, "ChooseProduct", scanner);
  await expectAccessibleReturn(page);
  await counter.goesOffline();
  await expectAccessible(page, "scan, offline", twoAppearances);
  await counter.scans([scenery.tee.barcode]);
  await expectAccessibleLogout(counter);
});

test("the screens of a counter with a password", async ({ openPage, scenery }) => {
  expect(scenery.running.areas).toHaveLength(areas.length);
  const page = await openPage(still);
  await page.goto("/login");
  await page.getByRole("button", { name: "Use your username" }).click();
  await expectAccessible(page, "login of a counter", twoAppearances);
  await page.getByLabel("Username").fill(permanentCounter.username);
  await page.getByLabel("Password").fill(permanentCounter.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: "Counter Dashboard" })).toBeVisible();
  await page.goto("/counter/logins");
  await expect(page.getByRole("heading", { name: "My Logins" })).toBeVisible();
  await expect(page.getByText("You are signed in nowhere else.")).toBeVisible();
  await expectAccessible(page, "/counter/logins");
});

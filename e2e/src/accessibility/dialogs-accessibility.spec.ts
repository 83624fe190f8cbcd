import type { Page } from "@playwright/test";
import { Admin } from "../people/admin.ts";
import { expect } from "../stage.ts";
import {
  expectAccessible,
  expectAccessibleDialog,
  expectAccessibleOpenDialog,
  expectFirstFieldFocused,
  still,
  twoAppearances,
} from "./axe.ts";
import { harbour, nils, pack, permanentCounter, test, unknownCode } from "./scenery.ts";

test.use({ stageName: "accessibility" });

/** What a device saves that has nothing left to send. */
const emptyQueue = {
  ...{ format: "stocktake-queue", version: 1, deviceId: "device-1", exportedAt: "2026-03-01T08:00:00.000Z" },
  ...{ unsent: { scans: [], operations: [] }, refused: { scans: [], operations: [] } },
};

/** InviteListDialog opens over InvitationDialog, with a line that is right and one that is not. */
async function expectAccessibleList(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Invite Counters" }).first().click();
  const opener = page.getByRole("button", { name: "Invite a List" });
  await opener.click();
  await expectFirstFieldFocused(page, "InviteListDialog");
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
  await expect(opener).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

async function expectAccessibleQueue(page: Page): Promise<void> {
  const buffer = Buffer.from(JSON.stringify(emptyQueue));
  const opener = page.getByRole("button", { name: "Choose File" });
  const chooser = page.waitForEvent("filechooser");
  await opener.click();
  await (await chooser).setFiles({ name: "queue.json", mimeType: "application/json", buffer });
  await expectAccessibleOpenDialog(page, "LoadDialog", opener);
}

/** Asks about a dialog that opens over another, and closes both. */
async function expectAccessibleOver(
  page: Page,
  lower: string,
  ...[component, button]: readonly [component: string, button: string | RegExp]
): Promise<void> {
  await page.getByRole("button", { name: lower }).first().click();
  const opener = page.getByRole("dialog").getByRole("button", { name: button }).first();
  await opener.click();
  await expectAccessibleOpenDialog(page, component, opener);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** Whom somebody wants to invite who was invited already. */
async function expectAccessibleSecondInvitation(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Invite Counters" }).first().click();
  await page.getByLabel("Counter Name").fill(nils.name);
  await page.getByLabel("Email", { exact: true }).fill(nils.email);
  await expect(page.getByRole("button", { name: `Revoke ${nils.name}` })).toBeVisible();
  await expectAccessibleDialog(page, "InviteAgainDialog", "Send Invitation");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test("the dialogs about stores, places, people and packs", async ({ openPage, scenery }) => {
  const page = await openPage(still);
  await new Admin(page).signsIn();
  expect(scenery.running.areas).not.toEqual([]);
  await page.goto("/admin/stores");
  await expectAccessibleDialog(page, "EditStoreDialog", `EDIT ${harbour}`);
  await expectAccessibleDialog(page, "DeleteStoreDialog", `DELETE ${harbour}`);
  await page.goto("/admin/users");
  await expectAccessibleDialog(page, "EditCounterDialog", `Edit ${permanentCounter.username}`);
  await expectAccessibleDialog(page, "DeactivateCounterDialog", `Deactivate ${permanentCounter.username}`);
  await expectAccessibleDialog(page, "DeleteCounterDialog", `Delete ${permanentCounter.username}`);
  await page.goto("/admin/packs");
  await expectAccessibleDialog(page, "RemovalDialog", new RegExp(`${pack}$`));
  await page.goto("/admin/locations");
  await expectAccessibleDialog(page, "EditDialog", "EDIT Sales Floor");
  await expectAccessibleDialog(page, "BulkAreasDialog", "ADD AREAS Sales Floor");
  await expectAccessibleDialog(page, "DeleteLocationDialog", "DELETE Sales Floor");
  await expectAccessibleDialog(page, "EditDialog", "EDIT A1");
  await expectAccessibleDialog(page, "MergeDialog", "MERGE A1");
  await expectAccessibleDialog(page, "DeleteAreaDialog", "DELETE A1");
  await expectAccessibleDialog(page, "ReopenDialog", "REOPEN A3");
  await expectAccessibleDialog(page, "CopyDialog", `COPY FROM A STORE to ${harbour}`);
  await expectAccessibleDialog(page, "SessionOverDialog", "REOPEN A2");
});

test("the dialogs about sessions and logins", async ({ openPage, scenery }) => {
  const page = await openPage(still);
  await new Admin(page).signsIn();
  expect(scenery.running.areas).not.toEqual([]);
  await page.goto("/admin/sessions");
  await expectAccessibleDialog(page, "StartDialog", "Start Session");
  await expectAccessibleDialog(page, "InvitationDialog", "Invite Counters");
  await expectAccessibleOver(page, "Invite Counters", "RevokeDialog", `Revoke ${nils.name}`);
  await expectAccessibleSecondInvitation(page);
  await expectAccessibleList(page);
  await expectAccessibleDialog(page, "EditDescriptionDialog", "Name and Note of");
  await expectAccessibleDialog(page, "PlanDialog", "Plan a Session");
  await expectAccessibleDialog(page, "Inbox", /^Notices/);
  await expectAccessibleDialog(page, "EndSessionDialog", "End Session");
  await expectAccessibleDialog(page, "LiveDetailsDialog", "Areas and Devices");
  await expectAccessibleDialog(page, "CountAgainDialog", "Count A3 Again");
  await expectAccessibleDialog(page, "EarlierCountsDialog", "Previous counts");
  await expectAccessibleOver(page, "Previous counts", "RestoreDialog", /^Restore: .*A2/);
  await expectAccessibleQueue(page);
  await page.goto("/admin/settings");
  await expectAccessibleDialog(page, "EndOthersDialog", "End All Others");
  await expectAccessibleDialog(page, "EndLoginDialog", /^End (?!All)/);
});

/** Opens every part of the report that a phone folds away. */
async function unfoldReport(page: Page): Promise<void> {
  const folded = page.locator("main h2 button[aria-expanded=false]");
  while ((await folded.count()) > 0) await folded.first().click();
  await expect(folded).toHaveCount(0);
}

test("the report and its dialogs", async ({ openPage, scenery }) => {
  const page = await openPage(still);
  await new Admin(page).signsIn();
  await page.goto(`/admin/reports?session=${scenery.ended.sessionId}`);
  await expect(page.getByRole("heading", { name: "Variance Report" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Scans That Need a Decision" })).toBeVisible();
  await expectAccessible(page, "report");
  await unfoldReport(page);
  await expectAccessible(page, "report, unfolded", twoAppearances);
  const row = page.locator("button[data-sku]").first();
  await row.press("Enter");
  await expect(page.getByRole("dialog").getByRole("heading", { name: "What a deploy does" })).toBeVisible();
  await expectAccessibleOpenDialog(page, "RowDrawer", row);
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

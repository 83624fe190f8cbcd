import type { Page } from "@playwright/test";
import { chooseProof, createInvitation } from "@stocktake/contract";
import { Admin } from "../people/admin.ts";
import { startCount } from "../running-count.ts";
import { expect, test as stageTest } from "../stage.ts";
import { adminPassword, openStage } from "../staging.ts";
import {
  expectAccessible,
  expectAccessibleDialog,
  expectAccessibleInside,
  expectAccessibleOpenDialog,
  still,
  twoAppearances,
} from "./axe.ts";

/** Without PUBLIC_URL, so that it may be opened by a name: passkeys are for names. And so without a mail server. */
const openNamedStage = (currency?: string) => openStage(currency, () => ({}));

const test = stageTest.extend({
  stage: [
    async ({ stages, stageName, currency }, use) =>
      use(await stages.stageFor(stageName, currency, openNamedStage)),
    { scope: "test", timeout: 120_000 },
  ],
});

// A proof that is too old is refused with 403, and that is what the page asks about.
test.use({ stageName: "second factor", provokedRefusals: [403] });

const desk = { width: 1440, height: 900 };

/** A passkey of the browser's own, as a phone or a laptop has it. */
async function bringPasskey(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasUserVerification: true, isUserVerified: true },
      automaticPresenceSimulation: true,
    },
  });
}

/** The next choice is refused as it is when the last proof is ten minutes old, for which nobody waits here. */
async function letProofGrowOld(page: Page): Promise<void> {
  const body = { error: "Confirm that it is you.", code: "REAUTHENTICATION_REQUIRED" };
  const isChoice = ({ method }: { method: string }) => method === chooseProof.method;
  await page.route(
    `**${chooseProof.path}`,
    async (route) =>
      isChoice({ method: route.request().method() })
        ? route.fulfill({ status: 403, json: body })
        : route.fallback(),
    { times: 1 },
  );
}

test("an invitation whose mail no server takes is shown as it would have been sent", async ({
  openPage,
  stage,
}) => {
  const areas = [{ code: "A1", name: "Tables" }];
  const { admin, sessionId, storeId } = await startCount(stage, {
    ...{ store: "Linden Quay Harbour Street", location: "Sales Floor", areas },
  });
  const person = { email: "edda@linden-quay.example", counterName: "Edda" };
  await admin.call(createInvitation, { body: { sessionId, storeId, ...person } });
  const page = await openPage(still);
  await new Admin(page).signsIn();
  await page.goto("/admin/sessions");
  await page.getByRole("button", { name: "Invite Counters" }).click();
  await expectAccessibleDialog(page, "MailDialog", "Open Email for Edda");
});

test("a passkey is added, signs in, proves before a change and is removed", async ({ openPage, stage }) => {
  const page = await openPage({
    ...still,
    baseURL: stage.product.url.replace("127.0.0.1", "localhost"),
  });
  await bringPasskey(page);
  const admin = new Admin(page);
  await admin.signsInByForm();
  await page.goto("/admin/settings");
  const panel = page.getByRole("region", { name: "Second Factor" });
  await expect(panel.getByText("The password alone signs in.")).toBeVisible();

  const add = (what: string) => panel.getByRole("button", { name: `Add ${what}` });
  await add("Authenticator App").click();
  await expect(page.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
  await expectAccessibleOpenDialog(page, "AddAuthenticatorDialog", add("Authenticator App"));

  await add("Passkey").click();
  await admin.dialog.getByLabel("Name").fill("This laptop");
  await admin.dialog.getByRole("button", { name: "Add Passkey" }).click();
  await expect(page.getByRole("dialog", { name: "Your recovery codes" })).toBeVisible();
  await expectAccessibleInside(page, "RecoveryCodesDialog");
  // They are shown this once, so that no stray key may close them.
  await page.keyboard.press("Escape");
  await admin.dialog.getByRole("button", { name: "I Have Kept Them" }).click();
  await expect(admin.dialog).toHaveCount(0);
  await expect(add("Passkey")).toBeFocused();
  await expect(panel.getByText("This laptop", { exact: true })).toBeVisible();
  await add("Passkey").click();
  await expectAccessibleOpenDialog(page, "AddPasskeyDialog", add("Passkey"));
  await expectAccessibleDialog(page, "RenewConfirmation", "New Codes for Recovery");
  await expectAccessible(page, "settings with a second factor", twoAppearances);

  await page.setViewportSize(desk);
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByLabel("Password", { exact: true }).fill(adminPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: "Second Factor", level: 1 })).toBeVisible();
  await expectAccessible(page, "the second factor at the login", twoAppearances);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();

  await page.setViewportSize(desk);
  await letProofGrowOld(page);
  await panel.getByLabel(/^Before a deploy or rollback/).selectOption("Always");
  await expect(page.getByRole("dialog", { name: "Confirm that it is you" })).toBeVisible();
  await expectAccessibleInside(page, "ProofDialog");
  await admin.dialog.getByLabel("Password", { exact: true }).fill(adminPassword);
  await page.keyboard.press("Enter");
  await expect(admin.dialog).toHaveCount(0);
  await expect(panel.getByLabel(/^Before a deploy or rollback/)).toHaveValue("always");
  await panel.getByRole("button", { name: "Remove This laptop" }).click();
  await expectAccessibleInside(page, "RemoveConfirmation");
  await admin.dialog.getByRole("button", { name: "Remove" }).click();
  await expect(panel.getByText("The password alone signs in.")).toBeVisible();
});

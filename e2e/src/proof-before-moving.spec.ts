import { beginAuthenticator, confirmAuthenticator, endSession } from "@stocktake/contract";
import { Secret, TOTP } from "otpauth";
import { createDatabase } from "../../apps/server/src/database/pool.ts";
import { openForCommand } from "../../apps/server/src/embedded-postgres/embedded.ts";
import { expectAccessible, still, twoAppearances } from "./accessibility/axe.ts";
import { Admin } from "./people/admin.ts";
import { ReportReader } from "./people/report-reader.ts";
import { countOverApi, invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import { adminPassword, type Stage } from "./staging.ts";
import { adjustmentsSince, findArticle, newestMovement } from "./stock.ts";

// A proof that is too old is refused with 403, a wrong one with 400.
test.use({ stageName: "proof before moving", provokedRefusals: [400, 403] });

const store = "Linden Quay Harbour Street";

/** Of what counted one unit too many, and nothing else. */
async function endCount(stage: Stage): Promise<RunningCount & { readonly sku: string }> {
  const areas = [{ code: "A1", name: "Table" }];
  const count = await startCount(stage, { store, location: "Sales Floor", areas, scope: "partial" });
  const { sku } = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const { on_hand: onHand } = await stage.shop.stock({ item: sku, location: store });
  const { link } = await invite(stage, count, { name: "Mara", email: "mara@linden-quay.example" });
  const codes = Array.from({ length: onHand + 1 }, () => sku);
  await countOverApi(stage, count, { link, area: "A1", codes, inputType: "sku", finish: true });
  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });
  return { ...count, sku };
}

/** Eleven minutes pass for every login, for which nobody waits here. */
async function letProofsGrowOld({ product: { dataDir } }: Stage): Promise<void> {
  const { connection, close } = await openForCommand({ databaseUrl: null, dataDir });
  const database = createDatabase(connection, { max: 1 });
  await database.pool.query("update logins set proved_at = now() - interval '11 minutes'");
  await database.close();
  await close();
}

function codeOf(secret: string, timestamp: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** Returns the app's secret. */
async function addAuthenticator({ admin }: RunningCount): Promise<string> {
  const { secret } = await admin.call(beginAuthenticator);
  await admin.call(confirmAuthenticator, { body: { code: codeOf(secret, Date.now()) } });
  return secret;
}

test("a deploy asks again for the password or the app, and until then nothing moves", async ({
  openPage,
  stage,
}) => {
  const count = await endCount(stage);
  const { shop } = stage;
  const page = await openPage(still);
  const admin = new Admin(page);
  const report = new ReportReader(page);
  await admin.signsIn();
  await admin.opensDashboard();
  await admin.opens("Sessions");
  await report.opensNewest(store);
  const secret = await addAuthenticator(count);
  const question = page.getByRole("dialog", { name: "Confirm that it is you" });
  const before = await newestMovement(shop, store);

  await test.step("the password, before the deploy", async () => {
    await letProofsGrowOld(stage);
    await page.getByRole("button", { name: "Deploy to Shopify" }).click();
    await admin.dialog.getByRole("button", { name: "Deploy to Shopify" }).click();
    await expect(question).toBeVisible();
    await expectAccessible(page, "the proof before a deploy", twoAppearances);
    await question.getByLabel("Password").fill("not the password");
    await question.getByRole("button", { name: "Confirm" }).click();
    await expect(question.getByRole("alert")).toBeVisible();
    expect(await adjustmentsSince(shop, store, before)).toEqual({});
    await question.getByLabel("Password").fill(adminPassword);
    await question.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByText("1 inventory adjustment was deployed to Shopify.")).toBeVisible();
    expect(await adjustmentsSince(shop, store, before)).toEqual({ [count.sku]: 1 });
  });

  await test.step("not again within ten minutes", async () => {
    // As narrow as a phone since the look at the question: there the history is folded.
    await page.getByRole("button", { name: "Adjustment History 1" }).click();
    await page
      .getByRole("table", { name: "Adjustment History" })
      .getByRole("button", { name: "Rollback" })
      .click();
    // It came beneath the pointer, where a second press at once is taken for a double click's: a key is meant. Pressing one waits for nothing.
    const rollback = admin.dialog.getByRole("button", { name: "Rollback" });
    await expect(rollback).toBeEnabled();
    await rollback.press("Enter");
    await expect(page.getByText("1 inventory adjustment was rolled back.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Deploy to Shopify" })).toBeEnabled();
  });

  await test.step("the app's code, when they have passed", async () => {
    await letProofsGrowOld(stage);
    await page.getByRole("button", { name: "Deploy to Shopify" }).click();
    await admin.dialog.getByRole("button", { name: "Deploy to Shopify" }).click();
    await question.getByLabel("Confirm with").selectOption("Code of the authenticator app");
    // Of the step after: each code is right once, and a slow machine may be at the next step when it is read.
    await question.getByLabel("Code of the authenticator app").fill(codeOf(secret, Date.now() + 30_000));
    await question.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByText("1 inventory adjustment was deployed to Shopify.")).toBeVisible();
    expect(await adjustmentsSince(shop, store, before)).toEqual({ [count.sku]: 1 });
  });
});

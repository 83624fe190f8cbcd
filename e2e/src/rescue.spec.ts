import { endSession, revokeInvitation, sessionExceptions, startSession } from "@stocktake/contract";
import { join, offlineStore, scansOf, test } from "./offline-count.ts";
import { Admin } from "./people/admin.ts";
import { Counter, phone } from "./people/counter.ts";
import { invite } from "./running-count.ts";
import { expect } from "./stage.ts";
import { adminPassword } from "./staging.ts";

const { store, location } = offlineStore;

test.use({
  stageName: "rescue",
  installsApp: true,
  plan: {
    areas: [
      { code: "R1", name: "Rack" },
      { code: "R2", name: "Rail" },
    ],
  },
});

test("S21, S29: what a phone without a network saved as a file is counted once, loaded twice and sent after all", async ({
  openPage,
  stage,
  count,
  pile,
}, testInfo) => {
  const counter = new Counter(await openPage(phone));
  await join(counter, stage, count, "Wanda");
  await counter.startsArea({ store, location, area: "R1" });
  await counter.goesOffline();
  await counter.scans([...pile, ...pile].map(({ barcode }) => barcode));
  await counter.undoesLast();
  await counter.page.getByRole("button", { name: "Exit Area" }).click();
  const saving = counter.page.waitForEvent("download");
  await counter.page.getByRole("button", { name: "Save Queue as File" }).click();
  const file = testInfo.outputPath("queue.json");
  await (await saving).saveAs(file);

  const admin = new Admin(await openPage());
  await admin.signsIn();
  await admin.opensDashboard();
  await admin.opens("Sessions");
  for (const known of ["0", "6"]) {
    await admin.page.getByLabel("Choose File").setInputFiles(file);
    await expect(admin.dialog.getByText("6 scans, 1 undone")).toBeVisible();
    await admin.dialog.getByRole("button", { name: "Import Scans" }).click();
    const row = admin.dialog.getByRole("row", { name: "Of these, already on the server" });
    await expect(row.getByRole("cell").last()).toHaveText(known);
    await admin.dialog.getByRole("button", { name: "Close" }).last().click();
  }
  const skus = [...pile, ...pile].slice(0, 5).map(({ sku }) => sku);
  expect((await scansOf(count, "R1")).map(({ sku }) => sku)).toEqual(skus);

  await counter.page.context().setOffline(false);
  await expect(counter.page.getByText("Waiting on this device")).toBeHidden();
  const scans = await scansOf(count, "R1");
  expect(scans.map(({ sku }) => sku)).toEqual(skus);
  expect(new Set(scans.map(({ username }) => username))).toEqual(new Set(["Wanda"]));
});

test.describe("a phone comes back when its session is over and its invitation revoked", () => {
  test.use({ provokedRefusals: [401, 404] });

  test("S17, S18: the login says what sends its scans, another session's login does not, and the administrator's does", async ({
    openPage,
    stage,
    count,
    pile,
  }) => {
    const page = await openPage({ ...phone, viewport: { width: 360, height: 740 } });
    const counter = new Counter(page);
    const { link, invitationId } = await invite(stage, count, {
      name: "Zora",
      email: "zora@linden-quay.example",
    });
    await counter.joins(link, "Zora");
    await counter.syncsProducts(store, (await stage.shop.snapshot()).variants.length);
    await counter.startsArea({ store, location, area: "R2" });
    await counter.goesOffline();
    await counter.scans(pile.map(({ barcode }) => barcode));
    await count.admin.call(revokeInvitation, { params: { id: invitationId } });
    await count.admin.call(endSession, { body: { sessionId: count.sessionId } });
    const next = await count.admin.call(startSession, { body: { storeId: count.storeId, scope: "full" } });
    if (!("session" in next)) throw new Error("Starting the session took longer than a call.");

    await page.context().setOffline(false);
    await expect(page).toHaveURL("/login");
    await expect(page.getByText("Your invitation was revoked")).toBeVisible();
    await expect(page.getByText("Once that session has ended, let the administrator sign in")).toBeVisible();

    const another = { ...count, sessionId: next.session._id };
    const person = { name: "Zora", email: "zora.again@linden-quay.example" };
    await page.goto((await invite(stage, another, person)).link);
    await page.getByRole("button", { name: "Start Counting" }).click();
    await expect(page.getByText("3 entries are of a counting session that you can't send to")).toBeVisible();
    await expect(page.getByRole("button", { name: "Save Queue as File" })).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);

    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
    await page.getByLabel("Password").fill(adminPassword);
    await page.getByRole("button", { name: "Sign In" }).click();
    const late = async () => {
      const params = { id: count.sessionId };
      const { scans } = await count.admin.call(sessionExceptions, { params });
      return scans.map(({ input }) => input).sort();
    };
    await expect.poll(late).toEqual(pile.map(({ barcode }) => barcode).sort());
  });
});

import { join, offlineStore, scansOf, test } from "./offline-count.ts";
import { Admin } from "./people/admin.ts";
import { Counter, phone } from "./people/counter.ts";
import { expect } from "./stage.ts";

const { store, location } = offlineStore;

test.use({ stageName: "rescue", installsApp: true, plan: { areas: [{ code: "R1", name: "Rack" }] } });

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

import { expectAccessible, still, twoAppearances } from "./accessibility/axe.ts";
import { isInTheOpen, smallScreens } from "./hands.ts";
import { Admin } from "./people/admin.ts";
import { Counter } from "./people/counter.ts";
import { countOverApi, invite, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import { findArticle } from "./stock.ts";

const store = "Linden Quay Old Mill";
const reason = "The top shelf was left out. Please begin at the door and take the boxes on the floor too.";

test.use({ stageName: "recounts" });

test("a recount takes two clicks from the session's card, and phones are told by themselves", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2"].map((code) => ({ code, name: `Shelf ${code}` }));
  const running = await startCount(stage, { store, location: "Ground Floor", areas });
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const first = await invite(stage, running, { name: "Edda", email: "edda@linden-quay.example" });
  await countOverApi(stage, running, { link: first.link, area: "A1", codes: [tee.barcode], finish: true });
  const counter = new Counter(await openPage({ ...still, viewport: smallScreens[0] }));
  const { link } = await invite(stage, running, { name: "Mila", email: "mila@linden-quay.example" });
  await counter.joins(link, "Mila");
  await counter.startsArea({ store, location: "Ground Floor", area: "A2" });
  await counter.scans([tee.barcode]);

  const admin = new Admin(await openPage(still));
  await admin.signsIn();
  await admin.page.goto("/admin/sessions");
  await admin.page.getByRole("button", { name: "Count A1 Again" }).click();
  const dialog = admin.page.getByRole("dialog", { name: "Count A1 Again" });
  await expect(dialog.getByLabel("Reason (Optional)")).toBeFocused();
  await dialog.getByLabel("Reason (Optional)").fill(reason);
  await expectAccessible(admin.page, "CountAgainDialog", twoAppearances);
  await dialog.getByRole("button", { name: "Count Again" }).click();
  await expect(counter.banner).toContainText("Area A1 - Shelf A1 is to be counted again");
  await expect(counter.banner).toContainText("The top shelf was left out.");
  await expect(counter.itemsScanned).toHaveText("1");
  expect(await isInTheOpen(counter.itemsScanned)).toBe(true);
  await expect(admin.page.getByText("Recount requested", { exact: true })).toBeVisible();

  await counter.page.getByRole("button", { name: "Exit Area" }).click();
  await expect(counter.page.getByText("Area A1 - Shelf A1 is to be counted again")).toBeVisible();
  await expectAccessible(counter.page, "dashboard with a recount", twoAppearances);
  await counter.page.getByRole("button", { name: "Count This Area" }).click();
  await expect(counter.banner).toContainText("READY TO SCAN");
  await counter.scans([tee.barcode]);
  await counter.finishesArea(1, "A1");
  await expect(counter.page.getByText("is to be counted again")).toHaveCount(0);
  await expect(counter.page.getByText("Recount requested")).toHaveCount(0);
  await expect(admin.page.getByText("Recount requested")).toHaveCount(0);
});

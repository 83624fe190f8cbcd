import { expectAccessible, still, twoAppearances } from "./accessibility/axe.ts";
import { smallScreens } from "./hands.ts";
import { Admin } from "./people/admin.ts";
import { Counter } from "./people/counter.ts";
import { invite, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import { findArticle } from "./stock.ts";

const store = "Linden Quay Harbour Street";
const place = { store, location: "Sales Floor", area: "T1" };

test.use({ stageName: "own-totals" });

test("two who count one area each declare their own total, and the sum finishes it", async ({
  openPage,
  stage,
}) => {
  const areas = [{ code: "T1", name: "Shirts" }];
  const running = await startCount(stage, { store, location: "Sales Floor", areas });
  const { barcode } = findArticle(await stage.shop.snapshot(), "Quay Oxford Shirt Sky", "S");
  const arrives = async (name: string) => {
    const counter = new Counter(await openPage({ ...still, viewport: smallScreens[0] }));
    const { link } = await invite(stage, running, {
      name,
      email: `${name.toLowerCase()}@linden-quay.example`,
    });
    await counter.joins(link, name);
    return counter;
  };
  const ada = await arrives("Ada");
  await ada.startsArea(place);
  await ada.scans([barcode, barcode]);
  await ada.hasPending(0);
  const tom = await arrives("Tom");
  const { page } = tom;
  await page.getByRole("radio", { name: "T1" }).check();
  await page.getByRole("button", { name: "Start Counting Area" }).click();
  await tom.dialog.getByRole("button", { name: "Continue Counting" }).click();
  await expect(tom.banner).toContainText("READY TO SCAN");
  await tom.scans([barcode]);
  await tom.hasPending(0);

  await page.getByRole("button", { name: "Finish Area" }).click();
  await page.getByRole("radio", { name: "My own count" }).check();
  await expect(tom.dialog).toContainText("Then the sum is compared.");
  await expectAccessible(page, "a total of one's own", twoAppearances);
  const total = tom.dialog.getByLabel("How many items do you think you scanned in this area?");
  await total.fill("1");
  // Submit Count came beneath the pointer: pressed at once, it is taken for the second press of a double click.
  await total.press("Enter");
  await expect(tom.banner).toContainText("Your total is kept");
  await expect(tom.banner).toContainText("The area is finished when Ada has given theirs.");

  const admin = new Admin(await openPage(still));
  await admin.signsIn();
  await admin.page.goto("/admin/sessions");
  await admin.page.getByRole("button", { name: /Areas? and Devices/ }).click();
  await expect(admin.page.getByText("Own totals missing: Ada")).toBeVisible();

  await test.step("nothing is chosen beforehand, keys alone suffice, and one's own number for the whole area is asked about", async () => {
    const { keyboard } = ada.page;
    await ada.page.getByRole("button", { name: "Finish Area" }).click();
    await expect(ada.dialog.getByRole("radio", { checked: true })).toHaveCount(0);
    await expect(ada.dialog.getByLabel(/^How many items/)).toBeFocused();
    await expect(ada.dialog.getByRole("radio")).toHaveCount(2);
    await expect(ada.dialog.getByRole("button", { name: "Submit Count" })).toBeInViewport({ ratio: 1 });
    await keyboard.type("2", { delay: 200 });
    await keyboard.press("Enter");
    await expect(ada.dialog.getByRole("alert")).toContainText("Choose first");
    await expect(ada.dialog.getByRole("radio", { name: "My own count" })).toBeFocused();
    await expectAccessible(ada.page, "a total of which nobody has said what it is of", twoAppearances);
    await keyboard.press("ArrowDown");
    await expect(ada.dialog.getByRole("radio", { name: "The whole area" })).toBeChecked();
    await keyboard.press("Enter");
    await expect(ada.dialog).toContainText("That is what you counted. Is it the total of the whole area?");
    const mine = ada.dialog.getByRole("button", { name: "It's my own count" });
    await expect(mine).toBeFocused();
    await expect(ada.dialog.getByRole("button", { name: "Cancel" })).toBeInViewport({ ratio: 1 });
    await expectAccessible(ada.page, "the question what a total is of", twoAppearances);
    await mine.press("Enter");
    await expect(ada.banner).toContainText("Area complete!");
  });
});

import { endSession } from "@stocktake/contract";
import { smallScreens, smallTargetsOf } from "../hands.ts";
import { Admin } from "../people/admin.ts";
import { Counter } from "../people/counter.ts";
import { countOverApi, invite, startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import { findArticle } from "../stock.ts";
import {
  expectAccessible,
  expectAccessibleDialog,
  expectAccessibleInside,
  still,
  twoAppearances,
} from "./axe.ts";

const store = "Linden Quay Old Mill";
const edda = { name: "Edda", email: "edda@linden-quay.example" };

test.use({ stageName: "searches" });

test("what was never counted is looked for by a phone, and what is not there is zeroed without a number", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2"].map((code) => ({ code, name: `Shelf ${code}` }));
  const running = await startCount(stage, { store, location: "Ground Floor", areas });
  const { link } = await invite(stage, running, edda);
  const scarf = findArticle(await stage.shop.snapshot(), "Fog Scarf Oat", "One Size");

  const admin = new Admin(await openPage({ ...still }));
  await admin.signsIn();
  await admin.page.goto("/admin/sessions");
  await admin.page.getByRole("link", { name: "Never Counted" }).click();
  await admin.page.getByLabel("Words in Product, Size or SKU").fill("fog scarf");
  await admin.page.getByRole("button", { name: "Make Lists of All 2 SKUs" }).click();
  await expectAccessibleInside(admin.page, "MakeListsDialog");
  await admin.dialog.getByLabel("Who looks").selectOption({ label: `${edda.name}, ${edda.email}` });
  await admin.dialog.getByLabel("Where to look").selectOption({ label: "A2 – Shelf A2 · Ground Floor" });
  await admin.dialog.getByRole("button", { name: "Make the Lists" }).click();
  await expect(admin.page.getByText("1 search list was made.")).toBeVisible();
  await expectAccessible(admin.page, "never counted", twoAppearances);
  await expectAccessibleDialog(admin.page, "TakeBack", "Take Back list 1");

  const counter = new Counter(await openPage({ viewport: smallScreens[0], isMobile: true, hasTouch: true }));
  await counter.joins(link, edda.name);
  await expect(counter.page.getByText("Please find these 2 products")).toBeVisible();
  await counter.page.getByRole("link", { name: "Open the List" }).click();
  await expect(counter.page.getByText(`SKU ${scarf.sku}`)).toBeVisible();
  expect(await smallTargetsOf(counter.page.getByRole("main"))).toEqual([]);
  await expectAccessible(counter.page, "a search list", twoAppearances);
  await counter.page.getByRole("button", { name: "Found Fog Scarf Oat" }).click();
  await expect(counter.page.getByText("Now scan it in its area.")).toBeVisible();
  await counter.page.getByRole("button", { name: "Not There Fog Scarf Slate" }).click();
  await expect(counter.page.getByText("You looked, and it isn't there.")).toBeVisible();

  await countOverApi(stage, running, { link, area: "A2", codes: [scarf.barcode], finish: true });
  await expect(counter.page.getByText("Scanned. Nothing left to do.")).toBeVisible({ timeout: 45_000 });

  await admin.page.getByRole("button", { name: "See the answers of list 1" }).click();
  await expect(admin.dialog.getByText(/^Edda: looked, not there/)).toBeVisible();
  await expectAccessibleInside(admin.page, "SearchListDialog");
  // Whoever ends a session does it from elsewhere; what was never counted is refused from then on.
  await admin.page.goto("/admin/sessions");
  await running.admin.call(endSession, { body: { sessionId: running.sessionId } });

  await admin.page.goto(`/admin/reports?session=${running.sessionId}&show=not_there`);
  await admin.page.getByRole("button", { name: "Deploy to Shopify" }).click();
  await expect(admin.dialog.getByText(/^1 SKU with \d+ units? on hand/)).toBeVisible();
  await expectAccessibleInside(admin.page, "DeployDialog of what was searched for");
  const zero = admin.dialog.getByLabel("Also set uncounted products to zero");
  await zero.check();
  await admin.dialog.getByRole("button", { name: "Deploy to Shopify" }).click();
  await expectAccessibleInside(admin.page, "ZeroDialog");
  await admin.page.keyboard.press("Escape");
  await zero.uncheck();
  await admin.dialog.getByLabel("Set to zero what was looked for and is not there").check();
  await admin.dialog.getByRole("button", { name: "Deploy to Shopify" }).click();
  await expect(admin.page.getByText("Deployed (Rollback to Re-enable)")).toBeVisible();
  // A phone has it behind "More".
  await admin.page.setViewportSize({ width: 1440, height: 900 });
  await admin.page
    .getByRole("button", { name: /^Rollback$/ })
    .first()
    .click();
  await expectAccessibleInside(admin.page, "RollbackDialog");
});

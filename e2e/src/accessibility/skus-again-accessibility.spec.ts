import { endSession } from "@stocktake/contract";
import { smallScreens } from "../hands.ts";
import { Admin } from "../people/admin.ts";
import { Counter } from "../people/counter.ts";
import { countOverApi, invite, startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import { findArticle } from "../stock.ts";
import { expectAccessible, expectAccessibleInside, still, twoAppearances } from "./axe.ts";

const store = "Linden Quay Old Mill";

test.use({ stageName: "skus-again" });

test("one product is counted a second time from the end's dialog on a phone that lists it, and others after the end in a follow-up", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2"].map((code) => ({ code, name: `Shelf ${code}` }));
  const running = await startCount(stage, { store, location: "Ground Floor", areas });
  const snapshot = await stage.shop.snapshot();
  const tee = findArticle(snapshot, "Tern Tee Chalk", "M");
  const boot = findArticle(snapshot, "Cobble Boot Brick", "41");
  const first = await invite(stage, running, { name: "Edda", email: "edda@linden-quay.example" });
  const codes = Array.from({ length: 90 }, () => tee.barcode);
  await countOverApi(stage, running, { link: first.link, area: "A1", codes, finish: true });
  const { link } = await invite(stage, running, { name: "Mila", email: "mila@linden-quay.example" });

  const admin = new Admin(await openPage(still));
  await admin.signsIn();
  await admin.page.goto("/admin/sessions");
  await admin.page.getByRole("button", { name: "End Session" }).click();
  await expect(admin.dialog.getByRole("checkbox", { name: /Tern Tee Chalk/ })).toBeVisible();
  await expectAccessibleInside(admin.page, "EndSessionDialog with differences to tick");
  await admin.dialog.getByRole("checkbox", { name: /Tern Tee Chalk/ }).check();
  await admin.dialog.getByRole("button", { name: "Count Selected a Second Time" }).click();
  const question = admin.page.getByRole("dialog", { name: "Count 1 SKU a second time?" });
  await expectAccessibleInside(admin.page, "CountTicked");
  // It came beneath the pointer: pressed at once, it is taken for the second press of a double click.
  await question.getByRole("button", { name: "Count a Second Time" }).press("Enter");
  await expect(admin.page.getByText("1 second count was asked for.")).toBeVisible();
  // A page that shows the differences so far is refused them once the session is over.
  await admin.dialog.getByRole("button", { name: "Cancel" }).click();

  const counter = new Counter(await openPage({ ...still, viewport: smallScreens[0] }));
  await counter.joins(link, "Mila");
  await counter.startsArea({ store, location: "Ground Floor", area: "A1" });
  const list = counter.page.getByRole("list", { name: "Count only this product here" });
  await expect(list.getByText(tee.barcode)).toBeVisible();
  await expectAccessible(counter.page, "an area of some products", twoAppearances);
  await counter.scans([tee.barcode, boot.barcode]);
  await expect(counter.page.getByText(/Not on this list:/)).toBeVisible();
  await counter.undoesLast();
  await counter.finishesArea(1, "A1");

  const { sessionId } = running;
  await running.admin.call(endSession, { body: { sessionId } });
  await admin.page.setViewportSize(smallScreens[0]);
  await admin.page.goto(`/admin/reports?session=${sessionId}&row=${encodeURIComponent(tee.sku)}`);
  await admin.page.getByRole("button", { name: "Mark for a Recount" }).click();
  await expectAccessibleInside(admin.page, "RowDrawer with a marked SKU");
  await admin.page.getByRole("link", { name: "Go to the List (1 Marked)" }).click();
  await expect(admin.page.getByRole("checkbox", { name: new RegExp(tee.sku), checked: true })).toBeVisible();
  await expectAccessible(admin.page, "what to count again with a marked SKU", twoAppearances);
  await admin.page.getByRole("button", { name: "Start Session with Selected SKUs" }).click();
  await expectAccessibleInside(admin.page, "StartFollowUp");
  await admin.dialog.getByRole("button", { name: "Start Session" }).click();
  await admin.page.getByRole("link", { name: "Go to Sessions" }).click();
  await expect(admin.page.getByRole("heading", { name: /Follow-up of / })).toBeVisible();
  await admin.page.goto(`/admin/reports?session=${sessionId}`);
  await expect(admin.page.getByText("1 SKU of this count chosen to be counted again")).toBeVisible();
  await expectAccessible(admin.page, "a report with a follow-up", twoAppearances);
});

import type { Page } from "@playwright/test";
import { smallScreens } from "../hands.ts";
import { Admin } from "../people/admin.ts";
import { Counter } from "../people/counter.ts";
import { countOverApi, invite, startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import { findArticle } from "../stock.ts";
import { expectAccessible, expectAccessibleInside, still, twoAppearances } from "./axe.ts";

const store = "Linden Quay Old Mill";
/** A first count that is no other number that a phone is told. */
const firstCount = 53;

test.use({ stageName: "second-counts" });

/** Everything that the server has said to a page, but for its stream of events, which are ids alone. */
function hears(page: Page): () => Promise<string> {
  const heard: Promise<string>[] = [];
  page.on("response", (response) => {
    const isCall = response.url().includes("/api/") && !response.url().endsWith("/api/events");
    if (isCall) heard.push(response.text().catch(() => ""));
  });
  return async () => (await Promise.all(heard)).join("\n");
}

test("an area is counted a second time on a phone that shows no sign of it, and the administrator chooses between the counts", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2"].map((code) => ({ code, name: `Shelf ${code}` }));
  const running = await startCount(stage, { store, location: "Ground Floor", areas });
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const first = await invite(stage, running, { name: "Edda", email: "edda@linden-quay.example" });
  const codes = Array.from({ length: firstCount }, () => tee.barcode);
  await countOverApi(stage, running, { link: first.link, area: "A1", codes, finish: true });
  const counter = new Counter(await openPage({ ...still, viewport: smallScreens[0] }));
  const heard = hears(counter.page);
  const { link } = await invite(stage, running, { name: "Mila", email: "mila@linden-quay.example" });
  await counter.joins(link, "Mila");
  await counter.page.getByRole("radio", { name: store }).check();
  await counter.page.getByRole("radio", { name: "Ground Floor" }).check();
  await expect(counter.page.getByRole("radio", { name: "A1" })).toBeDisabled();

  const admin = new Admin(await openPage(still));
  await admin.signsIn();
  await admin.page.goto("/admin/sessions");
  await admin.page.getByRole("link", { name: "Second Counts" }).click();
  await admin.page.getByRole("button", { name: "Count a second time: A1" }).click();
  await expectAccessibleInside(admin.page, "AskDialog");
  await admin.dialog.getByRole("button", { name: "Count a Second Time" }).click();
  await expect(admin.page.getByText("Second count: Waiting for somebody")).toBeVisible();

  await expect(counter.page.getByRole("radio", { name: "A1" })).toBeEnabled();
  await counter.startsArea({ store, location: "Ground Floor", area: "A1" });
  await counter.scans([tee.barcode, tee.barcode, tee.barcode]);
  await counter.undoesLast();
  await counter.finishesArea(2, "A1");
  const told = await heard();
  expect(told).toContain(tee.barcode);
  expect(
    told.match(new RegExp(`":"?${firstCount}[,"}].{0,40}|second_?counts?\\b|compared`, "gi")),
  ).toBeNull();

  await expect(admin.page.getByText("A third person is asked first")).toBeVisible();
  await expect(
    admin.page.getByRole("cell", { name: new RegExp(`^(First )?${firstCount}$`) }).first(),
  ).toBeVisible();
  await expectAccessible(admin.page, "second counts", twoAppearances);
  await admin.page.getByRole("button", { name: "Cancel the open count of A1" }).click();
  await expectAccessibleInside(admin.page, "CancelDialog of a second count");
  await admin.dialog.getByRole("button", { name: "Cancel the Count" }).click();
  await admin.page.getByRole("button", { name: /^Choose a count/ }).click();
  await expectAccessibleInside(admin.page, "ChooseDialog");
  await admin.dialog.getByRole("radio", { name: "Second count: 2" }).check();
  await admin.dialog.getByLabel("Reason").fill("The others lie in the next shelf");
  await admin.dialog.getByRole("button", { name: "Use This Count" }).click();
  await admin.page.getByText("1 settled difference").click();
  await expect(admin.page.getByText(/The second count is right, chosen by admin/)).toBeVisible();
});

test("a sample of the closed areas is drawn, and declared void", async ({ openPage, stage }) => {
  const areas = ["B1", "B2"].map((code) => ({ code, name: `Shelf ${code}` }));
  const running = await startCount(stage, {
    store: "Linden Quay Harbour Street",
    location: "Ground Floor",
    areas,
  });
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const { link } = await invite(stage, running, { name: "Runa", email: "runa@linden-quay.example" });
  for (const area of ["B1", "B2"]) {
    await countOverApi(stage, running, { link, area, codes: [tee.barcode], finish: true });
  }
  const admin = new Admin(await openPage({ ...still, viewport: smallScreens[0] }));
  await admin.signsIn();
  await admin.page.goto(`/admin/sessions/${running.sessionId}/second-counts`);
  await admin.page.getByRole("button", { name: "Draw a Sample" }).click();
  await expectAccessibleInside(admin.page, "DrawDialog");
  await admin.dialog.getByLabel("Number of Areas").fill("1");
  await admin.dialog.getByRole("button", { name: "Draw a Sample" }).click();
  await expect(admin.page.getByText("0 of 1 counted again.")).toBeVisible();
  await expectAccessible(admin.page, "a control sample", twoAppearances);
  await admin.page.getByRole("button", { name: "Declare Void: control sample 1" }).click();
  await expectAccessibleInside(admin.page, "VoidDialog");
  await admin.dialog.getByLabel("Reason").fill("Nobody is left to count");
  await admin.dialog.getByRole("button", { name: "Declare Void" }).click();
  await expect(admin.page.getByText(/Nobody is left to count/)).toBeVisible();
});

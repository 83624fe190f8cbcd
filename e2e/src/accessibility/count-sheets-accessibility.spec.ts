import { listSheets, sessionProgress } from "@stocktake/contract";
import { pagesIn } from "../pdf-pages.ts";
import { Admin } from "../people/admin.ts";
import { countOverApi, invite, startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import { findArticle } from "../stock.ts";
import { expectAccessible, expectAccessibleDialog, still, twoAppearances } from "./axe.ts";

const store = "Linden Quay Harbour Street";

test.use({ stageName: "count-sheets" });

test("S39: a count sheet is printed, keyed back from the keyboard alone, and counts in the live view", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2"].map((code) => ({ code, name: `Shelf ${code}` }));
  const running = await startCount(stage, { store, location: "Sales Floor", areas });
  const shop = await stage.shop.snapshot();
  const [tee, other] = [findArticle(shop, "Tern Tee Chalk", "M"), findArticle(shop, "Tern Tee Chalk", "S")];
  const { link } = await invite(stage, running, { name: "Edda", email: "edda@linden-quay.example" });
  await countOverApi(stage, running, {
    link,
    area: "A1",
    codes: [tee.barcode, other.barcode],
    finish: false,
  });

  const admin = new Admin(await openPage(still));
  await admin.signsIn();
  const { page } = admin;
  await page.goto("/admin/sessions");
  await page.getByRole("link", { name: "Count Sheets" }).click();
  await page.getByRole("checkbox", { name: "A1" }).check();
  await page.getByRole("checkbox", { name: "A2" }).check();
  await expectAccessible(page, "count sheets to be printed", twoAppearances);
  await page.getByRole("button", { name: "Print Sheets of 2 Areas" }).click();
  const paper = page.getByRole("region", { name: "Sheet 1, Page 1 of 1" });
  await expect(paper.getByText(tee.barcode)).toBeVisible();
  await expectAccessible(page, "count sheets on paper", twoAppearances);
  for (const format of ["A4", "Letter"]) expect(pagesIn(await page.pdf({ format })), format).toBe(2);

  await page.getByRole("link", { name: "Back to Count Sheets" }).click();
  await expect(page.getByLabel("Sheet Number")).toBeFocused();
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Counted by")).toBeFocused();
  await page.keyboard.type("Edda");
  for (const _ of ["to the time", "to the total"]) await page.keyboard.press("Enter");
  await page.keyboard.type("20");
  for (const typed of ["", "12", "5", "NO-SUCH", "1", other.barcode, "2"]) {
    await page.keyboard.type(typed);
    await page.keyboard.press("Enter");
  }
  await expect(page.getByText("Fits no product.")).toBeVisible();
  await expect(page.getByText("20 units on 4 lines")).toBeVisible();
  await page.reload();
  await expect(page.getByText("20 units on 4 lines")).toBeVisible();
  await expectAccessible(page, "a count sheet being keyed", twoAppearances);
  await page.getByLabel("Code 3").focus();
  for (const _ of ["to the button", "pressed"]) await page.keyboard.press("Enter");
  await expect(page.getByText("Sheet 1 was saved: 20 units.")).toBeVisible();

  await expectAccessibleDialog(page, "VoidSheetDialog", "Declare sheet 2 void");
  await page.goto("/admin/sessions");
  await expect(page.getByText("21 scans so far")).toBeVisible();
  await page.getByRole("button", { name: "End Session" }).click();
  await expect(admin.dialog.getByText(/^1 count sheet is still out: 2\./)).toBeVisible();

  const params = { id: running.sessionId };
  const { areas: counted, exceptions } = await running.admin.call(sessionProgress, { params });
  expect(counted.map(({ code, scans }) => [code, scans])).toEqual([
    ["A1", 21],
    ["A2", 0],
  ]);
  expect(exceptions).toEqual({ unresolved: 1, late: 0 });
  await page.goto(`/admin/sessions/${running.sessionId}/sheets/1`);
  await expect(page.getByText(/^This sheet was keyed on .* by admin$/)).toBeVisible();
  await expectAccessible(page, "a count sheet that was keyed", twoAppearances);
  const { sheets } = await running.admin.call(listSheets, { params });
  expect(sheets.map(({ state, countedBy }) => [state, countedBy?.username])).toEqual([
    ["returned", "Edda"],
    ["out", undefined],
  ]);
});

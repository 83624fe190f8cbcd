import { sessionProgress } from "@stocktake/contract";
import { Admin } from "../people/admin.ts";
import { startCount } from "../running-count.ts";
import { expect, test } from "../stage.ts";
import { findArticle } from "../stock.ts";
import { expectAccessible, still, twoAppearances } from "./axe.ts";

const store = "Linden Quay Harbour Street";

test.use({ stageName: "paper" });

test("S38: a file of counts is looked at, stored, and changes nothing when it is loaded again", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2"].map((code) => ({ code, name: `Shelf ${code}` }));
  const running = await startCount(stage, { store, location: "Sales Floor", areas });
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const rows = [`A1,${tee.barcode},12,,2026-01-31 14:05`, `A2,${tee.sku},3,,`, "A9,1,1,,", "A1,NO-SUCH,1,,"];
  const text = ["area,code,quantity,who,when", ...rows].join("\r\n");
  const file = { name: "friday.csv", mimeType: "text/csv", buffer: Buffer.from(text) };

  const admin = new Admin(await openPage(still));
  await admin.signsIn();
  const { page } = admin;
  await page.goto("/admin/sessions");
  await page.getByRole("link", { name: "Counts from Files" }).click();
  await page.getByLabel("Choose a CSV File").setInputFiles(file);
  await expect(page.getByText("Row 4: This store has no area A9.")).toBeVisible();
  await expect(page.getByRole("row", { name: "Will be counted (15 units) 2" })).toBeVisible();
  await expectAccessible(page, "a file of counts that was checked", twoAppearances);
  await page.getByRole("button", { name: "Store 3 Rows, Leave Out 1" }).click();
  await expect(page.getByText("The file was loaded: 15 units counted")).toBeVisible();
  await expectAccessible(page, "a file of counts that was stored", twoAppearances);

  await page.getByLabel("Choose a CSV File").setInputFiles(file);
  await expect(page.getByText("There is nothing new in this file.")).toBeVisible();
  const { exceptions } = await running.admin.call(sessionProgress, { params: { id: running.sessionId } });
  expect(exceptions).toEqual({ unresolved: 1, late: 0 });

  const savedAgain = Buffer.from(text.replace(",12,", ",012,"));
  await page.getByLabel("Choose a CSV File").setInputFiles({ ...file, buffer: savedAgain });
  await expect(page.getByText(/^Looks like a row that is here already/)).toBeVisible();
  await expectAccessible(page, "a file that a spreadsheet has saved again", twoAppearances);
});

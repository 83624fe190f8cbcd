import { endSession, listAudit } from "@stocktake/contract";
import { expectAccessible, still, twoAppearances } from "./accessibility/axe.ts";
import { Admin } from "./people/admin.ts";
import { Auditor } from "./people/auditor.ts";
import { countOverApi, invite, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import { findArticle } from "./stock.ts";

test.use({ stageName: "auditor" });

test("an auditor verifies a count by its file alone, and is told which line was changed", async ({
  browser,
  openPage,
  stage,
}, testInfo) => {
  const areas = [{ code: "A1", name: "Tables" }];
  const count = await startCount(stage, {
    store: "Linden Quay Harbour Street",
    location: "Sales Floor",
    areas,
  });
  const { barcode } = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const { link } = await invite(stage, count, { name: "Edda", email: "edda@linden-quay.example" });
  await countOverApi(stage, count, { link, area: "A1", codes: [barcode, barcode], finish: true });
  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });
  const { entries } = await count.admin.call(listAudit, { query: { sessionId: count.sessionId } });

  const admin = new Admin(await openPage(still));
  await admin.signsIn();
  await admin.page.goto(`/admin/reports?session=${count.sessionId}`);
  const auditor = new Auditor(await browser.newPage());
  const file = await auditor.saves(admin.page, testInfo.outputPath());

  await auditor.chooses(file);
  await expect(auditor.verdict).toHaveText(/^Everything holds: all [\d,]+ lines are as they were written\.$/);
  await auditor.compares(entries[0]?.hash ?? "", /^This is the hash of entry \d+ of /);
  await auditor.compares("0".repeat(64), /^This hash is not in the file's log/);
  await expectAccessible(auditor.page, "the verifier's page", twoAppearances);

  const lines = file.trimEnd().split("\n");
  const at = lines.findIndex((line) => line.includes('"is":"scan"'));
  const forged = (lines[at] ?? "").replace('"quantity":1', '"quantity":2');
  await auditor.chooses(`${lines.with(at, forged).join("\n")}\n`);
  await expect(auditor.faults.first()).toHaveText(new RegExp(`^Line ${at + 1}: This line was changed`));
  await auditor.page.close();
});

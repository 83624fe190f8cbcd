import { endSession } from "@stocktake/contract";
import { Admin } from "./people/admin.ts";
import { countOverApi, invite, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import { findArticle } from "./stock.ts";

test.use({ stageName: "admin" });

const harbour = "Linden Quay Harbour Street";
const oldMill = "Linden Quay Old Mill";
const areas = [{ code: "A1", name: "Tables" }];

test("pictures of the report are drawn 2:3, in its groups and when a count is adjusted [spec:9.7]", async ({
  openPage,
  stage,
}) => {
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const plan = { store: oldMill, location: "Ground Floor", areas, scope: "partial" } as const;
  const count = await startCount(stage, plan);
  const { link } = await invite(stage, count, { name: "Edda", email: "edda@linden-quay.example" });
  await countOverApi(stage, count, { link, area: "A1", codes: [tee.barcode], finish: true });
  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });
  const page = await openPage();
  await new Admin(page).signsIn();
  await page.goto(`/admin/reports?session=${count.sessionId}`);
  const ratioOf = async (picture: ReturnType<typeof page.locator>) => {
    const box = await picture.boundingBox();
    return box === null ? 0 : box.width / box.height;
  };
  const group = page.getByRole("button", { name: /^Open image of/ }).first();
  await expect(group).toBeVisible();
  expect(await ratioOf(group.locator("img"))).toBeCloseTo(2 / 3, 2);
  await page.getByRole("button", { name: /^Adjust Count of/ }).click();
  const product = page.getByRole("dialog").locator("img");
  await expect(product).toBeVisible();
  expect(await ratioOf(product)).toBeCloseTo(2 / 3, 2);
});

test("a session that is being started is followed after a reload, and by another administrator", async ({
  openPage,
  stage,
}) => {
  const [page, otherPage] = [await openPage(), await openPage()];
  const [admin, other] = [new Admin(page), new Admin(otherPage)];
  for (const each of [admin, other]) {
    await each.signsIn();
    await each.opensDashboard();
  }
  await admin.addsStore(harbour);
  await other.opens("Sessions");
  await admin.opens("Sessions");
  await stage.shop.addFaults({
    faults: [{ match: { operation: "VariantsPage" }, effect: { kind: "hang", when: "before" } }],
  });
  const card = page.getByRole("article", { name: harbour });
  await card.getByRole("button", { name: "Start Session" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start Session" }).click();
  await stage.shop.untilHanging();
  const goesOn = "This continues if you leave the page.";
  await expect(otherPage.getByRole("article", { name: harbour })).toContainText(goesOn);
  await page.reload();
  await expect(card).toContainText(goesOn);
  await expect(card.getByRole("button", { name: "Starting Session..." })).toBeDisabled();
  await stage.shop.releaseHanging();
  for (const each of [page, otherPage]) {
    const active = each.getByRole("region", { name: "Active Sessions" });
    await expect(active.getByRole("article", { name: harbour })).toBeVisible();
  }
});

import { expectAccessible, still, twoAppearances } from "./accessibility/axe.ts";
import { isInTheOpen, smallScreens } from "./hands.ts";
import { Admin } from "./people/admin.ts";
import { Counter } from "./people/counter.ts";
import { invite, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import { findArticle } from "./stock.ts";

const store = "Linden Quay Harbour Street";
const packCode = "5012345678900";

test.use({ stageName: "packs" });

test("a pack that the administrator adds counts its units on a phone that is counting already", async ({
  openPage,
  stage,
}) => {
  const running = await startCount(stage, {
    store,
    location: "Sales Floor",
    areas: [{ code: "A1", name: "Socks" }],
  });
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const counter = new Counter(await openPage({ ...still, viewport: smallScreens[0] }));
  const { link } = await invite(stage, running, { name: "Mila", email: "mila@linden-quay.example" });
  await counter.joins(link, "Mila");
  await counter.startsArea({ store, location: "Sales Floor", area: "A1" });

  const admin = new Admin(await openPage(still));
  await admin.signsIn();
  await admin.page.goto("/admin/packs");
  await admin.page.getByLabel("Codes of packs").fill(`${packCode},${tee.sku},12\nBOX,${tee.sku},many`);
  await expect(admin.page.getByText("2: BOX The units must be a whole number")).toBeVisible();
  await expectAccessible(admin.page, "packs with a wrong line", twoAppearances);
  await admin.page.getByLabel("Codes of packs").fill(`${packCode},${tee.sku},12`);
  await admin.page.getByRole("button", { name: "Save 1 Code" }).click();
  await expect(admin.page.getByText("1 added.")).toBeVisible();
  await expect(admin.page.getByText("×12")).toBeVisible();
  await expectAccessible(admin.page, "packs", twoAppearances);

  // Whether the phone has heard of it by then or the server says so, the pack counts twelve.
  await counter.page.clock.fastForward(1_000);
  await counter.pullsTrigger(packCode);
  await expect(counter.itemsScanned).toHaveText("12");
  expect(await isInTheOpen(counter.itemsScanned)).toBe(true);
  await counter.finishesArea(12, "A1");
});

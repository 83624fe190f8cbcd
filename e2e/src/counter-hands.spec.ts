import type { Locator, Page } from "@playwright/test";
import { areaLabelOf } from "@stocktake/contract";
import { isInTheOpen, overhangOf, smallScreens, smallTargetsOf } from "./hands.ts";
import { Counter, phone } from "./people/counter.ts";
import { countOverApi, invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, once, test as stageTest } from "./stage.ts";
import { type Article, findArticle } from "./stock.ts";

const store = "Linden Quay Harbour Street";
const location = "Sales Floor";
const areas = ["H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8"].map((code) => ({
  code,
  name: `Rail ${code}`,
}));

interface HandsFixtures {
  readonly count: RunningCount;
  readonly shirt: Article;
}

const test = stageTest.extend<HandsFixtures>({
  count: once((stage) => startCount(stage, { store, location, areas })),
  shirt: once(async (stage) => findArticle(await stage.shop.snapshot(), "Quay Oxford Shirt Sky", "S")),
});

test.use({ stageName: "hands" });

type Arrival = (name: string) => Promise<Counter>;

/** Invites somebody, who joins on a phone and syncs the products. */
function arrivals(
  stage: Parameters<typeof invite>[0],
  count: RunningCount,
  openPage: (options?: typeof phone) => Promise<Page>,
): Arrival {
  return async (name) => {
    const { link } = await invite(stage, count, { name, email: `${name.toLowerCase()}@linden-quay.example` });
    const counter = new Counter(await openPage(phone));
    await counter.joins(link, name);
    await counter.syncsProducts(store, (await stage.shop.snapshot()).variants.length);
    return counter;
  };
}

function labelOf({ areas: known }: RunningCount, code: string): string {
  const area = known.find((each) => each.code === code);
  if (area === undefined) throw new Error(`No area ${code}.`);
  return areaLabelOf(area._id);
}

const heading = ({ page }: Counter, code: string) =>
  page.getByRole("heading", { name: `Area ${code} - Rail ${code}` });

test("a printed label opens its area: from the dashboard, from another area, and offline", async ({
  stage,
  count,
  shirt,
  openPage,
}) => {
  const counter = await arrivals(stage, count, openPage)("Ada");
  await counter.burstsIn(labelOf(count, "H1"));
  await expect(heading(counter, "H1")).toBeVisible();
  await expect(counter.banner).toContainText("READY TO SCAN");
  await counter.scans([shirt.barcode]);
  await counter.scansLabel(labelOf(count, "H1"));
  await expect(counter.banner).toContainText("You are in this area");
  await counter.hasPending(0);
  await counter.goesOffline();
  await counter.scansLabel(labelOf(count, "H2"));
  await expect(heading(counter, "H2")).toBeVisible();
  await counter.scans([shirt.barcode, shirt.barcode]);
  await counter.scansLabel("AREA0123456789AB");
  await expect(counter.banner).toContainText("This label does not belong to any area of this store");
  await counter.comesBack();
  await counter.scansLabel(labelOf(count, "H1"));
  await counter.dialog.getByRole("button", { name: "Continue Counting" }).click();
  await expect(heading(counter, "H1")).toBeVisible();
  await expect(counter.itemsScanned).toHaveText("1");
  await counter.finishesArea(1, "H1");
  await counter.burstsIn(labelOf(count, "H1"));
  await expect(counter.page.getByRole("alert")).toContainText("Area H1 is completed");
});

test("clumsy hands lose no scan and count none twice", async ({ stage, count, shirt, openPage }) => {
  const counter = await arrivals(stage, count, openPage)("Bo");
  const { page } = counter;
  const place = { store, location, area: "H3" };

  await test.step("a double tap opens the area once: Back leads to the dashboard, Resume Area back", async () => {
    await page.getByRole("radio", { name: location }).check();
    await page.getByRole("radio", { name: place.area }).check();
    await page.getByRole("button", { name: "Start Counting Area" }).dblclick();
    await expect(counter.banner).toContainText("READY TO SCAN");
    await counter.scans([shirt.barcode]);
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Counter Dashboard" })).toBeVisible();
    await page.getByRole("button", { name: "Resume Area" }).click();
    await expect(counter.itemsScanned).toHaveText("1");
  });

  await test.step("a second tab counts on in the same area, and both show it", async () => {
    const second = new Counter(await page.context().newPage());
    await second.page.clock.install();
    await second.page.goto("/counter");
    await second.page.getByRole("button", { name: "Resume Area" }).click();
    await expect(second.itemsScanned).toHaveText("1");
    await second.scans([shirt.barcode]);
    await expect(counter.itemsScanned).toHaveText("2");
    await counter.scans([shirt.barcode]);
    await expect(second.itemsScanned).toHaveText("3");
    await second.page.close();
  });

  await test.step("a reload goes on where it was; a double tap on Submit Count declares once", async () => {
    await page.reload();
    await expect(counter.itemsScanned).toHaveText("3");
    await page.getByRole("button", { name: "Finish Area" }).click();
    await counter.dialog.getByLabel("How many items do you think you scanned in this area?").fill("3");
    await counter.dialog.getByRole("button", { name: "Submit Count" }).dblclick();
    await expect(counter.banner).toContainText("Area complete!");
  });
});

async function middleOf(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("It is not on the page.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test("the second touch of a double tap, on a button that deletes and came beneath the finger, does nothing", async ({
  stage,
  count,
  shirt,
  openPage,
}) => {
  const jo = await invite(stage, count, { name: "Ivo", email: "ivo@linden-quay.example" });
  await countOverApi(stage, count, { link: jo.link, area: "H8", codes: [shirt.barcode], finish: false });
  const counter = await arrivals(stage, count, openPage)("Gil");
  const { page } = counter;
  const start = page.getByRole("button", { name: "Start Counting Area" });
  const reset = counter.dialog.getByRole("button", { name: "Reset Area" });
  const question = page.getByRole("dialog", { name: "Area H8 is in progress" });
  await page.getByRole("radio", { name: location }).check();
  await page.getByRole("radio", { name: "H8" }).check();
  await start.click();
  const there = await middleOf(reset);
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  // At the end of the page the button no longer sticks to the bottom of the screen.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.evaluate((by) => scrollBy(0, by), (await middleOf(start)).y - there.y);
  expect(Math.abs((await middleOf(start)).y - there.y)).toBeLessThan(24);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
  // Each says that it is the first, as touches of many phones do.
  const tap = () => page.mouse.click(there.x, there.y, { clickCount: 1 });
  await tap();
  await expect(question).toBeAttached();
  await page.clock.runFor(150);
  await tap();
  await page.clock.runFor(600);
  await expect(question).toBeVisible();
  expect(Math.abs((await middleOf(reset)).y - there.y)).toBeLessThan(24);
  await tap();
  await page.clock.resume();
  await expect(counter.banner).toContainText("READY TO SCAN");
  await expect(counter.itemsScanned).toHaveText("0");
});

test("a scanner that writes as a keyboard app does is read from front to back", async ({
  stage,
  count,
  shirt,
  openPage,
}) => {
  const counter = await arrivals(stage, count, openPage)("Finn");
  await counter.startsArea({ store, location, area: "H7" });
  await counter.writesAsKeyboardApp(shirt.barcode);
  await expect(counter.banner).toContainText("Quay Oxford Shirt Sky");
  await expect(counter.itemsScanned).toHaveText("1");
});

test("a mismatch says Recount needed on everybody's dashboard until somebody counts again", async ({
  stage,
  count,
  shirt,
  openPage,
}) => {
  const arrive = arrivals(stage, count, openPage);
  const [first, second] = [await arrive("Cleo"), await arrive("Dan")];
  await first.startsArea({ store, location, area: "H4" });
  await first.scans([shirt.barcode]);
  await second.page.getByRole("radio", { name: location }).check();
  await first.declaresWrongly(5, 1);
  await expect(second.page.getByRole("radio", { name: /^H4.*Recount needed/ })).toBeVisible();
  await first.scans([shirt.barcode]);
  await expect(second.page.getByRole("radio", { name: /^H4.*Recount needed/ })).toHaveCount(0);
});

/** Checks what is shown on every small screen. */
async function expectForHands(page: Page, what: string, scope = page.locator("main")): Promise<void> {
  for (const size of smallScreens) {
    await page.setViewportSize(size);
    const named = `${what} at ${size.width} × ${size.height}`;
    await expect.soft(page.getByText("Loading")).toHaveCount(0);
    expect.soft(await smallTargetsOf(scope), `small targets of ${named}`).toEqual([]);
    expect.soft(await overhangOf(page), `overhang of ${named}`).toBe(0);
  }
}

test("on phones and handhelds every target is 48 px, and the count is never hidden", async ({
  stage,
  count,
  shirt,
  openPage,
}) => {
  const jo = await invite(stage, count, { name: "Jo", email: "jo@linden-quay.example" });
  await countOverApi(stage, count, { link: jo.link, area: "H5", codes: [shirt.barcode], finish: false });
  const counter = await arrivals(stage, count, openPage)("Eve");
  const { page } = counter;
  await page.getByRole("radio", { name: location }).check();
  await expect(page.getByRole("radio", { name: "H6" })).toBeVisible();
  await expectForHands(page, "the dashboard");
  await page.getByRole("radio", { name: "H5" }).check();
  await page.getByRole("button", { name: "Start Counting Area" }).click();
  await expect(counter.dialog).toBeVisible();
  await expectForHands(page, "the question about an area in progress", counter.dialog);
  await page.keyboard.press("Escape");
  await counter.startsArea({ store, location, area: "H6" });
  await counter.scans([shirt.barcode]);
  await expectForHands(page, "the scan screen");
  for (const size of smallScreens) {
    await page.setViewportSize(size);
    await page.evaluate(() => scrollTo(0, 0));
    expect.soft(await isInTheOpen(counter.itemsScanned), `count at ${size.height}`).toBe(true);
    expect.soft(await isInTheOpen(page.getByRole("button", { name: "Finish Area" }))).toBe(true);
  }
  for (const button of ["Manual Entry", "Finish Area", "Device Settings"]) {
    await page.getByRole("button", { name: button }).click();
    await expect(counter.dialog).toBeVisible();
    await expectForHands(page, button, counter.dialog);
    await page.keyboard.press("Escape");
    await expect(counter.dialog).toBeHidden();
  }
});

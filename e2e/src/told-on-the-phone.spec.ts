import type { Locator } from "@playwright/test";
import { isInTheOpen, overhangOf, smallScreens } from "./hands.ts";
import { Counter, phone } from "./people/counter.ts";
import { invite, type RunningCount, startCount } from "./running-count.ts";
import { expect, once, test as stageTest } from "./stage.ts";
import { type Article, findArticle } from "./stock.ts";

const store = "Linden Quay Harbour Street";
const location = "Sales Floor";

interface Fixtures {
  readonly count: RunningCount;
  readonly shirt: Article;
}

const test = stageTest.extend<Fixtures>({
  count: once((stage) => {
    const areas = ["T1", "T2", "T3", "T4"].map((code) => ({ code, name: code }));
    return startCount(stage, { store, location, areas });
  }),
  shirt: once(async (stage) => findArticle(await stage.shop.snapshot(), "Quay Oxford Shirt Sky", "S")),
});

test.use({ stageName: "told" });

test("that an area was started again stays in sight beside the count until it is tapped away", async ({
  stage,
  count,
  shirt,
  openPage,
}) => {
  const counter = new Counter(await openPage(phone));
  const { page } = counter;
  const { link } = await invite(stage, count, { name: "Ola", email: "ola@linden-quay.example" });
  await counter.joins(link, "Ola");
  await counter.startsArea({ store, location, area: "T1" });
  await counter.scans([shirt.barcode]);
  await counter.declaresWrongly(5, 1);
  await expect(counter.banner).toContainText("The scans are kept, and the administrator can restore them.");
  for (const size of [...smallScreens, { width: 360, height: 740 }]) {
    await page.setViewportSize(size);
    expect(await isInTheOpen(counter.itemsScanned), `the count at ${size.height}`).toBe(true);
  }
  await counter.scans([shirt.barcode]);
  await counter.scansInVain("5012345678900");
  const mark = page.getByRole("button", { name: "Recount from 0: you declared 5 but scanned 1." });
  for (const size of smallScreens) {
    await page.setViewportSize(size);
    await expect(mark).toBeInViewport({ ratio: 1 });
    expect(await isInTheOpen(counter.itemsScanned), `the count at ${size.width} × ${size.height}`).toBe(true);
  }
  await mark.click();
  await expect(mark).toHaveCount(0);
  await counter.scans([shirt.barcode]);
  await expect(mark).toHaveCount(0);
});

/** Where the buttons over the count are, each by its name. */
const placesOf = (
  { page }: Counter,
  names = ["Manual Entry", "Undo Last", "Exit Area", "×N", "Finish Area"],
) =>
  page.evaluate((wanted) => {
    const places: Record<string, string> = {};
    for (const button of document.querySelectorAll("button")) {
      const { left, top, width, height } = button.getBoundingClientRect();
      const name = button.textContent ?? "";
      if (wanted.includes(name)) places[name] = [left, top, width, height].map(Math.round).join(" ");
    }
    return places;
  }, names);

test("the buttons stand where they stood, whatever the banner says, and hide no count", async ({
  stage,
  count,
  shirt,
  openPage,
}) => {
  const counter = new Counter(await openPage({ ...phone, isMobile: false }));
  const { page } = counter;
  const { link } = await invite(stage, count, { name: "Ina", email: "ina@linden-quay.example" });
  await counter.joins(link, "Ina");
  await counter.startsArea({ store, location, area: "T3" });
  const screens = [...smallScreens, phone.viewport, { width: 1440, height: 900 }];
  const before = new Map<string, Record<string, string>>();
  const staysAs = async (what: string) => {
    for (const size of screens) {
      const named = `${size.width} × ${size.height}`;
      await page.setViewportSize(size);
      await page.evaluate(() => scrollTo(0, 0));
      const places = await placesOf(counter);
      expect(Object.keys(places)).toHaveLength(5);
      expect.soft(places, `${what} at ${named}`).toEqual(before.get(named) ?? places);
      expect.soft(await isInTheOpen(counter.itemsScanned), `the count, ${what} at ${named}`).toBe(true);
      for (const name of ["Finish Area", "Undo Last"]) {
        const button = page.getByRole("button", { name });
        expect.soft(await isInTheOpen(button), `${name}, ${what} at ${named}`).toBe(true);
      }
      if (!before.has(named)) before.set(named, places);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      expect.soft(await placesOf(counter), `${what} at the end of ${named}`).toEqual(before.get(named));
    }
    await page.setViewportSize(phone.viewport);
  };
  await staysAs("ready");
  await counter.scans([shirt.barcode]);
  await staysAs("counted");
  await counter.scansInVain("5012345678900");
  await staysAs("set aside");
  await page.clock.fastForward(300);
  await page.getByRole("button", { name: "Undo Last" }).click();
  await expect(counter.banner).toContainText("Undone");
  await staysAs("undone");
  await counter.scansTwiceTooFast(shirt.barcode);
  await staysAs("ignored");
  await counter.goesOffline();
  await staysAs("offline");
  await counter.scans([shirt.barcode]);
  await staysAs("saved");
  await counter.comesBack();
  await counter.declaresWrongly(9, 3);
  await staysAs("mismatch");
  await counter.scans([shirt.barcode]);
  await staysAs("counted beside what stays in sight");
});

/** A dialog comes with a movement. */
const isIdle = (dialog: Locator) =>
  dialog.evaluate((element) =>
    Promise.all(element.getAnimations({ subtree: true }).map((each) => each.finished)),
  );

test("what is told in a dialog moves none of its buttons, and the pad goes on with its field", async ({
  stage,
  count,
  shirt,
  openPage,
}) => {
  const counter = new Counter(await openPage({ ...phone, viewport: smallScreens[0] }));
  const { page, dialog } = counter;
  const { link } = await invite(stage, count, { name: "Una", email: "una@linden-quay.example" });
  await counter.joins(link, "Una");
  await counter.startsArea({ store, location, area: "T4" });
  await counter.scans([shirt.barcode]);

  await page.getByRole("button", { name: "Finish Area" }).click();
  await expect(dialog.getByRole("button", { name: "Submit Count" })).toBeInViewport({ ratio: 1 });
  await isIdle(dialog);
  const finish = ["Cancel", "Submit Count"];
  const before = await placesOf(counter, finish);
  expect(Object.keys(before)).toEqual(finish);
  await counter.burstsIn(shirt.barcode);
  await expect(dialog.getByText("That scan was not counted.")).toBeVisible();
  expect(await placesOf(counter, finish)).toEqual(before);
  await page.context().setOffline(true);
  await expect(dialog.getByText("This device is offline.")).toBeVisible();
  expect(await placesOf(counter, finish)).toEqual(before);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await counter.comesBack();

  await page.getByRole("button", { name: "Change the quantity" }).click();
  await expect(dialog.getByLabel("Quantity")).toBeFocused();
  await isIdle(dialog);
  const keys = ["1", "OK", "Cancel"];
  const pad = await placesOf(counter, keys);
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Enter how many there are.")).toBeVisible();
  expect(await placesOf(counter, keys)).toEqual(pad);
  await counter.burstsIn("5012345678900");
  const answers = ["Back to the Quantity", "Count as a Scan"];
  await expect(dialog.getByRole("button", { name: "Back to the Quantity" })).toBeFocused();
  const question = await placesOf(counter, answers);
  await counter.burstsIn("5012345678900");
  await expect(dialog.getByText("Its second scan was not counted")).toBeVisible();
  expect(await placesOf(counter, answers)).toEqual(question);
  await dialog.getByRole("button", { name: "Back to the Quantity" }).click();
  await page.keyboard.type("3", { delay: 200 });
  await page.keyboard.press("Enter");
  await expect(counter.itemsScanned).toHaveText("3");
});

test("an invitation's button is in sight on every small phone", async ({ stage, count, openPage }) => {
  const { link } = await invite(stage, count, {
    name: "Bartholomew",
    email: "bartholomew@linden-quay.example",
  });
  const page = await openPage({ ...phone, viewport: smallScreens[0] });
  await page.goto(link);
  for (const size of smallScreens) {
    await page.setViewportSize(size);
    await expect(page.getByRole("button", { name: "Start Counting" })).toBeInViewport({ ratio: 1 });
  }
});

/** What of the words in it is broken within a word, or does not fit into its button. */
const unreadableIn = (part: Locator) =>
  part.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const range = document.createRange();
      for (const word of (node.textContent ?? "").matchAll(/\p{L}+/gu)) {
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (range.getClientRects().length > 1) broken.push(`broken: ${word[0]}`);
      }
    }
    const boxes = [...element.querySelectorAll("button, button *")].filter(
      (part) => getComputedStyle(part).display !== "inline",
    );
    const clipped = boxes.filter(
      ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth > clientWidth || scrollHeight > clientHeight,
    );
    return [...broken, ...clipped.map(({ textContent }) => `clipped: ${textContent}`)];
  });

test("letters up to twice as large push nothing over the rim, and leave banner, buttons and fields readable", async ({
  stage,
  count,
  shirt,
  openPage,
}) => {
  const counter = new Counter(await openPage({ ...phone, viewport: smallScreens[0] }));
  const { page, banner, dialog } = counter;
  const large = (size: string) =>
    page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
  const sizes = ["125%", "150%", "200%"];
  const soft = expect.configure({ soft: true });
  const isReadable = async (button: string, field: string) => {
    await page.getByRole("button", { name: button }).click();
    await isIdle(dialog);
    for (const size of sizes) {
      await large(size);
      soft(await overhangOf(page), `${button} at ${size}`).toBe(0);
      soft(await unreadableIn(dialog), `${button} at ${size}`).toEqual([]);
      await dialog.getByLabel(field).scrollIntoViewIfNeeded();
      soft(await isInTheOpen(dialog.getByLabel(field)), `the field of ${button} at ${size}`).toBe(true);
    }
    await large("");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  };
  const { link } = await invite(stage, count, { name: "Nell", email: "nell@linden-quay.example" });
  await counter.joins(link, "Nell");
  await page.getByRole("radio", { name: "T2" }).check();
  await large("200%");
  expect(await overhangOf(page)).toBe(0);
  await large("");
  await counter.startsArea({ store, location, area: "T2" });
  await counter.scans([shirt.barcode]);
  await expect(banner.locator("img")).toBeVisible();
  for (const size of sizes) {
    await large(size);
    soft(await overhangOf(page), `the banner at ${size}`).toBe(0);
    soft(await unreadableIn(banner), `the banner at ${size}`).toEqual([]);
  }
  await large("");
  await counter.scansInVain("5012345678900");
  await large("200%");
  expect(await overhangOf(page)).toBe(0);
  await large("");
  await isReadable("Manual Entry", "Code");
  await isReadable("Finish Area", "How many items do you think you scanned in this area?");
  await page.clock.fastForward(1_000);
  await counter.scans([shirt.barcode]);
  await isReadable("Change the quantity", "Quantity");
});

import type { Page } from "@playwright/test";
import { endSession, reopenArea, updateSession } from "@stocktake/contract";
import { expectAccessible, still } from "../accessibility/axe.ts";
import { pagesIn } from "../pdf-pages.ts";
import { Admin } from "../people/admin.ts";
import { countOverApi, invite, type RunningCount, startCount } from "../running-count.ts";
import { expect, once, test as stageTest } from "../stage.ts";
import type { Stage } from "../staging.ts";
import { findArticle } from "../stock.ts";

const store = "Linden Quay Harbour Street";
const people = [
  ...["Edda Voss", "Jonas Okoro", "Mara Lindt", "Tom Brandt", "Lena Hofer", "Kasimir Brandt"],
  ...["Ana Ruiz", "Bo Lindqvist", "Cleo Martin", "Dan Whitfield", "Ida Sorensen", "Noor Haddad"],
];
const closed = ["A14", "A15", "A16", "A17"];
const recounted = "A13";
/** A hundred of them are open: twelve in progress, one to be counted again, the rest not begun. */
const areas = Array.from({ length: 104 }, (_, at) => ({ code: `A${at + 1}`, name: `Shelf ${at + 1}` }));
const wallScreen = { width: 1920, height: 1080 };
const turnMs = 10_000;

/** A large store in the middle of its count, with everybody in an area of their own. */
async function countLargeStore(stage: Stage): Promise<RunningCount> {
  const running = await startCount(stage, { store, location: "Sales Floor", areas });
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const codes = [tee.barcode];
  for (const [at, name] of people.entries()) {
    const { link } = await invite(stage, running, { name, email: `counter-${at}@linden-quay.example` });
    const others = at === 0 ? [recounted, ...closed] : [];
    for (const area of others) await countOverApi(stage, running, { link, area, codes, finish: true });
    await countOverApi(stage, running, { link, area: `A${at + 1}`, codes, finish: false });
  }
  const areaId = running.areas.find(({ code }) => code === recounted)?._id ?? "";
  await running.admin.call(reopenArea, { body: { areaId, eraseScans: true } });
  return running;
}

const test = stageTest.extend<{ readonly largeStore: RunningCount }>({
  largeStore: once((stage) => countLargeStore(stage)),
});

test.use({ stageName: "hundred-areas" });

/** What a page of the wall shows whole, and what it cuts. */
function shownOnWall(page: Page): Promise<{ readonly whole: string[]; readonly cut: string[] }> {
  return page.evaluate(() => {
    const shown = { whole: [] as string[], cut: [] as string[] };
    for (const item of document.querySelectorAll("main li")) {
      const box = item.getBoundingClientRect();
      const frame = item.closest("[data-pages]")?.getBoundingClientRect();
      if (frame === undefined || box.right <= frame.left || box.left >= frame.right) continue;
      const isWhole =
        box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1 && box.right <= frame.right + 1;
      shown[isWhole ? "whole" : "cut"].push((item.firstElementChild ?? item).textContent);
    }
    return shown;
  });
}

/** The height of the smallest letters, in hundredths of the screen's width. */
function smallestLetters(page: Page): Promise<number> {
  return page.evaluate(() => {
    const letters = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let smallest = Number.POSITIVE_INFINITY;
    while (letters.nextNode()) {
      const { textContent, parentElement } = letters.currentNode;
      if (parentElement === null || textContent?.trim() === "" || !parentElement.checkVisibility()) continue;
      if (parentElement.getClientRects().length === 0 || parentElement.closest("main") === null) continue;
      smallest = Math.min(smallest, Number.parseFloat(getComputedStyle(parentElement).fontSize));
    }
    return (100 * smallest) / window.innerWidth;
  });
}

test("the screen on the wall shows a hundred areas and twelve people, page by page, and nobody scrolls", async ({
  openPage,
  largeStore,
}) => {
  const page = await openPage({ ...still, viewport: wallScreen });
  await new Admin(page).signsIn();
  await page.clock.install();
  await page.goto(`/admin/wall?session=${largeStore.sessionId}`);
  await expect(page.getByRole("heading", { name: store })).toBeVisible();
  // The turns begin anew once the clock is stopped, however long that took.
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText(/^Areas: page 1 of \d/)).toBeVisible();
  await page.clock.pauseAt(Date.now() + turnMs / 2);
  await page.getByRole("button", { name: "Go On" }).click();

  const seen = new Set<string>();
  const first = await shownOnWall(page);
  // What was begun or is owed is on the first page, what is to be counted again before all else.
  expect(first.whole.slice(0, 13)).toEqual([recounted, ...people.map((_, at) => `A${at + 1}`)]);
  for (let turns = 0; turns < 6; turns++) {
    const { whole, cut } = await shownOnWall(page);
    expect(cut, `cut after ${turns} turns`).toEqual([]);
    for (const text of whole) seen.add(text);
    const overhang = await page.evaluate(() => {
      const { scrollHeight, scrollWidth } = document.documentElement;
      return [scrollWidth - window.innerWidth, scrollHeight - window.innerHeight];
    });
    expect(overhang).toEqual([0, 0]);
    expect(await smallestLetters(page)).toBeGreaterThanOrEqual(1.6);
    await page.clock.runFor(turnMs);
  }
  expect([...seen].sort()).toEqual([...areas.map(({ code }) => code), ...people].sort());

  const shown = () => page.getByText(/^Areas: page/).textContent();
  await page.getByRole("button", { name: "Pause" }).click();
  const kept = await shown();
  await page.clock.runFor(turnMs);
  expect(await shown()).toBe(kept?.replace("Pause", "Go On"));
  await page.getByRole("button", { name: "Go On" }).click();
  await page.clock.runFor(turnMs);
  expect(await shown()).not.toBe(kept);
  await page.clock.resume();
  await expectAccessible(page, "the wall of a large store");
});

test("a printed report of a hundred open areas has its signatures on the first page, on A4 and on Letter", async ({
  openPage,
  largeStore,
}) => {
  const { admin, sessionId } = largeStore;
  const words = { name: "Spring count, everything", note: "Checked before opening. ".repeat(20).trim() };
  await admin.call(updateSession, { params: { id: sessionId }, body: words });
  await admin.call(endSession, { body: { sessionId } });
  const page = await openPage(still);
  await new Admin(page).signsIn();
  await page.goto(`/admin/reports?session=${sessionId}`);
  await expect(page.getByRole("table", { name: "Variance Report" })).toBeVisible();
  await expect(page.getByText(/^100 areas were never closed/)).toBeVisible();
  // Where dialogs are drawn stays behind them, and is no page of its own.
  await page.getByRole("button", { name: "Deploy to Shopify" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  // The cover is the first of what is printed; with all behind it left out, its pages are those of the file.
  const cover = ".print-only:has(> ul)";
  await page.addStyleTag({ content: `@media print { ${cover} ~ * { display: none !important } }` });
  for (const format of ["A4", "Letter"]) expect(pagesIn(await page.pdf({ format })), format).toBe(1);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const signatures = page.locator(cover).getByText("Name, date, signature");
  await expect(signatures).toHaveCount(3);
  await page.emulateMedia({ media: "print" });
  for (const label of await signatures.all()) await expect(label).toBeVisible();
});

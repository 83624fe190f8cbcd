import type { Page } from "@playwright/test";
import { createCounter, endSession, savePacks, updateSession, updateStore } from "@stocktake/contract";
import { still } from "../accessibility/axe.ts";
import { isInTheOpen, overhangOf } from "../hands.ts";
import { Admin } from "../people/admin.ts";
import { Counter } from "../people/counter.ts";
import { countOverApi, invite, type RunningCount, startCount } from "../running-count.ts";
import { expect, once, test as stageTest } from "../stage.ts";
import type { Stage } from "../staging.ts";

const harbour = "Linden Quay Harbour Street";
const oldMill = "Linden Quay Old Mill";
const codes = ["A1", "A2", "A3"];
const barcode = "4006381333931";
const phones = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
] as const;

/** As long as a name may be, and nowhere a space to break it at, as an e-mail address that is given as a name. */
function long(name: string): string {
  return name.padEnd(100, "donaudampfschifffahrt");
}

const names = {
  stores: { [harbour]: long("Harbour"), [oldMill]: long("OldMill") },
  location: long("SalesFloor"),
  product: long("Overcoat"),
  size: long("Size"),
  sku: long("SKU-"),
  person: long("Wilhelmina"),
  permanent: long("Greta"),
  session: long("SpringCount"),
};

async function putProduct({ shop }: Stage): Promise<void> {
  const { locations } = await shop.snapshot();
  const { product: title, size, sku } = names;
  const stock = locations.map(() => ({ available: 5 }));
  const options = [{ name: "Size", value: size }];
  const variant = { title: size, sku, barcode, options, unitCost: "5.00", stock };
  await shop.addProduct({ title, vendor: title, productType: title, variants: [variant] });
}

async function countUnder(stage: Stage, store: keyof typeof names.stores): Promise<RunningCount> {
  const areas = codes.map((code) => ({ code, name: long(`Shelf${code}`) }));
  const count = await startCount(stage, { store, location: names.location, areas, scope: "partial" });
  const { admin, storeId, sessionId } = count;
  await admin.call(updateStore, { params: { id: storeId }, body: { name: names.stores[store] } });
  const words = { name: names.session, note: names.session };
  await admin.call(updateSession, { params: { id: sessionId }, body: words });
  const { link } = await invite(stage, count, { name: names.person, email: `${store.length}@quay.example` });
  const unknown = long("5012345678900");
  await countOverApi(stage, count, { link, area: "A1", codes: [barcode, barcode, unknown], finish: false });
  await countOverApi(stage, count, { link, area: "A2", codes: [barcode], finish: true });
  return count;
}

interface Counts {
  readonly running: RunningCount;
  readonly ended: RunningCount;
}

async function prepare(stage: Stage): Promise<Counts> {
  await putProduct(stage);
  const ended = await countUnder(stage, oldMill);
  await ended.admin.call(endSession, { body: { sessionId: ended.sessionId } });
  await ended.admin.call(createCounter, { body: { username: names.permanent, password: "counting day" } });
  await ended.admin.call(savePacks, {
    body: { packs: [{ code: "5012345678917", sku: names.sku, units: 12 }] },
  });
  return { running: await countUnder(stage, harbour), ended };
}

const test = stageTest.extend<{ readonly counts: Counts }>({
  counts: once((stage) => prepare(stage)),
});

test.use({ stageName: "long-names" });

/** What of a dialog sticks out of it: there it is cut, or scrolled to. */
function wideDialogs(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("[role=dialog], [role=dialog] *")]
      .filter((part) => getComputedStyle(part).overflowX !== "visible" && part.tagName !== "INPUT")
      .filter((part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth)
      .map((part) => `${part.className}: ${part.scrollWidth} of ${part.clientWidth}`),
  );
}

async function expectFitting(page: Page, what: string): Promise<void> {
  await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(0);
  for (const size of phones) {
    await page.setViewportSize(size);
    const soft = expect.configure({ soft: true, timeout: 3_000 });
    const message = `pixels that stick out of ${what} at ${size.width}`;
    await soft.poll(() => overhangOf(page), { message }).toBe(0);
    await soft.poll(() => wideDialogs(page), { message: `dialogs of ${what} at ${size.width}` }).toEqual([]);
  }
}

async function expectFittingDialog(page: Page, button: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: button }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectFitting(page, `the dialog of ${button}`);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

const adminPagesOf = ({ running, ended }: Counts): readonly string[] => [
  "/admin",
  "/admin/stores",
  "/admin/locations",
  `/admin/locations/${running.locationId}/labels`,
  "/admin/sessions",
  "/admin/users",
  "/admin/packs",
  "/admin/settings",
  "/admin/audit",
  ...["code", "exceptions", "second-counts", "searches", "files", "sheets"].map(
    (page) => `/admin/sessions/${running.sessionId}/${page}`,
  ),
  ...["exceptions", "coverage", "second-counts", "count-again"].map(
    (page) => `/admin/sessions/${ended.sessionId}/${page}`,
  ),
];

test("names of a hundred letters without a space push none of the administrator's pages to the side", async ({
  openPage,
  counts,
}) => {
  const page = await openPage({ ...still, viewport: phones[0] });
  await new Admin(page).signsIn();
  for (const path of adminPagesOf(counts)) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectFitting(page, path);
  }
  await page.goto("/admin/sessions");
  for (const button of ["Invite Counters", "Name and Note of", "End Session", "Areas and Devices"]) {
    await expectFittingDialog(page, new RegExp(button));
  }
  await page.goto("/admin/users");
  for (const button of ["Edit", "Deactivate", "Delete"]) {
    await expectFittingDialog(page, `${button} ${names.permanent}`);
  }
  await page.goto("/admin/locations");
  for (const button of ["EDIT", "ADD AREAS", "DELETE"]) {
    await expectFittingDialog(page, `${button} ${names.location}`);
  }
  for (const button of ["MERGE A2", "REOPEN A2", "DELETE A2"]) await expectFittingDialog(page, button);
});

test("names of a hundred letters without a space push no report to the side", async ({
  openPage,
  counts,
}) => {
  const page = await openPage({ ...still, viewport: phones[0] });
  await new Admin(page).signsIn();
  await page.goto(`/admin/reports?session=${counts.ended.sessionId}`);
  await expect(page.getByRole("heading", { name: "Variance Report" })).toBeVisible();
  const folded = page.locator("main h2 button[aria-expanded=false]");
  while ((await folded.count()) > 0) await folded.first().click();
  await expectFitting(page, "the report");
  await page.locator("button[data-sku]").first().press("Enter");
  await expect(page.getByRole("dialog").getByRole("heading", { name: "What a deploy does" })).toBeVisible();
  await expectFitting(page, "the row's drawer");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  for (const button of ["Adjust Count", /^Deploy to Shopify/, /^Resolve to Product/, /^Dismiss/]) {
    await expectFittingDialog(page, button);
  }
});

test("names of a hundred letters without a space leave the counter every button", async ({
  openPage,
  stage,
  counts,
}) => {
  const page = await openPage({ ...still, viewport: phones[0], isMobile: true, hasTouch: true });
  const counter = new Counter(page);
  const { link } = await invite(stage, counts.running, { name: names.person, email: "phone@quay.example" });
  await page.goto(link);
  await expect(page.getByText(`Welcome, ${names.person}!`)).toBeVisible();
  await expectFitting(page, "the invitation");
  await counter.joins(link, names.person);
  await expectFitting(page, "the dashboard");
  const { location, stores } = names;
  for (const name of [stores[harbour], location, "A3"]) await page.getByRole("radio", { name }).check();
  await expectFitting(page, "the dashboard with a chosen area");
  const start = page.getByRole("button", { name: "Start Counting Area" });
  await start.scrollIntoViewIfNeeded();
  expect(await isInTheOpen(start)).toBe(true);
  await start.click();
  await counter.scans([barcode]);
  await expectFitting(page, "the scan screen");
  await expectFittingDialog(page, "Finish Area");
});

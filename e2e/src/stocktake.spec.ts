import { Admin } from "./people/admin.ts";
import { Counter, phone } from "./people/counter.ts";
import { ReportReader } from "./people/report-reader.ts";
import { expect, test } from "./stage.ts";
import type { Stage } from "./staging.ts";
import {
  type Article,
  adjustmentsSince,
  type ExpectedRow,
  expectRow,
  expectSummary,
  findArticle,
  newestMovement,
  signed,
  signedDollars,
} from "./stock.ts";

test.use({ stageName: "stocktake", installsApp: true });

const store = "Linden Quay Harbour Street";
const location = "Sales Floor";
const tables = { area: "A1", name: "Tables" };
const shelves = { area: "A2", name: "Shelves" };
const window = { area: "A3", name: "Window" };
const areaLines = [tables, shelves, window].map(({ area, name }) => `${area},${name}`);
const mara = { name: "Mara Lindt", email: "mara@linden-quay.example" };
const jonas = { name: "Jonas Okoro", email: "jonas@linden-quay.example" };
const unknownCode = "5012345678900";

/** What is counted in this stocktake: a sale in between, an overage, a UPC, an unknown cost. */
interface Goods {
  readonly tee: Article;
  readonly shirt: Article;
  readonly sneaker: Article;
  readonly scarf: Article;
}

async function readGoods({ shop }: Stage): Promise<Goods> {
  const snapshot = await shop.snapshot();
  return {
    tee: findArticle(snapshot, "Tern Tee Chalk", "M"),
    shirt: findArticle(snapshot, "Quay Oxford Shirt Sky", "S"),
    sneaker: findArticle(snapshot, "Tiller Canvas Sneaker Chalk", "40"),
    scarf: findArticle(snapshot, "Fog Scarf Oat", "One Size"),
  };
}

async function onHand({ shop }: Stage, { sku }: Article): Promise<number> {
  return (await shop.stock({ item: sku, location: store })).on_hand;
}

async function prepareStore(admin: Admin): Promise<void> {
  await admin.signsInByForm();
  await admin.addsStore(store);
  await admin.addsLocation(store, location);
  await admin.addsAreas(location, areaLines);
  await admin.startsSession(store);
  await admin.invites(store, [mara, jonas]);
}

/** Mara undoes a mistake, declares a wrong total, counts again, and meets an unknown code. */
async function countTables(counter: Counter, goods: Goods): Promise<void> {
  const pile = [goods.tee, goods.tee, goods.shirt, goods.shirt].map(({ barcode }) => barcode);
  await counter.startsArea({ store, location, area: tables.area });
  await counter.scans(pile.slice(0, 2));
  await counter.scansTwiceTooFast(goods.tee.barcode);
  await counter.undoesLast();
  await counter.scans(pile.slice(2));
  await counter.declaresWrongly(5, 4);
  await counter.scans(pile.slice(0, 3));
  await counter.scansInVain(unknownCode);
  await counter.scans(pile.slice(3));
  await counter.finishesArea(4, tables.area);
}

/** Jonas loses the network in the middle of the shelves and gets it back, and the page is loaded again. */
async function countShelves(counter: Counter, goods: Goods): Promise<void> {
  await counter.startsArea({ store, location, area: shelves.area });
  await counter.scans([goods.tee.barcode, goods.sneaker.barcode, goods.sneaker.barcode]);
  await counter.hasPending(0);
  await counter.goesOffline();
  await counter.scans([goods.sneaker.barcode, goods.sneaker.barcode, goods.sneaker.barcode]);
  await expect(counter.banner).toContainText("Saved locally - will sync later");
  await counter.hasPending(3);
  await counter.comesBack();
  await counter.reloadsCounting(6);
  await counter.scans([goods.scarf.barcode, goods.scarf.barcode]);
  await counter.finishesArea(8, shelves.area);
}

async function expectRowInReport(
  report: ReportReader,
  article: Article,
  row: ExpectedRow,
  areas: string,
): Promise<void> {
  await expect
    .poll(() => report.reads(article.sku))
    .toMatchObject({
      Product: article.size,
      SKU: article.sku,
      "Start ON_HAND": String(row.start),
      "End ON_HAND": String(row.end),
      "Natural Movement": signed(row.end - row.start),
      Counted: String(row.counted),
      Variance: signed(row.variance),
      "Cost Impact": signedDollars(row.impactCents),
      "Areas Found": areas,
    });
}

const reportColumns = 11;

/** A line without the count's history and the audit hash, which the server's own tests check. */
function firstColumns(line: string): string {
  return line.split(",").slice(0, reportColumns).join(",");
}

function csvLine(article: Article, row: ExpectedRow, areas: string): string {
  const money = (inCents: number | null) => (inCents === null ? "" : (inCents / 100).toFixed(2));
  return [
    ...[article.title, article.size, article.sku, row.start, row.end, row.end - row.start],
    ...[row.counted, row.variance, money(article.unitCostCents), money(row.impactCents), areas],
  ].join(",");
}

test("a store is counted by two people at once, and exactly the variance moves stock", async ({
  stage,
  openPage,
  launchOptions,
}) => {
  const { shop, mailbox } = stage;
  const before = await shop.snapshot();
  const goods = await readGoods(stage);
  const start = {
    tee: await onHand(stage, goods.tee),
    shirt: await onHand(stage, goods.shirt),
    sneaker: await onHand(stage, goods.sneaker),
    scarf: await onHand(stage, goods.scarf),
  };
  const admin = new Admin(await openPage());
  const report = new ReportReader(admin.page, launchOptions.downloadsPath);

  await test.step("the administrator prepares the store and invites two counters", () => prepareStore(admin));

  await test.step("both counters come by the link of their mail and count at once", async () => {
    const first = new Counter(await openPage(phone));
    const second = new Counter(await openPage(phone));
    const join = async (counter: Counter, { name, email }: typeof mara) => {
      await counter.joins(await mailbox.linkFor(email), name);
      await counter.syncsProducts(store, before.variants.length);
    };
    await Promise.all([join(first, mara), join(second, jonas)]);
    await Promise.all([
      countTables(first, goods),
      countShelves(second, goods),
      shop.sell({ item: goods.tee.sku, location: store, quantity: 2 }),
    ]);
  });

  await test.step("ending the session says what is open", async () => {
    await admin.endsSession(store, [
      "1 area has not been closed",
      `${location}: ${window.area} – ${window.name} (Not Started)`,
      "1 scan needs a decision: now, while the items are at hand, or later in the report",
      "This finalizes the counts and deactivates its invitations.",
    ]);
  });

  const tee = expectRow(goods.tee, { start: start.tee, sold: 2, counted: 3 });
  const shirt = expectRow(goods.shirt, { start: start.shirt, sold: 0, counted: 2 });
  const sneaker = expectRow(goods.sneaker, { start: start.sneaker, sold: 0, counted: 5 });
  const scarf = expectRow(goods.scarf, { start: start.scarf, sold: 0, counted: 2 });

  await test.step("the report agrees with the arithmetic of what happened", async () => {
    await report.opensNewest(store);
    await expectRowInReport(report, goods.scarf, scarf, shelves.name);
    await expectRowInReport(report, goods.shirt, shirt, tables.name);
    await expectRowInReport(report, goods.tee, tee, `${shelves.name}, ${tables.name}`);
    await expectRowInReport(report, goods.sneaker, sneaker, shelves.name);
  });

  const recounted = expectRow(goods.shirt, { start: start.shirt, sold: 0, counted: 5 });

  await test.step("a count is adjusted by hand, and the summary follows", async () => {
    await report.adjustsCount(goods.shirt.sku, 2, 5, "Three more were hanging in the fitting room");
    await expectRowInReport(report, goods.shirt, recounted, tables.name);
    const summary = expectSummary(
      before,
      0,
      new Map([
        [goods.tee.sku, tee],
        [goods.shirt.sku, recounted],
        [goods.sneaker.sku, sneaker],
        [goods.scarf.sku, scarf],
      ]),
    );
    await expect(report.figure("Total Items")).toHaveText(String(summary.totalItems));
    await expect(report.figure("Shortages")).toHaveText(String(summary.shortages));
    await expect(report.figure("Overages")).toHaveText(String(summary.overages));
    await expect(report.figure("Perfect Matches")).toHaveText(String(summary.matches));
    await expect(report.figure("Total Cost Impact")).toHaveText(signedDollars(summary.impactCents));
  });

  await test.step("the CSV says the same", async () => {
    const csv = await report.exportsCsv();
    const sessionId = new URL(report.page.url()).searchParams.get("session");
    expect(csv.name).toBe(`variance-report-${sessionId}.csv`);
    const lines = csv.text.split("\r\n").map(firstColumns);
    expect(lines).toContain(csvLine(goods.tee, tee, `${shelves.name}; ${tables.name}`));
    expect(lines).toContain(csvLine(goods.shirt, recounted, tables.name));
    expect(lines).toContain(csvLine(goods.sneaker, sneaker, shelves.name));
    expect(lines).toContain(csvLine(goods.scarf, scarf, shelves.name));
  });

  const moved = {
    [goods.tee.sku]: tee.variance,
    [goods.shirt.sku]: recounted.variance,
    [goods.sneaker.sku]: sneaker.variance,
    [goods.scarf.sku]: scarf.variance,
  };

  await test.step("the deploy moves exactly the variance of what was counted", async () => {
    const last = await newestMovement(shop, store);
    await report.deploys(4, [
      "Never counted",
      `1 area was never closed: ${window.area} – ${window.name}.`,
      "4 SKUs will change in Shopify.",
      "1 scan that needs a decision is not in the count.",
    ]);
    expect(await adjustmentsSince(shop, store, last)).toEqual(moved);
    expect(await onHand(stage, goods.tee)).toBe(tee.counted);
  });

  await test.step("a rollback takes the variance back and keeps what was sold since", async () => {
    await shop.sell({ item: goods.tee.sku, location: store, quantity: 1 });
    const last = await newestMovement(shop, store);
    await report.rollsBack(4);
    const reversed = Object.fromEntries(Object.entries(moved).map(([sku, units]) => [sku, -units]));
    expect(await adjustmentsSince(shop, store, last)).toEqual(reversed);
    expect(await onHand(stage, goods.tee)).toBe(tee.end - 1);
    expect(await onHand(stage, goods.shirt)).toBe(start.shirt);
    expect(await onHand(stage, goods.sneaker)).toBe(start.sneaker);
    expect(await onHand(stage, goods.scarf)).toBe(start.scarf);
  });
});

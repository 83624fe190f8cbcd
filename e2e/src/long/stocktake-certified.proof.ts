import type { ShopSnapshot } from "@stocktake/shopify-emulator";
import { Admin } from "../people/admin.ts";
import { Auditor } from "../people/auditor.ts";
import { Counter, phone } from "../people/counter.ts";
import { ReportReader } from "../people/report-reader.ts";
import { Supervisor } from "../people/supervisor.ts";
import { expect, test } from "../stage.ts";
import type { Stage } from "../staging.ts";
import { type Article, adjustmentsSince, findArticle, newestMovement, onHandOf } from "../stock.ts";

test.use({ stageName: "stocktake certified" });

const store = "Linden Quay Harbour Street";
const location = "Sales Floor";
const rail = { area: "A1", name: "Coats" };
const shelves = { area: "A2", name: "Shelves" };
const window = { area: "A3", name: "Window" };
const stockroom = { area: "A4", name: "Stockroom" };
const areaLines = [rail, shelves, window, stockroom].map(({ area, name }) => `${area},${name}`);
const names = ["Mara", "Jonas", "Wanda", "Otto"] as const;
const emailOf = (name: string) => `${name.toLowerCase()}@linden-quay.example`;

interface Goods {
  /** Counted over the tolerance at first. */
  readonly parka: Article;
  readonly shirt: Article;
  /** One of it is sold while its area is counted a second time. */
  readonly sneaker: Article;
  /** Looked for and found. */
  readonly scarf: Article;
  /** Looked for, and not there. */
  readonly lost: Article;
  /** Scanned on a phone that sends it after the end. */
  readonly boot: Article;
}

async function readGoods({ shop }: Stage): Promise<Goods> {
  const snapshot = await shop.snapshot();
  return {
    parka: findArticle(snapshot, "Beacon Parka Moss", "S"),
    shirt: findArticle(snapshot, "Quay Oxford Shirt Sky", "S"),
    sneaker: findArticle(snapshot, "Tiller Canvas Sneaker Chalk", "40"),
    scarf: findArticle(snapshot, "Fog Scarf Oat", "One Size"),
    lost: findArticle(snapshot, "Fog Scarf Slate", "One Size"),
    boot: findArticle(snapshot, "Cobble Boot Brick", "41"),
  };
}

const statement = "1 of 1 areas drawn, 0 differed: with 95% confidence at most 0 of 1 differ.";
const times = ({ barcode }: Article, units: number) => Array.from({ length: units }, () => barcode);

function unitsBefore({ variants }: ShopSnapshot, sku: string): number {
  const variant = variants.find((each) => each.sku === sku);
  if (variant === undefined) throw new Error(`The shop has no ${sku}.`);
  return onHandOf(variant, 0);
}

/** What Shopify has less than nothing of and nobody counts rises to zero where every area was closed. */
function negativeStock({ variants }: ShopSnapshot): Record<string, number> {
  const negative = variants.filter((variant) => onHandOf(variant, 0) < 0);
  return Object.fromEntries(negative.map((variant) => [variant.sku, -onHandOf(variant, 0)]));
}

/** Otto's phone has no network from the moment that he is in the stockroom. */
async function scansUnheard(otto: Counter, { boot }: Goods): Promise<void> {
  await otto.startsArea({ store, location, area: stockroom.area });
  await otto.goesOffline();
  await otto.scans(times(boot, 1));
  await otto.hasPending(1);
}

async function countsArea(counter: Counter, area: string, codes: readonly string[]): Promise<void> {
  // Somebody else was in it just now, and the phone has heard that it is to be counted once more.
  await expect(counter.page.getByRole("radio", { name: new RegExp(`^${area} .*Not Started`) })).toBeVisible();
  await counter.startsArea({ store, location, area });
  await counter.scans(codes);
  await counter.finishesArea(codes.length, area);
}

/** Jonas loses the network among the shelves, and gets it back. */
async function countsShelves(jonas: Counter, { shirt, sneaker }: Goods): Promise<void> {
  await jonas.startsArea({ store, location, area: shelves.area });
  await jonas.scans(times(shirt, 2));
  await jonas.hasPending(0);
  await jonas.goesOffline();
  await jonas.scans(times(sneaker, 3));
  await jonas.hasPending(3);
  await jonas.comesBack();
  await jonas.finishesArea(5, shelves.area);
}

test("a count with a tolerance, a control sample and a search is certified, deployed and audited", async ({
  browser,
  openPage,
  stage,
}, testInfo) => {
  const { shop, mailbox } = stage;
  const before = await shop.snapshot();
  const goods = await readGoods(stage);
  const { parka, shirt, sneaker, scarf, lost, boot } = goods;
  const onHand = ({ sku }: Article) => unitsBefore(before, sku);
  const moves = {
    ...negativeStock(before),
    [parka.sku]: 2 - onHand(parka),
    [shirt.sku]: 2 - onHand(shirt),
    [sneaker.sku]: 2 - (onHand(sneaker) - 1),
    [scarf.sku]: 1 - onHand(scarf),
    [lost.sku]: -onHand(lost),
  };
  const admin = new Admin(await openPage());
  const supervisor = new Supervisor(admin.page);
  const report = new ReportReader(admin.page);

  await test.step("the store gets a tolerance, a session and four people", async () => {
    await admin.signsIn();
    await admin.opensDashboard();
    await admin.addsStore(store);
    await supervisor.setsTolerance(store, 1);
    await admin.addsLocation(store, location);
    await admin.addsAreas(location, areaLines);
    await admin.startsSession(store);
    await admin.invites(
      store,
      names.map((name) => ({ name, email: emailOf(name) })),
    );
  });

  const arrives = async (name: string) => {
    const counter = new Counter(await openPage(phone));
    await counter.joins(await mailbox.linkFor(emailOf(name)), name);
    await counter.syncsProducts(store, before.variants.length);
    return counter;
  };
  const [mara, jonas, wanda, otto] = await test.step("four phones join", () =>
    Promise.all([arrives("Mara"), arrives("Jonas"), arrives("Wanda"), arrives("Otto")]));

  await test.step("they count, partly without a network", () =>
    Promise.all([
      countsArea(mara, rail.area, times(parka, 4)),
      countsShelves(jonas, goods),
      scansUnheard(otto, goods),
    ]));

  await test.step("what is over the tolerance is counted by a second phone, and settled by a third", async () => {
    await supervisor.goesTo("Second Counts");
    await expect(supervisor.secondCountOf(rail.area)).toContainText("Waiting for somebody");
    await expect(mara.page.getByRole("radio", { name: rail.area })).toBeDisabled();
    await countsArea(jonas, rail.area, times(parka, 2));
    await expect(supervisor.secondCountOf(rail.area)).toContainText("Third count");
    await countsArea(wanda, rail.area, times(parka, 2));
    await expect(supervisor.page.getByText("1 settled difference")).toBeVisible();
  });

  await test.step("a control sample is drawn and counted by others, while a unit of it is sold", async () => {
    await supervisor.drawsSample(1);
    await shop.sell({ item: sneaker.sku, location: store, quantity: 1 });
    const found = [...times(shirt, 2), ...times(sneaker, 2)];
    await countsArea(wanda, shelves.area, found);
    await countsArea(mara, shelves.area, found);
    await expect(supervisor.page.getByText("Control Sample 1: Finished")).toBeVisible();
  });

  await test.step("what nobody counted is looked for; one product is found, one is not there", async () => {
    await supervisor.goesTo("Never Counted");
    await supervisor.makesSearchList("fog scarf", 2, `Mara, ${emailOf("Mara")}`);
    await mara.opensSearchList(2);
    await mara.findsOnShelf(scarf.title);
    await mara.looksInVain(lost.title);
    await mara.page.getByRole("link", { name: "Back to the Dashboard" }).click();
    await countsArea(mara, stockroom.area, times(scarf, 1));
    await countsArea(mara, window.area, []);
  });

  await test.step("the session ends, and what is left is accounted for and certified", async () => {
    await admin.opens("Sessions");
    await admin.endsSession(store, []);
    await report.opensNewest(store);
    await report.page.getByRole("link", { name: "Coverage of this session" }).click();
    await supervisor.confirmsEmpty(window.area);
    await supervisor.leavesRestAlone("Only coats, shirts and shoes are counted today");
    await supervisor.issuesCertificate();
    await report.page.getByRole("link", { name: "Back to the Report" }).click();
  });

  await test.step("the report and its first page on paper say how sure the count is, and that nothing was left out", async () => {
    await expect(report.page.getByText(statement)).toBeVisible();
    const leftOut = report.page.getByText(`(${sneaker.sku}) in ${shelves.area}`);
    await expect(leftOut).toBeVisible();
    await expect(report.coverage).toContainText("Certificate version 1");
    expect(await report.printedCover()).toMatch(/Certificate version 1 [0-9a-f]{64}/);
  });

  const deploysExactly = async (expected: Readonly<Record<string, number>>, saying: readonly string[]) => {
    const last = await newestMovement(shop, store);
    await report.deploys(Object.keys(expected).length, saying);
    expect(await adjustmentsSince(shop, store, last)).toEqual(expected);
  };

  await test.step("the deploy moves exactly the variance, and nothing of what was left alone", async () => {
    await deploysExactly(moves, ["Certificate version 1", "No area was left open.", "Looked for, not there"]);
  });

  await test.step("a late scan takes the certificate away, and its decision makes the next version", async () => {
    await otto.page.context().setOffline(false);
    await expect(report.coverage).toContainText("Certificate version 1 no longer holds: 1 thing open");
    await report.rollsBack(Object.keys(moves).length);
    await report.acceptsLateScan(boot.barcode);
    await expect(report.coverage).toContainText("Certificate version 2");
    await report.page.getByRole("link", { name: "Coverage of this session" }).click();
    await expect(supervisor.version(2)).toContainText(
      `1 SKU${boot.sku}: left alone (${onHand(boot)}) to counted (1)`,
    );
    await report.page.getByRole("link", { name: "Back to the Report" }).click();
    await deploysExactly({ ...moves, [boot.sku]: 1 - onHand(boot) }, ["Certificate version 2"]);
  });

  await test.step("an auditor verifies all of it by a file alone", async () => {
    const auditor = new Auditor(await browser.newPage());
    const file = await auditor.saves(report.page, testInfo.outputPath());
    await auditor.chooses(file);
    await expect(auditor.verdict).toHaveText(
      /^Everything holds: all [\d,]+ lines are as they were written\.$/,
    );
    await auditor.page.close();
  });
});

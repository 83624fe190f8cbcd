import type { ReportItem, ReportSummary } from "@stocktake/contract";
import type { EmulatorControl } from "@stocktake/shopify-emulator";

/** A variant as the rehearsal reads it, from the shop itself and not from the product. */
export interface Article {
  readonly itemId: string;
  /** What the product must call it: the SKU, or SKU#number where that is empty or shared. */
  readonly sku: string;
  readonly barcode: string | null;
  readonly unitCostCents: number | null;
  readonly stockedHere: boolean;
  readonly movable: boolean;
}

interface Expectation {
  readonly start: number;
  sold: number;
  counted: number;
  soldBeforeEnd: number;
}

type Snapshot = Awaited<ReturnType<EmulatorControl["snapshot"]>>;
type Variant = Snapshot["variants"][number];

/** Units on hand: everything that is physically in the shop, sold or not. */
function onHandOf(variant: Variant, locationId: string): number {
  const level = variant.levels.find((candidate) => candidate?.locationId === locationId);
  if (level?.isActive !== true) return 0;
  const { available, committed, damaged, quality_control, reserved, safety_stock } = level.quantities;
  return available + committed + damaged + quality_control + reserved + safety_stock;
}

function centsOf(amount: string | null): number | null {
  return amount === null ? null : Math.round(Number(amount) * 100);
}

/** Reads the shop's on hand at a location for every item. */
export async function readOnHand(control: EmulatorControl, locationId: string): Promise<Map<string, number>> {
  const { variants } = await control.snapshot();
  return new Map(variants.map((variant) => [variant.itemId, onHandOf(variant, locationId)]));
}

/** The rehearsal's own arithmetic: what the report and the shop must show, calculated without the product. */
export class Oracle {
  readonly articles: readonly Article[];
  readonly #expected: Map<string, Expectation>;
  #ended = false;

  constructor(snapshot: Snapshot, locationId: string) {
    const perSku = new Map<string, number>();
    for (const { sku } of snapshot.variants)
      perSku.set(sku?.trim() ?? "", (perSku.get(sku?.trim() ?? "") ?? 0) + 1);
    this.articles = snapshot.variants.map((variant) => articleOf(variant, locationId, perSku));
    this.#expected = new Map(
      snapshot.variants.map((variant) => [
        variant.itemId,
        { start: onHandOf(variant, locationId), sold: 0, soldBeforeEnd: 0, counted: 0 },
      ]),
    );
  }

  counted(article: Article, quantity: number): void {
    this.#of(article).counted += quantity;
  }

  sold(article: Article, quantity: number): void {
    const expected = this.#of(article);
    expected.sold += quantity;
    if (!this.#ended) expected.soldBeforeEnd += quantity;
  }

  startOnHand(article: Article): number {
    return this.#of(article).start;
  }

  /** From here on sales no longer belong to the session. */
  sessionEnded(): void {
    this.#ended = true;
  }

  /** Every difference between the report and what it must show, as sentences; there should be none. */
  differencesFrom(items: readonly ReportItem[], summary: ReportSummary): string[] {
    const shown = new Map(items.map((item) => [item.sku, item]));
    const inScope = this.articles.filter((article) => this.#inScope(article));
    const differences = inScope.flatMap((article) => this.#differencesOf(article, shown.get(article.sku)));
    if (shown.size !== inScope.length)
      differences.push(`${shown.size} rows shown, ${inScope.length} in scope`);
    return [...differences, ...this.#summaryDifferences(inScope, summary)];
  }

  /** On hand that the shop must show for every item: after a deploy its variance is in it, after a rollback not. */
  onHandNow(deployed: boolean): Map<string, number> {
    return new Map(
      this.articles.map((article) => {
        const { start, sold } = this.#of(article);
        return [article.itemId, start - sold + (deployed && article.movable ? this.variance(article) : 0)];
      }),
    );
  }

  variance(article: Article): number {
    const { start, soldBeforeEnd, counted } = this.#of(article);
    return counted - (start - soldBeforeEnd);
  }

  #of(article: Article): Expectation {
    const expected = this.#expected.get(article.itemId);
    if (expected === undefined) throw new Error(`${article.sku} is not in the shop.`);
    return expected;
  }

  #inScope(article: Article): boolean {
    const { start, soldBeforeEnd, counted } = this.#of(article);
    return start !== 0 || start - soldBeforeEnd !== 0 || counted !== 0;
  }

  #differencesOf(article: Article, item: ReportItem | undefined): string[] {
    if (item === undefined) return [`${article.sku} is missing in the report`];
    const { start, soldBeforeEnd, counted } = this.#of(article);
    const variance = this.variance(article);
    const cents = article.unitCostCents;
    const wanted: [string, number | null, number | null][] = [
      ["start", start, item.startOnHand],
      ["end", start - soldBeforeEnd, item.endOnHand],
      ["movement", -soldBeforeEnd, item.naturalMovement],
      ["counted", counted, item.counted],
      ["variance", variance, item.variance],
      ["cost", cents === null ? null : (variance * cents) / 100, item.costImpact],
    ];
    return wanted
      .filter(([, expected, actual]) => expected !== actual && !(expected === 0 && actual === 0))
      .map(([name, expected, actual]) => `${article.sku}: ${name} is ${actual}, must be ${expected}`);
  }

  #summaryDifferences(inScope: readonly Article[], summary: ReportSummary): string[] {
    const variances = inScope.map((article) => this.variance(article));
    const cents = inScope.reduce(
      (sum, article) => sum + this.variance(article) * (article.unitCostCents ?? 0),
      0,
    );
    const wanted: [string, number, number | null][] = [
      ["totalItems", inScope.length, summary.totalItems],
      ["shortages", variances.filter((variance) => variance < 0).length, summary.shortages],
      ["overages", variances.filter((variance) => variance > 0).length, summary.overages],
      ["matches", variances.filter((variance) => variance === 0).length, summary.matches],
      ["totalCostImpact", cents / 100, summary.totalCostImpact],
    ];
    return wanted
      .filter(([, expected, actual]) => expected !== actual)
      .map(([name, expected, actual]) => `summary: ${name} is ${actual}, must be ${expected}`);
  }
}

function articleOf(variant: Variant, locationId: string, perSku: ReadonlyMap<string, number>): Article {
  const plain = variant.sku?.trim() ?? "";
  const unique = plain !== "" && perSku.get(plain) === 1;
  const level = variant.levels.find((candidate) => candidate?.locationId === locationId);
  const stockedHere = level?.isActive === true;
  return {
    itemId: variant.itemId,
    sku: unique ? plain : `${plain}#${variant.id.split("/").at(-1)}`,
    barcode: variant.barcode,
    unitCostCents: centsOf(variant.unitCost),
    stockedHere,
    movable: stockedHere && variant.tracked && !variant.requiresComponents,
  };
}

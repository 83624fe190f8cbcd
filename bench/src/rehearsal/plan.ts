import type { Article, Oracle } from "./oracle.ts";
import type { Dice } from "./random.ts";

/** One thing a counter scans. `article` is null for a code that no product has. */
export interface PlannedScan {
  readonly input: string;
  readonly inputType: "barcode" | "sku";
  readonly article: Article | null;
  /** Taken back by an undo right after. */
  readonly undone: boolean;
}

/** What is to be counted in one area. */
export interface AreaPlan {
  readonly code: string;
  readonly scans: readonly PlannedScan[];
  /** Declares one too many first, so that the area has to be counted again. */
  readonly miscounted: boolean;
}

const unknownShare = 0.003;
const undoneShare = 0.01;
const miscountedShare = 0.1;
const extraShare = 0.02;

/** Barcodes that mean one article, however many zeros a scanner puts before them. */
function plainBarcodes(articles: readonly Article[]): Set<string> {
  const seen = new Map<string, number>();
  for (const { barcode } of articles) {
    const key = barcode?.replace(/^0+/, "") ?? "";
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  const skus = new Set(articles.map(({ sku }) => sku));
  return new Set(
    articles.flatMap(({ barcode }) => {
      const unique = barcode !== null && seen.get(barcode.replace(/^0+/, "")) === 1 && !skus.has(barcode);
      return unique ? [barcode] : [];
    }),
  );
}

function scanOf(article: Article, barcodes: ReadonlySet<string>, dice: Dice): PlannedScan {
  const byBarcode = article.barcode !== null && barcodes.has(article.barcode) && !dice.chance(0.1);
  return {
    input: byBarcode ? (article.barcode ?? article.sku) : article.sku,
    inputType: byBarcode ? "barcode" : "sku",
    article,
    undone: dice.chance(undoneShare),
  };
}

/** Every unit that should lie in the store, less what has vanished, plus what nobody expected, in random order. */
function unitsOnTheFloor(oracle: Oracle, scans: number, dice: Dice): Article[] {
  const stocked = oracle.articles.filter(({ stockedHere }) => stockedHere);
  const expected = stocked.flatMap((article) =>
    Array.from({ length: Math.max(0, oracle.startOnHand(article)) }, () => article),
  );
  const found = dice.shuffled(expected).slice(0, Math.round(scans * (1 - extraShare)));
  const extra = Array.from({ length: scans - found.length }, () => dice.pick(stocked));
  return dice.shuffled([...found, ...extra]);
}

/** Deals `scans` scans out over the areas. */
export function planAreas(oracle: Oracle, codes: readonly string[], scans: number, dice: Dice): AreaPlan[] {
  const barcodes = plainBarcodes(oracle.articles);
  const planned = unitsOnTheFloor(oracle, scans, dice).map((article): PlannedScan => {
    if (!dice.chance(unknownShare)) return scanOf(article, barcodes, dice);
    return { input: `NO-SUCH-${dice.below(1e6)}`, inputType: "barcode", article: null, undone: false };
  });
  return codes.map((code, index) => ({
    code,
    scans: planned.filter((_scan, position) => position % codes.length === index),
    miscounted: dice.chance(miscountedShare),
  }));
}

import type { CountAgainReason, CountAgainRow, Tolerance, ToleranceLimits } from "@stocktake/contract";
import { expect } from "vitest";
import { startTestServer } from "../../testing/test-server.ts";
import { CountedShelves } from "./counted-shelves.ts";
import { type MistakeKind, type Mistakes, makeMistakes, mistakeReasons } from "./mistakes.ts";
import { seededNumbers } from "./seeded-count.ts";
import { type ShelvedSku, type Shelves, type ShopSize, seededShelves, unitsIn } from "./shelves.ts";

/** How many rows somebody works off. */
const firstRows = [10, 20, 50, 100] as const;

/** Of the first rows of an order. */
interface Hits {
  readonly rows: number;
  /** How many of them are mistakes. */
  readonly mistakes: number;
  /** The share of what all mistakes of known cost are worth. */
  readonly money: number;
}

/** Of the SKUs that one kind of mistake was made with. */
interface FoundOfKind {
  readonly kind: MistakeKind;
  readonly made: number;
  readonly listed: number;
  /** By the reason that is meant for it, of a swap with the right other one; as many as are listed where none is. */
  readonly byItsReason: number;
}

/** Of the rows that have a reason. */
interface HitsOfReason {
  readonly reason: CountAgainReason["kind"];
  readonly rows: number;
  readonly mistakes: number;
}

interface HitRate {
  readonly rows: number;
  readonly first: readonly Hits[];
  readonly kinds: readonly FoundOfKind[];
  readonly reasons: readonly HitsOfReason[];
}

export interface Measured {
  readonly differing: number;
  readonly mistaken: number;
  /** Every difference, the most money first, as the report has them: what there was before the list. */
  readonly byMoney: readonly Hits[];
  /** What no order could exceed. */
  readonly best: readonly Hits[];
  readonly withoutTolerance: HitRate;
  readonly withTolerance: HitRate;
}

const limits: ToleranceLimits = { units: 2, money: 100, stockPercent: null, moneyPercent: null };
const tolerance: Tolerance = { over: limits, short: limits };

/** Counts a shop with mistakes by the real server, and holds its list against what was done wrong. The same for the same seed. */
export async function measureHitRate(seed: number, size: ShopSize): Promise<Measured> {
  const below = seededNumbers(seed);
  const shelves = seededShelves(size, below, 4);
  const mistakes = makeMistakes(shelves, below);
  const server = await startTestServer({ catalogue: shelves.catalogue });
  try {
    const counted = await CountedShelves.begin(server, shelves);
    await counted.count(shelves, mistakes, below);
    const without = await counted.list();
    await counted.setTolerance(tolerance);
    return compare(shelves, mistakes, { without, held: await counted.list() });
  } finally {
    await server.close();
  }
}

interface Lists {
  readonly without: readonly CountAgainRow[];
  readonly held: readonly CountAgainRow[];
}

function compare({ skus }: Shelves, mistakes: Mistakes, { without, held }: Lists): Measured {
  const { kindOf } = mistakes;
  const bySku = new Map(skus.map((each) => [each.sku, each]));
  const hitsOf = (order: readonly string[]) => hits(order, kindOf, bySku);
  const judge = (rows: readonly CountAgainRow[]): HitRate => {
    checkFigures(rows, bySku);
    return {
      ...{ rows: rows.length, first: hitsOf(rows.map(({ sku }) => sku)) },
      ...{ kinds: kindsIn(rows, mistakes), reasons: reasonsIn(rows, kindOf) },
    };
  };
  const differing = skus.filter((each) => differenceOf(each) !== 0);
  const inOrder = (of: readonly ShelvedSku[], worth: (each: ShelvedSku) => number) =>
    of.toSorted((left, right) => worth(right) - worth(left)).map(({ sku }) => sku);
  const mistaken = skus.filter(({ sku }) => kindOf.has(sku));
  return {
    ...{ differing: differing.length, mistaken: kindOf.size },
    byMoney: hitsOf(inOrder(differing, (each) => Math.abs(differenceOf(each)) * (each.unitCostCents ?? 0))),
    best: hitsOf(inOrder(mistaken, mistakeCents)),
    ...{ withoutTolerance: judge(without), withTolerance: judge(held) },
  };
}

/** What the list says of a SKU is what was scanned, whatever is thought of it; and its order is by money, unknown costs last. */
export function checkFigures(rows: readonly CountAgainRow[], bySku: ReadonlyMap<string, ShelvedSku>): void {
  const ofSku = ({ sku }: CountAgainRow) => {
    const each = bySku.get(sku) ?? fail(sku);
    const cents = each.unitCostCents === null ? null : Math.abs(differenceOf(each)) * each.unitCostCents;
    return {
      counted: unitsIn(each.scanned),
      onHand: each.onHand,
      atStake: cents === null ? null : cents / 100,
    };
  };
  expect(rows.map(({ counted, onHand, atStake }) => ({ counted, onHand, atStake }))).toEqual(rows.map(ofSku));
  const worth = rows.map(({ atStake }) => atStake ?? -1);
  expect(worth).toEqual(worth.toSorted((left, right) => right - left));
}

function differenceOf({ scanned, onHand }: ShelvedSku): number {
  return unitsIn(scanned) - onHand;
}

/** What was scanned too much or too little, at cost; nothing where the cost is unknown. */
function mistakeCents({ scanned, lies, unitCostCents }: ShelvedSku): number {
  return Math.abs(unitsIn(scanned) - unitsIn(lies)) * (unitCostCents ?? 0);
}

function hits(
  order: readonly string[],
  kindOf: ReadonlyMap<string, MistakeKind>,
  bySku: ReadonlyMap<string, ShelvedSku>,
): Hits[] {
  const centsOf = (skus: Iterable<string>) => {
    let cents = 0;
    for (const sku of skus) cents += mistakeCents(bySku.get(sku) ?? fail(sku));
    return cents;
  };
  const all = centsOf(kindOf.keys());
  return firstRows.map((most) => {
    const rows = order.slice(0, most);
    const right = rows.filter((sku) => kindOf.has(sku));
    return { rows: rows.length, mistakes: right.length, money: centsOf(right) / all };
  });
}

function fail(sku: string): never {
  throw new Error(`There is no ${sku}.`);
}

function kindsIn(rows: readonly CountAgainRow[], { kindOf, swapped }: Mistakes): FoundOfKind[] {
  const rowOf = new Map(rows.map((row) => [row.sku, row]));
  return [...new Set(kindOf.values())].map((kind) => {
    const made = [...kindOf].flatMap(([sku, each]) => (each === kind ? [sku] : []));
    const listed = made.flatMap((sku) => rowOf.get(sku) ?? []);
    const meant = mistakeReasons[kind];
    const isMeant = (sku: string, reason: CountAgainReason) =>
      reason.kind === meant && (reason.kind !== "SWAP_SUSPECTED" || reason.sku === swapped.get(sku));
    const byItsReason = listed.filter(
      ({ sku, reasons }) => meant === null || reasons.some((reason) => isMeant(sku, reason)),
    ).length;
    return { kind, made: made.length, listed: listed.length, byItsReason };
  });
}

function reasonsIn(rows: readonly CountAgainRow[], kindOf: ReadonlyMap<string, MistakeKind>): HitsOfReason[] {
  const kinds = new Set(rows.flatMap(({ reasons }) => reasons.map(({ kind }) => kind)));
  return [...kinds].toSorted().map((reason) => {
    const having = rows.filter(({ reasons }) => reasons.some(({ kind }) => kind === reason));
    return {
      ...{ reason, rows: having.length },
      mistakes: having.filter(({ sku }) => kindOf.has(sku)).length,
    };
  });
}

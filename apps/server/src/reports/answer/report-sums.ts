import type { ReportSummary } from "@stocktake/contract";
import { costOfUnits, exactCents, moneyOf } from "../../kernel/money.ts";
import type { ReportRow } from "../rows/report-row-queries.ts";
import { varianceOf } from "../variance.ts";

/** What of a summary is summed up of every SKU in scope, whatever the view. */
export type OfEverySku = Omit<ReportSummary, "uncertain" | "movedAfterCount">;

interface NotCounted {
  readonly items: number;
  readonly units: number;
  readonly belowZero: number;
  readonly cents: number | null;
}

export function presentNotCounted({
  items,
  units,
  belowZero,
  cents,
}: NotCounted): ReportSummary["notCounted"] {
  return { items, units, cost: moneyOf(cents), ...(belowZero === 0 ? {} : { belowZero }) };
}

/** Sums up every SKU in scope, row by row. Unknown costs are left out of what is summed. */
export class ReportSums {
  private items = 0;
  private readonly kinds = { shortages: 0, overages: 0, matches: 0 };
  private withoutCost = 0;
  private readonly notCounted = { items: 0, units: 0, belowZero: 0 };
  private cents = 0n;
  private centsNotCounted = 0n;

  add(row: ReportRow): void {
    const { variance } = varianceOf(row);
    this.items += 1;
    this.kinds[variance < 0 ? "shortages" : variance > 0 ? "overages" : "matches"] += 1;
    const cost = costOfUnits(variance, row.unitCostCents);
    const isNotCounted = !row.hasCount && row.endOnHand !== 0;
    if (cost === null) this.withoutCost += 1;
    // Most rows do not vary: nothing is to be added.
    else if (cost !== 0) {
      this.cents += BigInt(cost);
      if (isNotCounted) this.centsNotCounted += BigInt(cost);
    }
    if (!isNotCounted) return;
    this.notCounted.items += 1;
    if (row.endOnHand > 0) this.notCounted.units += row.endOnHand;
    else this.notCounted.belowZero += 1;
  }

  /** In the session's currency; null where no number holds a sum exactly. */
  of(currency: string): OfEverySku {
    return {
      totalItems: this.items,
      ...this.kinds,
      totalCostImpact: moneyOf(exactCents(this.cents)),
      withoutCost: this.withoutCost,
      currency,
      notCounted: presentNotCounted({ ...this.notCounted, cents: exactCents(this.centsNotCounted) }),
    };
  }
}

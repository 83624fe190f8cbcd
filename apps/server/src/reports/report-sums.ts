import type { ReportSummary } from "@stocktake/contract";
import { costOfUnits, moneyOf, sumOfCents } from "../kernel/money.ts";
import { inSlices } from "../kernel/slices.ts";
import type { ReportRow } from "./report-row-queries.ts";
import { varianceOf } from "./variance.ts";

/** What of a summary is summed up of every SKU in scope, whatever the view. */
export type OfEverySku = Omit<ReportSummary, "uncertain" | "movedAfterCount">;

/** Some milliseconds' work. */
const addedAtOnce = 2_000;

/** The sums of `readOverview`, where every row in scope was read anyway. */
export async function sumUp(rows: readonly ReportRow[], currency: string): Promise<OfEverySku> {
  const sums = { shortages: 0, overages: 0, matches: 0 };
  let withoutCost = 0;
  const notCounted = { items: 0, units: 0 };
  const [costs, costsNotCounted]: [number[], number[]] = [[], []];
  await inSlices(rows, addedAtOnce, (row) => {
    const { variance } = varianceOf(row);
    sums[variance < 0 ? "shortages" : variance > 0 ? "overages" : "matches"] += 1;
    const cost = costOfUnits(variance, row.unitCostCents);
    if (cost === null) withoutCost += 1;
    // Most rows do not vary: nothing is to be added.
    else if (cost !== 0) costs.push(cost);
    if (row.hasCount || row.endOnHand === 0) return;
    notCounted.items += 1;
    notCounted.units += row.endOnHand;
    if (cost !== null) costsNotCounted.push(cost);
  });
  return {
    totalItems: rows.length,
    ...sums,
    totalCostImpact: moneyOf(sumOfCents(costs)),
    withoutCost,
    currency,
    notCounted: { ...notCounted, cost: moneyOf(sumOfCents(costsNotCounted)) },
  };
}

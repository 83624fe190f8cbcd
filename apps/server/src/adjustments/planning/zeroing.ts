import type { UncountedStock, ZeroedStock } from "@stocktake/contract";
import { ApiError } from "../../kernel/api-error.ts";
import { costOfUnits, moneyOf, sumOfCents } from "../../kernel/money.ts";
import { countText } from "../../kernel/texts.ts";
import type { DeployPlan, PlannedRow } from "./plan-deploy.ts";

/** Above either, a deploy that zeroes what nobody counted has to be confirmed by its number of units. */
const bound = { items: 50, percentOfUnits: 2 };

const largestShown = 10;

/** What a plan sets to zero that nobody counted, without what was searched for and is not there: somebody has looked. */
export function uncountedStock({ rows }: Pick<DeployPlan, "rows">, unitsOnHand: number): UncountedStock {
  const uncounted = rows.filter((row) => row.uncounted && !row.notThere);
  const stock = sumUp(uncounted);
  const { items, units } = stock;
  const large = items > bound.items || units * 100 > unitsOnHand * bound.percentOfUnits;
  return {
    ...stock,
    confirmUnits: large ? units : null,
    largest: uncounted
      .toSorted(
        (one, other) => (costCentsOf(other) ?? 0) - (costCentsOf(one) ?? 0) || unitsOf(other) - unitsOf(one),
      )
      .slice(0, largestShown)
      .map((row) => ({
        sku: row.sku,
        productTitle: row.productTitle,
        size: row.size,
        units: unitsOf(row),
        cost: moneyOf(costCentsOf(row)),
      })),
  };
}

/** What a plan sets to zero that nobody counted, and that was searched for and is not there. */
export function searchedStock({ rows }: Pick<DeployPlan, "rows">): ZeroedStock {
  return sumUp(rows.filter((row) => row.notThere));
}

function sumUp(rows: readonly PlannedRow[]): ZeroedStock {
  const known = rows.map(costCentsOf).filter((cents) => cents !== null);
  return {
    items: rows.length,
    units: rows.reduce((sum, row) => sum + unitsOf(row), 0),
    cost: moneyOf(sumOfCents(known)),
    withoutCost: rows.length - known.length,
  };
}

/** Units on hand that go; stock below zero is raised to it and takes nothing away. */
function unitsOf({ delta }: PlannedRow): number {
  return Math.max(0, -delta);
}

function costCentsOf(row: PlannedRow): number | null {
  return costOfUnits(unitsOf(row), row.unitCostCents);
}

/**
 * What a deploy zeroes has to be what its administrator has seen and typed. Whoever types the units of all that goes to zero
 * uncounted has confirmed those that nobody searched for too.
 * @throws ApiError CONFIRM_ZEROING with the figures of now
 */
export function requireConfirmed(
  { items, units, cost, confirmUnits }: UncountedStock,
  confirmed: number | undefined,
  searchedUnits = 0,
): void {
  if (confirmUnits === null || confirmed === confirmUnits) return;
  if (confirmed === confirmUnits + searchedUnits) return;
  const skus = countText(items, "SKU", "SKUs");
  const message =
    `This deploy would set ${skus} that nobody counted to zero, with ${countText(units, "unit", "units")} on hand. ` +
    "Nothing was changed. Confirm the number of units.";
  throw new ApiError("CONFIRM_ZEROING", message, { zeroing: { items, units, cost } });
}

import type { UncountedStock } from "@stocktake/contract";
import { ApiError } from "../../kernel/api-error.ts";
import { costOfUnits, moneyOf, sumOfCents } from "../../kernel/money.ts";
import { countText } from "../../kernel/texts.ts";
import type { DeployPlan, PlannedRow } from "./plan-deploy.ts";

/** Above either, a deploy that zeroes what nobody counted has to be confirmed by its number of units. */
const bound = { items: 50, percentOfUnits: 2 };

const largestShown = 10;

/** What a plan sets to zero that nobody counted. */
export function uncountedStock({ rows }: Pick<DeployPlan, "rows">, unitsOnHand: number): UncountedStock {
  const uncounted = rows.filter((row) => row.uncounted);
  const items = uncounted.length;
  const units = uncounted.reduce((sum, row) => sum + unitsOf(row), 0);
  const known = uncounted.map(costCentsOf).filter((cents) => cents !== null);
  const large = items > bound.items || units * 100 > unitsOnHand * bound.percentOfUnits;
  return {
    items,
    units,
    cost: moneyOf(sumOfCents(known)),
    withoutCost: items - known.length,
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

/** Units on hand that go; stock below zero is raised to it and takes nothing away. */
function unitsOf({ delta }: PlannedRow): number {
  return Math.max(0, -delta);
}

function costCentsOf(row: PlannedRow): number | null {
  return costOfUnits(unitsOf(row), row.unitCostCents);
}

/**
 * What a deploy zeroes has to be what its administrator has seen and typed.
 * @throws ApiError CONFIRM_ZEROING with the figures of now
 */
export function requireConfirmed(stock: UncountedStock, confirmed: number | undefined): void {
  const { items, units, cost, confirmUnits } = stock;
  if (confirmUnits === null || confirmUnits === confirmed) return;
  const skus = countText(items, "SKU", "SKUs");
  const message =
    `This deploy would set ${skus} that nobody counted to zero, with ${countText(units, "unit", "units")} on hand. ` +
    "Nothing was changed. Confirm the number of units.";
  throw new ApiError("CONFIRM_ZEROING", message, { zeroing: { items, units, cost } });
}

import { groupBy, type SearchedStock, type UncountedStock, type ZeroedStock } from "@stocktake/contract";
import { ApiError } from "../../kernel/api-error.ts";
import { costOfUnits, moneyOf, sumOfCents } from "../../kernel/money.ts";
import { countText } from "../../kernel/texts.ts";
import type { DeployPlan, PlannedRow } from "./plan-deploy.ts";

/** Above either, a deploy that zeroes what nobody counted has to be confirmed by its number of units. */
const bound = { items: 50, percentOfUnits: 2 };

const largestShown = 10;

/** Whether so much is zeroed that somebody has to type how much it is. */
function isLarge({ items, units }: Pick<ZeroedStock, "items" | "units">, unitsOnHand: number): boolean {
  return items > bound.items || units * 100 > unitsOnHand * bound.percentOfUnits;
}

function isUnsearched({ uncounted, notThere }: PlannedRow): boolean {
  return uncounted && !notThere;
}

/** What a plan sets to zero that nobody counted, without what was searched for and is not there: somebody has looked. */
export function uncountedStock({ rows }: Pick<DeployPlan, "rows">, unitsOnHand: number): UncountedStock {
  const uncounted = rows.filter(isUnsearched);
  const stock = sumUp(uncounted);
  return {
    ...stock,
    confirmUnits: isLarge(stock, unitsOnHand) ? stock.units : null,
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
export function searchedStock({ rows }: Pick<DeployPlan, "rows">, unitsOnHand: number): SearchedStock {
  const searched = rows.filter(({ notThere }) => notThere);
  const unsure = onOneWord(rows, unitsOnHand);
  return {
    ...sumUp(searched),
    people: peopleOf(searched),
    onOneWord: unsure.length === 0 ? null : sumUp(unsure),
  };
}

function peopleOf(rows: readonly PlannedRow[]): SearchedStock["people"] {
  const named = rows.flatMap(({ seekers }) => seekers);
  return Array.from(groupBy(named, ({ id }) => id).values(), (those) => ({
    username: those[0]?.username ?? "",
    items: those.length,
  })).toSorted((one, other) => other.items - one.items || one.username.localeCompare(other.username, "en"));
}

/**
 * What rests on the word of one temporary counter alone, and is as much of each of them as would have to be typed if nobody had
 * looked: whoever joined an hour ago can say of everything that it is not there.
 */
function onOneWord(rows: readonly PlannedRow[], unitsOnHand: number): readonly PlannedRow[] {
  const alone = rows.flatMap((row) => {
    const [seeker, ...others] = row.seekers;
    return seeker?.isTemporary === true && others.length === 0 ? [{ id: seeker.id, row }] : [];
  });
  return [...groupBy(alone, ({ id }) => id).values()]
    .map((those) => those.map(({ row }) => row))
    .filter((those) => isLarge(sumUp(those), unitsOnHand))
    .flat();
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
 * uncounted has confirmed what is a part of them too.
 * @throws ApiError CONFIRM_ZEROING with the figures of now
 */
export function requireConfirmed(
  { rows }: Pick<DeployPlan, "rows">,
  unitsOnHand: number,
  confirmed: number | undefined,
): void {
  const unsearched = rows.filter(isUnsearched);
  const unsure = onOneWord(rows, unitsOnHand);
  const wanted = [...(isLarge(sumUp(unsearched), unitsOnHand) ? unsearched : []), ...unsure];
  const { items, units, cost } = sumUp(wanted);
  if (items === 0 || confirmed === units) return;
  if (confirmed === sumUp(rows.filter(({ uncounted }) => uncounted)).units) return;
  const skus = countText(items, "SKU", "SKUs");
  const message =
    `This deploy would set ${skus} that nobody counted to zero, with ${countText(units, "unit", "units")} on hand. ` +
    (unsure.length === 0 ? "" : oneWordText(unsure)) +
    "Nothing was changed. Confirm the number of units.";
  throw new ApiError("CONFIRM_ZEROING", message, { zeroing: { items, units, cost } });
}

function oneWordText(rows: readonly PlannedRow[]): string {
  return `Of ${countText(rows.length, "SKU", "SKUs")} one temporary counter alone says that they are not there. `;
}

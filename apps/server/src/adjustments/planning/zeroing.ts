import { groupBy, type SearchedStock, type UncountedStock, type ZeroedStock } from "@stocktake/contract";
import { ApiError } from "../../kernel/api-error.ts";
import { countText } from "../../kernel/formats.ts";
import { costOfUnits, moneyOf, sumOfCents } from "../../kernel/money.ts";
import type { Seeker } from "../../reports/reports.ts";
import { temporaryAlone } from "./one-word.ts";
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
      .filter((row) => !isBelowZero(row))
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
    onOneWord:
      unsure.length === 0
        ? null
        : { ...sumUp(unsure.flatMap(({ rows }) => rows)), people: unsure.map(wordOf) },
  };
}

/** Each person by one name, on however many phones they have looked. */
function peopleOf(rows: readonly PlannedRow[]): SearchedStock["people"] {
  const named = rows.flatMap(({ sku, seekers }) => seekers.map((seeker) => ({ ...seeker, sku })));
  return Array.from(groupBy(named, ({ person }) => person).values(), (those) => ({
    username: nameOf(those),
    items: new Set(those.map(({ sku }) => sku)).size,
  })).toSorted((one, other) => other.items - one.items || one.username.localeCompare(other.username, "en"));
}

/** The first of their names: "Anna" and not "Anna (2)". */
function nameOf(accounts: readonly Pick<Seeker, "username">[]): string {
  return accounts.map(({ username }) => username).toSorted()[0] ?? "";
}

/** What rests on the word of one temporary counter alone. */
interface OneWord {
  readonly username: string;
  readonly rows: readonly PlannedRow[];
}

/**
 * What rests on the word of one temporary counter alone, and is as much of each of them as would have to be typed if nobody had
 * looked: whoever joined an hour ago can say of everything that it is not there. Somebody on two phones is one.
 */
function onOneWord(rows: readonly PlannedRow[], unitsOnHand: number): readonly OneWord[] {
  const alone = rows.flatMap((row) => {
    const person = temporaryAlone(row.seekers);
    return person === null ? [] : [{ person, row }];
  });
  return [...groupBy(alone, ({ person }) => person).values()]
    .map((those) => those.map(({ row }) => row))
    .filter((those) => isLarge(sumUp(those), unitsOnHand))
    .map((those) => ({ username: nameOf(those.flatMap(({ seekers }) => seekers)), rows: those }));
}

function wordOf({ username, rows }: OneWord) {
  const { items, units } = sumUp(rows);
  return { username, items, units };
}

function sumUp(rows: readonly PlannedRow[]): ZeroedStock {
  const known = rows.map(costCentsOf).filter((cents) => cents !== null);
  const below = rows.filter(isBelowZero);
  return {
    items: rows.length,
    units: rows.reduce((sum, row) => sum + unitsOf(row), 0),
    cost: moneyOf(sumOfCents(known)),
    withoutCost: rows.length - known.length,
    ...(below.length === 0 ? {} : { belowZero: raisedStock(below) }),
  };
}

function raisedStock(rows: readonly PlannedRow[]): ZeroedStock["belowZero"] {
  const costs = rows.map(({ delta, unitCostCents }) => costOfUnits(delta, unitCostCents));
  return {
    items: rows.length,
    units: rows.reduce((sum, { delta }) => sum + delta, 0),
    cost: moneyOf(sumOfCents(costs.filter((cents) => cents !== null))),
  };
}

/** What is uncounted goes to zero: what is raised to it is below. */
function isBelowZero({ delta }: PlannedRow): boolean {
  return delta > 0;
}

/** Units on hand that go; stock below zero is raised to it and takes nothing away. */
function unitsOf({ delta }: PlannedRow): number {
  return Math.max(0, -delta);
}

function costCentsOf(row: PlannedRow): number | null {
  return costOfUnits(unitsOf(row), row.unitCostCents);
}

/**
 * What a deploy zeroes without anybody having looked for it has to be what its administrator has seen and typed. Whoever types the units of
 * all that goes to zero uncounted has confirmed what is a part of them too, and so has a page of an earlier release, which adds what one
 * temporary counter alone has looked for.
 * @throws ApiError CONFIRM_ZEROING with the figures of now
 */
export function requireConfirmed(
  { rows }: Pick<DeployPlan, "rows">,
  unitsOnHand: number,
  confirmed: number | undefined,
): void {
  const { items, units, cost } = sumUp(rows.filter(isUnsearched));
  if (!isLarge({ items, units }, unitsOnHand) || confirmed === units) return;
  if (confirmed === sumUp(rows.filter(({ uncounted }) => uncounted)).units) return;
  const unsure = onOneWord(rows, unitsOnHand).flatMap((word) => word.rows);
  if (confirmed === units + sumUp(unsure).units) return;
  const skus = countText(items, "SKU", "SKUs");
  const message =
    `This deploy would set ${skus} that nobody counted to zero, with ${countText(units, "unit", "units")} on hand. ` +
    "Nothing was changed. Confirm the number of units.";
  throw new ApiError("CONFIRM_ZEROING", message, { zeroing: { items, units, cost } });
}

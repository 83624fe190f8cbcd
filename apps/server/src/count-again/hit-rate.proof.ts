import { afterAll, expect, test } from "vitest";
import { type Measured, measureHitRate } from "./testing/hit-rate.ts";
import type { MistakeKind } from "./testing/mistakes.ts";

const size = { skus: 10_000, floorAreas: 48, stockAreas: 32 };
const seeds = [1, 2, 3, 4, 5];
const measured: Measured[] = [];

/** The share of each kind that has to be listed by the reason meant for it. */
const least: Readonly<Record<MistakeKind, number>> = {
  miscount: 0,
  swap: 0.6,
  "missed shelf": 0.45,
  "unknown code": 1,
  "counted from both sides": 0.9,
  "scanned in haste": 0.75,
};

test.each(seeds)("the list finds more mistakes than the largest differences do (seed %i)", async (seed) => {
  const found = await measureHitRate(seed, size);
  measured.push(found);
  const { first, kinds } = found.withoutTolerance;
  for (const [index, { rows, mistakes }] of first.entries()) {
    expect(mistakes).toBeGreaterThan(found.byMoney[index]?.mistakes ?? rows);
    expect(mistakes / rows).toBeGreaterThanOrEqual(0.5);
  }
  for (const { kind, made, byItsReason } of kinds) {
    expect(byItsReason / made).toBeGreaterThanOrEqual(least[kind]);
  }
});

afterAll(() => {
  process.stdout.write(`${describe().join("\n")}\n`);
});

/** The least, the mean and the most over all seeds. */
function over(figure: (of: Measured) => number, digits = 0): string {
  const figures = measured.map(figure);
  const mean = figures.reduce((sum, each) => sum + each, 0) / figures.length;
  return `${mean.toFixed(digits)} (${Math.min(...figures).toFixed(digits)} to ${Math.max(...figures).toFixed(digits)})`;
}

function describe(): string[] {
  const [one] = measured;
  if (one === undefined) return [];
  const orders = [
    ["largest differences", (of: Measured) => of.byMoney],
    ["list without a tolerance", (of: Measured) => of.withoutTolerance.first],
    ["list with a tolerance", (of: Measured) => of.withTolerance.first],
    ["no order could exceed", (of: Measured) => of.best],
  ] as const;
  const lists = [
    ["without a tolerance", (of: Measured) => of.withoutTolerance],
    ["with a tolerance", (of: Measured) => of.withTolerance],
  ] as const;
  return [
    `${over(({ differing }) => differing)} SKUs differ, ${over(({ mistaken }) => mistaken)} of them by mistakes`,
    ...orders.flatMap(([name, hitsOf]) =>
      hitsOf(one).map(({ rows }, index) => {
        const mistakes = over((of) => hitsOf(of)[index]?.mistakes ?? 0, 1);
        const money = over((of) => 100 * (hitsOf(of)[index]?.money ?? 0));
        return `${name}, first ${rows}: ${mistakes} mistakes, ${money}% of their money`;
      }),
    ),
    ...lists.flatMap(([name, listOf]) => [
      `${name}: ${over((of) => listOf(of).rows)} rows`,
      ...listOf(one).kinds.map(({ kind }) => {
        const of = (each: Measured) => listOf(each).kinds.find((found) => found.kind === kind);
        const listed = `listed ${over((each) => of(each)?.listed ?? 0, 1)}`;
        return `  ${kind}: made ${of(one)?.made}, ${listed}, by its reason ${over((each) => of(each)?.byItsReason ?? 0, 1)}`;
      }),
      ...listOf(one).reasons.map(({ reason }) => {
        const of = (each: Measured) => listOf(each).reasons.find((found) => found.reason === reason);
        const mistakes = over((each) => of(each)?.mistakes ?? 0, 1);
        return `  ${reason}: rows ${over((each) => of(each)?.rows ?? 0, 1)}, mistakes among them ${mistakes}`;
      }),
    ]),
  ];
}

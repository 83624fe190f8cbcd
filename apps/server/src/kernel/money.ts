/**
 * The largest amount of money, in hundredths of the shop's currency, that is worked with. A JavaScript number tells every
 * hundredth up to it from its neighbours, in hundredths and as the amount that is shown; beyond it a figure would be
 * another one in silence, so it counts as unknown.
 */
export const largestCents = 2 ** 46 * 100;

/** An amount in hundredths where a number holds it exactly, else null. */
export function exactCents(cents: bigint): number | null {
  return cents >= -largestCents && cents <= largestCents ? Number(cents) : null;
}

/** Units at a cost, in hundredths; null where the cost is unknown or no number holds the product exactly. */
export function costOfUnits(units: number, unitCostCents: number | null): number | null {
  return unitCostCents === null ? null : exactCents(BigInt(units) * BigInt(unitCostCents));
}

/** The sum of amounts in hundredths; null where no number holds it exactly. */
export function sumOfCents(amounts: readonly number[]): number | null {
  return exactCents(amounts.reduce((sum, cents) => sum + BigInt(cents), 0n));
}

/** The amount in the shop's currency; unknown stays unknown. */
export function moneyOf(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

import type { CountAgainReason } from "@stocktake/contract";
import type { CountedDifference, ListedArea, Session } from "./material-queries.ts";

/** What one SKU may differ by in one direction; money in hundredths, shares in hundredths of a per cent, null for no limit. */
export interface HeldLimits {
  readonly units: number | null;
  readonly cents: number | null;
  readonly stockShare: number | null;
  readonly moneyShare: number | null;
}

/** The tolerance that holds in a session. */
export interface HeldTolerance {
  readonly over: HeldLimits;
  readonly short: HeldLimits;
  /** What the store's stock was worth when the session started, in hundredths. */
  readonly stockCents: number;
}

type LimitName = Extract<CountAgainReason, { kind: "BEYOND_TOLERANCE" }>["limits"][number];
type Compared = Omit<CountedDifference, "sku">;

/** 100 per cent. */
const whole = 10_000n;

const noLimits: HeldLimits = { units: null, cents: null, stockShare: null, moneyShare: null };

/**
 * What of a tolerance can be judged by now. While any area is still to be counted what is short may lie there, so that only what is over
 * is judged: no area that is counted later makes that less.
 */
export function toleranceSoFar(
  tolerance: HeldTolerance,
  { status }: Pick<Session, "status">,
  areas: readonly Pick<ListedArea, "closed" | "deleted" | "leftUncounted">[],
): HeldTolerance {
  const isDone = ({ closed, deleted, leftUncounted }: (typeof areas)[number]) =>
    closed || deleted || leftUncounted;
  return status === "closed" || areas.every(isDone) ? tolerance : { ...tolerance, short: noLimits };
}

/**
 * The limits that a counted SKU is beyond. Stock that moved while the session ran may have been counted before or after: the SKU is
 * judged by the least that it differs, by whatever was on hand meanwhile. What nobody counted has no count to be judged.
 */
export function limitsExceeded({ over, short, stockCents }: HeldTolerance, sku: Compared): LimitName[] {
  if (!sku.hasCount) return [];
  const difference = leastDifference(sku);
  const [limits, onHand] = difference > 0 ? [over, sku.mostOnHand] : [short, sku.leastOnHand];
  const units = BigInt(Math.abs(difference));
  if (units === 0n) return [];
  const cents = sku.unitCostCents === null ? null : units * BigInt(sku.unitCostCents);
  const found: readonly (readonly [LimitName, boolean])[] = [
    ["units", isBeyond(units, limits.units)],
    ["money", isBeyond(cents, limits.cents)],
    ["stockPercent", isBeyondShare(units, limits.stockShare, Math.max(onHand, 0))],
    ["moneyPercent", isBeyondShare(cents, limits.moneyShare, stockCents)],
  ];
  return found.flatMap(([name, exceeded]) => (exceeded ? [name] : []));
}

/** The least that a SKU differs by, whatever was on hand while the session ran. */
export function leastDifference({
  counted,
  leastOnHand,
  mostOnHand,
}: Omit<Compared, "unitCostCents" | "hasCount">): number {
  if (counted > mostOnHand) return counted - mostOnHand;
  return counted < leastOnHand ? counted - leastOnHand : 0;
}

function isBeyond(amount: bigint | null, limit: number | null): boolean {
  return amount !== null && limit !== null && amount > BigInt(limit);
}

function isBeyondShare(amount: bigint | null, share: number | null, of: number): boolean {
  return amount !== null && share !== null && amount * whole > BigInt(share) * BigInt(of);
}

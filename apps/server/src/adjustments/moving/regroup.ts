/** A row that is to go again after an attempt that did not apply it. */
export interface ReturningRow {
  readonly sku: string;
  /** Shopify named it as moved since it was read. */
  readonly stale: boolean;
}

/** How often a row is tried alone before it is left as it is. */
export const attemptsAlone = 6;

export type Regrouping =
  /** Once more as they are, with fresh values. */
  | { readonly kind: "together" }
  /** In chunks of their own, so that busy SKUs do not hold up the others. */
  | { readonly kind: "apart"; readonly parts: readonly (readonly string[])[] }
  /** A row alone, whose stock has moved with every attempt. */
  | { readonly kind: "given-up" };

/** How rows go again after attempt number `attempt` of their chunk. */
export function regroup(attempt: number, rows: readonly ReturningRow[]): Regrouping {
  if (rows.length <= 1) return attempt < attemptsAlone ? { kind: "together" } : { kind: "given-up" };
  if (attempt === 1) return { kind: "together" };
  const busy = rows.filter(({ stale }) => stale);
  const calm = rows.filter(({ stale }) => !stale);
  const parts = busy.length > 0 && calm.length > 0 ? [calm, busy] : halves(rows);
  return { kind: "apart", parts: parts.map((part) => part.map(({ sku }) => sku)) };
}

function halves(rows: readonly ReturningRow[]): ReturningRow[][] {
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)];
}

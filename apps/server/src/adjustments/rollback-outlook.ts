import { limits, type RollbackPreviewRow } from "@stocktake/contract";
import type { LiveLevel } from "../shopify/shopify.ts";
import { unmovableReason } from "./unmovable.ts";

/** A SKU that a rollback moves, with what is on record of it. Units. */
export interface DeployedRow {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  /** What the rollback adds. */
  readonly delta: number;
  /** Available as the confirmed deploy left it; null where a person's word is all there is. */
  readonly availableAfterDeploy: number | null;
}

export interface RollbackOutlook {
  readonly checked: number;
  readonly moved: number;
  readonly negative: number;
  readonly cannotMove: number;
  readonly unknown: number;
  readonly affected: number;
  readonly rows: RollbackPreviewRow[];
}

/**
 * What a rollback makes of one SKU, given its level now (null: it no longer exists). Movement is measured in available:
 * that is what the deploy was compared with and confirmed by, while on hand is known from a reading a moment earlier.
 */
export function rollbackRow(row: DeployedRow, level: LiveLevel | null): RollbackPreviewRow {
  const { sku, productTitle, size, delta, availableAfterDeploy } = row;
  const named = { sku, productTitle, size, delta, cannotMove: unmovableReason(level) };
  if (level === null || named.cannotMove !== null) {
    const unread = { onHandNow: null, afterRollback: null, availableNow: null, availableAfter: null };
    return { ...named, ...unread, movedSince: null, wouldGoNegative: false };
  }
  const { onHand: onHandNow, available: availableNow } = level;
  const [afterRollback, availableAfter] = [onHandNow + delta, availableNow + delta];
  return {
    ...named,
    onHandNow,
    afterRollback,
    availableNow,
    availableAfter,
    movedSince: availableAfterDeploy === null ? null : availableNow - availableAfterDeploy,
    wouldGoNegative: delta < 0 && Math.min(afterRollback, availableAfter) < 0,
  };
}

/** Sums up the SKUs that were read; the rows are those that a person should know of, the gravest first. */
export function rollbackOutlook(read: readonly RollbackPreviewRow[]): RollbackOutlook {
  const affected = read.filter((row) => gravity(row) > 0);
  const count = (holds: (row: RollbackPreviewRow) => boolean) => read.filter(holds).length;
  return {
    checked: read.length,
    moved: count(({ movedSince }) => movedSince !== null && movedSince !== 0),
    negative: count(({ wouldGoNegative }) => wouldGoNegative),
    cannotMove: count(({ cannotMove }) => cannotMove !== null),
    unknown: count(isUnknown),
    affected: affected.length,
    rows: affected.toSorted(byGravity).slice(0, limits.previewRows),
  };
}

function isUnknown({ cannotMove, movedSince }: RollbackPreviewRow): boolean {
  return cannotMove === null && movedSince === null;
}

function gravity(row: RollbackPreviewRow): number {
  if (row.wouldGoNegative) return 4;
  if (row.cannotMove !== null) return 3;
  if (isUnknown(row)) return 2;
  return row.movedSince === 0 ? 0 : 1;
}

function byGravity(one: RollbackPreviewRow, other: RollbackPreviewRow): number {
  const graver = gravity(other) - gravity(one);
  if (graver !== 0) return graver;
  const further = Math.abs(other.movedSince ?? 0) - Math.abs(one.movedSince ?? 0);
  if (further !== 0) return further;
  return one.sku < other.sku ? -1 : 1;
}

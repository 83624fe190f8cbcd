import { type CallAnswer, limits, type previewRelease, type ReleasePreviewRow } from "@stocktake/contract";
import { clocksDifferByMs, type EndStock, isAsAtEnd } from "../../sessions/sessions.ts";
import type { LiveLevel } from "../../shopify/shopify.ts";
import type { KnownStock } from "./known-stock-queries.ts";
import type { QuestionRow } from "./question.ts";

/**
 * What a row in question looks like, given its level now (null: it could not be read, or no longer exists) and what
 * Shopify's clock showed when the backup was made.
 */
export function previewRow(
  row: QuestionRow,
  { end, ...known }: KnownStock,
  level: LiveLevel | null,
  backupMadeAt: Date,
): ReleasePreviewRow {
  const { sku, direction, delta, uncounted } = row;
  const after = known.before === null ? null : known.before + delta;
  const shown = { sku, direction, delta, uncounted, ...known, after };
  if (level === null) return { ...shown, now: null, looks: "unknown" };
  const now = known.measure === "available" ? level.available : level.onHand;
  const isUnchanged = untouchedSince(level, backupMadeAt) || (end !== null && showsAsAtEnd(end, level));
  const looks = isUnchanged ? "not_moved" : looksOf(now, after);
  return { ...shown, now, looks };
}

/** Whether nothing has happened to a level since the backup was made, by Shopify's clock. */
export function untouchedSince(
  { availableUpdatedAt, levelUpdatedAt }: LiveLevel,
  backupMadeAt: Date,
): boolean {
  const at = availableUpdatedAt ?? levelUpdatedAt;
  return at !== null && Date.parse(at) < backupMadeAt.getTime() - clocksDifferByMs;
}

/**
 * Whether a level shows that nothing has moved since the end. One that is inactive shows nothing: not stocked at the end either, it may have
 * been stocked, moved and deactivated since.
 */
export function showsAsAtEnd(end: EndStock, level: LiveLevel): boolean {
  const isHidden = !level.stocked && level.levelUpdatedAt !== null;
  return !isHidden && isAsAtEnd(end, level);
}

/**
 * Of a level that may have changed since. As much as before proves nothing: what a deploy found may have been sold, and what it
 * missed may have come back. A rollback's level was changed by its deploy too, and where that was just before the backup,
 * clocks that differ do not tell the one from the other.
 */
function looksOf(now: number, after: number | null): ReleasePreviewRow["looks"] {
  return now === after ? "moved" : "unknown";
}

type Preview = CallAnswer<typeof previewRelease>;
type Summary = Pick<
  Preview,
  "total" | "checked" | "moved" | "notMoved" | "unknown" | "uncounted" | "verdict" | "rows" | "movedSkus"
>;

/** Sums up the rows that were read, of those that are in question. */
export function summarisePreview(asked: readonly QuestionRow[], read: readonly ReleasePreviewRow[]): Summary {
  const perhapsBack = new Set(asked.flatMap((row) => (row.perhapsBack ? [row.sku] : [])));
  const shown = read.filter(({ sku, looks }) => !perhapsBack.has(sku) || looks === "moved");
  const back = shown.filter(({ sku }) => perhapsBack.has(sku)).length;
  const inQuestion = shown.filter(({ uncounted }) => !uncounted);
  const count = (looks: ReleasePreviewRow["looks"]) => inQuestion.filter((row) => row.looks === looks).length;
  const asking = asked.filter((row) => !row.perhapsBack);
  const total = asking.filter(({ uncounted }) => !uncounted).length + back;
  const counts = { total, checked: inQuestion.length, moved: count("moved"), notMoved: count("not_moved") };
  const moved = shown.filter(({ looks }) => looks === "moved");
  return {
    ...counts,
    unknown: count("unknown"),
    uncounted: {
      total: asking.filter(({ uncounted }) => uncounted).length,
      moved: moved.filter(({ uncounted }) => uncounted).length,
    },
    // What was taken back since was not all deployed since.
    verdict: back > 0 ? "some" : verdictOf(counts),
    rows: shown.toSorted(byWeight).slice(0, limits.previewRows),
    movedSkus: moved.map(({ sku }) => sku),
  };
}

function verdictOf({ total, moved, notMoved }: Pick<Summary, "total" | "moved" | "notMoved">) {
  if (moved > 0) return moved === total ? "all" : "some";
  return notMoved === total ? "none" : "unclear";
}

const weights = { moved: 0, unknown: 1, not_moved: 2 } as const;

/** What looks moved first, then what nobody can tell of; the largest first among equals. */
function byWeight(one: ReleasePreviewRow, other: ReleasePreviewRow): number {
  const heavier = weights[one.looks] - weights[other.looks];
  if (heavier !== 0) return heavier;
  const larger = Math.abs(other.delta) - Math.abs(one.delta);
  if (larger !== 0) return larger;
  return one.sku < other.sku ? -1 : 1;
}

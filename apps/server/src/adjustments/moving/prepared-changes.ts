import type { ChunkChange } from "../../database/tables.ts";
import { quantityText } from "../../kernel/formats.ts";
import { unmovableNotes, unmovableReason } from "../planning/shop-check.ts";
import type { Direction } from "../queries.ts";
import type { RowOutcome } from "./interpret-answer.ts";
import type { RecordedRow, WaitingRow } from "./row-queries.ts";
import { hasChangedSinceStocked } from "./stock-here.ts";
import type { Levels } from "./stock-readings.ts";

/** Shopify's Int. */
const largestChange = 2 ** 31 - 1;

/** The changes that rows are sent with, by the levels just read, and the rows that stay behind. */
export function changesOf(direction: Direction, waiting: readonly WaitingRow[], levels: Levels) {
  const changes: ChunkChange[] = [];
  const unmovable: RecordedRow[] = [];
  for (const row of waiting) {
    const { sku, chunk, delta, inventoryItemId } = row;
    const level = levels.get(inventoryItemId) ?? null;
    const reason = unmovableReason(level, direction);
    if (reason !== null) {
      const outcome = { state: "not_moved", note: unmovableNotes[reason], unmovable: reason } as const;
      unmovable.push(recordedRow(sku, chunk, outcome));
    } else if (hasChangedSinceStocked(row, level)) {
      unmovable.push(recordedRow(sku, chunk, changedSinceStocked(row)));
    } else if (Math.abs(delta) > largestChange) {
      // Shopify would refuse the whole call.
      const note = `Shopify takes no change of more than ${quantityText(largestChange)} units at once.`;
      unmovable.push(recordedRow(sku, chunk, { state: "not_moved", note, unmovable: null }));
    } else if (level !== null) {
      const { available: changeFromQuantity, onHand, committed, availableUpdatedAt } = level;
      changes.push({
        sku,
        inventoryItemId,
        delta,
        changeFromQuantity,
        onHand,
        committed,
        availableUpdatedAt,
      });
    }
  }
  return { changes, unmovable };
}

/** Its delta would come on top of what somebody has entered. A doubtful row may be what a lost send has moved. */
function changedSinceStocked({ doubtful }: WaitingRow): RowOutcome {
  const note = "Its stock at this location has changed since it was stocked there for the deploy.";
  if (doubtful) return { state: "unclear", note, doubtful };
  return { state: "not_moved", note, unmovable: "NOT_STOCKED" };
}

/** A row with its outcome, as it is recorded. */
export function recordedRow(sku: string, chunk: number, outcome: RowOutcome): RecordedRow {
  return { sku, chunk, doubtful: false, unmovable: null, note: null, byReading: false, ...outcome };
}

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { AdjustmentRowsTable } from "../../database/tables.ts";
import type { LiveLevel } from "../../shopify/shopify.ts";
import type { WaitingRow } from "./row-queries.ts";
import { inStep, type StockMove, seenWaits } from "./stock-move.ts";

/** The rows of a chunk that have to be stocked at the location before their deltas go. */
export function rowsToStock(rows: readonly WaitingRow[]): WaitingRow[] {
  return rows.filter(({ keptOnHand, activation }) => keptOnHand !== null && activation !== "done");
}

/**
 * Stocks items at the location where they were found. What is to be done is committed with its key before the first call;
 * a process that dies in between, or an answer that is lost, is continued from what Shopify has: the call sets no
 * quantity, so that it may be repeated. What can't be stocked, and what has changed meanwhile, stays behind and is named.
 */
export async function stockHere(move: StockMove, rows: readonly WaitingRow[]): Promise<void> {
  const { context, session, job } = move;
  const items = rows.map(({ inventoryItemId }) => inventoryItemId);
  const levels = await context.platform.liveLevels(session.shopifyLocationId, items, job.signal, seenWaits);
  const intended = await inStep(move, (transaction) => intend(transaction, move, rows, levels));
  for (const { sku, inventoryItemId, key, stocked } of intended) {
    job.checkLease();
    const request = { inventoryItemId, shopifyLocationId: session.shopifyLocationId, idempotencyKey: key };
    const refusal = stocked ? null : await context.platform.activate(request, job.signal, seenWaits);
    await inStep(move, (transaction) => record(transaction, move, sku, outcomeOf(refusal)));
  }
}

/**
 * Whether an item that was stocked for the deploy has other stock by now than Shopify had kept of it: staff see it there, and may have
 * entered what was found.
 */
export function hasChangedSinceStocked(
  { keptOnHand, activation }: Pick<WaitingRow, "keptOnHand" | "activation">,
  level: LiveLevel | null,
): boolean {
  return activation === "done" && keptOnHand !== null && level !== null && level.onHand !== keptOnHand;
}

interface Intended {
  readonly sku: string;
  readonly inventoryItemId: string;
  readonly key: string;
  /** A call whose answer was lost has done it. */
  readonly stocked: boolean;
}

async function intend(
  transaction: Transaction,
  move: StockMove,
  rows: readonly WaitingRow[],
  levels: ReadonlyMap<string, LiveLevel | null>,
): Promise<Intended[]> {
  const intended: Intended[] = [];
  for (const { sku, inventoryItemId, keptOnHand, activation, activationKey } of rows) {
    const level = levels.get(inventoryItemId) ?? null;
    const begun = activation === "intended" ? activationKey : null;
    if (level !== null && level.onHand !== keptOnHand) {
      await record(transaction, move, sku, begun === null ? changedSince : changedSinceCall);
    } else if (begun !== null) {
      intended.push({ sku, inventoryItemId, key: begun, stocked: level?.stocked === true });
    } else if (level === null || level.stocked) {
      // Gone, or stocked by somebody else: its chunk says what comes of it.
      await record(transaction, move, sku, { keptOnHand: null });
    } else {
      const key = randomUUID();
      await record(transaction, move, sku, { activation: "intended", activationKey: key });
      intended.push({ sku, inventoryItemId, key, stocked: false });
    }
  }
  return intended;
}

type Recorded = Partial<
  Pick<AdjustmentRowsTable, "keptOnHand" | "activation" | "activationKey" | "unmovable" | "note">
> & { readonly state?: "not_moved"; readonly activatedAt?: ReturnType<typeof sql<Date>> };

const changedSince: Recorded = {
  state: "not_moved",
  unmovable: "NOT_STOCKED",
  note: "Its stock at this location has changed since the deploy was requested, so it was not stocked there.",
};

/** Somebody may have stocked it with what was counted: then the delta would come on top. */
const changedSinceCall: Recorded = {
  ...changedSince,
  note:
    "Its stock at this location has changed since the deploy was asked for, so it was not moved. " +
    "It may have been stocked there for the deploy.",
};

function outcomeOf(refusal: string | null): Recorded {
  if (refusal === null) return { activation: "done", activatedAt: sql<Date>`now()` };
  const note = `Shopify refused to stock it at this location: ${refusal}`;
  return { activation: "refused", state: "not_moved", unmovable: "NOT_STOCKED", note };
}

async function record(
  transaction: Transaction,
  { adjustmentId, direction }: StockMove,
  sku: string,
  change: Recorded,
): Promise<void> {
  await transaction
    .updateTable("adjustmentRows")
    .set(change)
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", direction)
    .where("sku", "=", sku)
    .execute();
}

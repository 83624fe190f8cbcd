import { type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { AdjustmentRowsTable, AdjustmentsTable } from "../database/tables.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import {
  findSession,
  isActiveAdjustment,
  lockSession,
  movesStock,
  type SessionRow,
} from "../sessions/sessions.ts";

export type Direction = AdjustmentRowsTable["direction"];

/** An adjustment that is applied in Shopify or on its way there, and the operation that works on it. */
type ActiveAdjustment = Selectable<AdjustmentsTable> & { readonly working: Direction | null };

/** The operation that is running on a row of `adjustments`. */
const workingOn = sql<Direction | null>`(
  select kind from operations
  where adjustment_id = adjustments.id and status = 'running' and kind in ('deploy', 'rollback'))`.as(
  "working",
);

/**
 * Holds of a row of `stock_ledger` that was booked since the row of `operations` beside it was asked for. Operations of earlier
 * releases say it by the time alone.
 */
export const bookedSinceAsked = sql<boolean>`coalesce(
  stock_ledger.id > (operations.input->>'ledgerBefore')::bigint, stock_ledger.created_at >= operations.created_at)`;

/**
 * Holds of a row of `adjustment_rows` that was not moved although Shopify may still be able to, and that nobody has
 * decided to leave as it is.
 */
export const resumableRow = sql<boolean>`(state = 'not_moved' and unmovable is null and settled_at is null)`;

/**
 * Holds of a row of `adjustments` whose deploy stopped half-way. An adjustment with unclear rows of its rollback is
 * partial too, but there is nothing left of its deploy to resume or to leave.
 */
export const partlyDeployed = sql<boolean>`(
  adjustments.status = 'partial' and adjustments.rollback_requested_at is null)`;

/** Holds of a row of `adjustments` of which a rollback has not taken everything back, or not certainly. */
export const partlyRolledBack = sql<boolean>`(
  adjustments.status = 'partial' and adjustments.rollback_requested_at is not null)`;

/**
 * Holds of a row of `adjustment_rows` that a rollback did not move and that nobody has decided to leave. It is tried again
 * whatever held it back: an item may be tracked again.
 */
export const rollbackLeft = sql<boolean>`(direction = 'rollback' and state = 'not_moved' and settled_at is null)`;

/** The session's adjustment that has neither failed nor been rolled back; there is one at most. */
export function findActiveAdjustment(
  reader: Database,
  sessionId: string,
): Promise<ActiveAdjustment | undefined> {
  return reader
    .selectFrom("adjustments")
    .selectAll()
    .select(workingOn)
    .where("sessionId", "=", sessionId)
    .where(isActiveAdjustment("adjustments"))
    .executeTakeFirst();
}

/** A deploy as it is asked for: by whom, and of how many SKUs. */
interface AskedDeploy {
  readonly caller: AdminCaller;
  readonly zeroUncounted: boolean;
  readonly totalAdjustments: number;
}

/** Inserts an adjustment that waits for its rows, on the basis that the session has now. Resolves to its id. */
export async function insertAdjustment(
  transaction: Transaction,
  session: SessionRow,
  { caller, zeroUncounted, totalAdjustments }: AskedDeploy,
): Promise<string> {
  const { id } = await transaction
    .insertInto("adjustments")
    .values({
      sessionId: session.id,
      basis: session.basis,
      zeroUncounted,
      totalAdjustments,
      note: null,
      appliedBy: caller.userId,
      rollbackRequestedBy: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The session of an adjustment. @throws ApiError NOT_FOUND. */
export async function findSessionOf(
  reader: Database,
  caller: AdminCaller,
  adjustmentId: string,
): Promise<SessionRow> {
  const adjustment = await reader
    .selectFrom("adjustments")
    .select("sessionId")
    .where("id", "=", adjustmentId)
    .executeTakeFirst();
  if (adjustment === undefined) throw notFound("The adjustment");
  return findSession(reader, caller, adjustment.sessionId);
}

/** The same, locked until the transaction ends. */
export async function lockSessionOf(transaction: Transaction, caller: AdminCaller, adjustmentId: string) {
  const { id } = await findSessionOf(transaction, caller, adjustmentId);
  return lockSession(transaction, id);
}

/** @throws ApiError DEPLOY_RUNNING, ROLLBACK_RUNNING. */
export async function requireIdle(reader: Database, adjustmentId: string): Promise<void> {
  const { working } = await reader
    .selectFrom("adjustments")
    .select(workingOn)
    .where("id", "=", adjustmentId)
    .executeTakeFirstOrThrow();
  if (working === "deploy") {
    throw new ApiError("DEPLOY_RUNNING", "The deploy is still running. Try again when it is done.");
  }
  if (working === "rollback") {
    throw new ApiError("ROLLBACK_RUNNING", "The rollback is still running. Try again when it is done.");
  }
}

/**
 * Throws SESSION_ENDING while the end snapshot of another session of the Shopify location is being read, and
 * DEPLOY_RUNNING while another one moves its stock: what a move has to do depends on what the others have done.
 */
export async function requireStockIdle(reader: Database, session: SessionRow): Promise<void> {
  await requireNoEndSnapshot(reader, session);
  if (await movesStock(reader, session.shopifyLocationId)) {
    throw new ApiError(
      "DEPLOY_RUNNING",
      "Another session of this Shopify location is being deployed or rolled back right now. " +
        "Nothing was changed. Try again when that is done.",
    );
  }
}

async function requireNoEndSnapshot(reader: Database, session: SessionRow): Promise<void> {
  const ending = await reader
    .selectFrom("sessions")
    .select("id")
    .where("shopifyLocationId", "=", session.shopifyLocationId)
    .where("status", "=", "ending")
    .executeTakeFirst();
  if (ending === undefined) return;
  throw new ApiError(
    "SESSION_ENDING",
    "Another session of this Shopify location is being ended right now, so its stock is being read. " +
      "Nothing was changed. Try again when that is done.",
  );
}

/** When a move of an item's stock was sent, and when its answer had been booked, in milliseconds since 1970. */
export interface OwnMove {
  readonly sent: number;
  readonly booked: number;
}

/**
 * The last move of the session of each item that it has moved, whether it was moved back or not; null where nobody knows when
 * it was: its answer was lost, or a person has settled it.
 */
export async function readOwnMoves(
  reader: Database,
  sessionId: string,
): Promise<ReadonlyMap<string, OwnMove | null>> {
  const rows = await reader
    .selectFrom("stockLedger")
    .leftJoin("adjustmentChunks as chunk", (join) =>
      join.onRef("chunk.id", "=", "stockLedger.chunkId").on("chunk.answerLost", "=", false),
    )
    .select(["inventoryItemId", "stockLedger.createdAt", "chunk.sentAt"])
    .distinctOn("inventoryItemId")
    .where("stockLedger.sessionId", "=", sessionId)
    .orderBy("inventoryItemId")
    .orderBy("stockLedger.id", "desc")
    .execute();
  return new Map(
    rows.map(({ inventoryItemId, createdAt, sentAt }) => [
      inventoryItemId,
      sentAt === null ? null : { sent: sentAt.getTime(), booked: createdAt.getTime() },
    ]),
  );
}

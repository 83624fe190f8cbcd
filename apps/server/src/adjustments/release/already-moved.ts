import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { insertUnsentChunks } from "../moving/chunk-queries.ts";
import { conclude } from "../moving/conclude.ts";
import { dateRows, queueRows } from "../moving/row-queries.ts";
import type { RowToMove } from "../planning/plan-deploy.ts";
import { type Direction, insertAdjustment, requireStockIdle } from "../queries.ts";
import type { Question, QuestionRow } from "./question.ts";
import type { UnknownTime } from "./restored-queries.ts";

/** What the administrator says was moved since the backup. */
export interface AlreadyMoved {
  /** All in question, or these SKUs. */
  readonly skus: "all" | readonly string[];
  /** With "all": also what nobody counted. */
  readonly zeroUncounted: boolean;
}

const movedNote = "Settled by hand at the release after a restore: it had been moved already.";
const unknownNote =
  "Its stock has moved since the backup: nobody can tell whether it was moved by this report.";
const notMovedNote = "Not named as moved at the release after a restore.";

interface Booking {
  readonly caller: AdminCaller;
  readonly session: SessionRow;
  readonly question: Question;
  readonly time: UnknownTime;
}

/**
 * The rows that are named. @throws ApiError NOT_FOUND for a SKU that is not in question: booked, it would be taken back by
 * a rollback without having been moved.
 */
export function chooseRows({ rows }: Question, { skus, zeroUncounted }: AlreadyMoved): QuestionRow[] {
  if (skus === "all") {
    return rows.filter(({ uncounted, perhapsBack }) => !perhapsBack && (zeroUncounted || !uncounted));
  }
  const bySku = new Map(rows.map((row) => [row.sku, row]));
  return [...new Set(skus)].map((sku) => {
    const row = bySku.get(sku);
    if (row === undefined) throw notFound(`The SKU ${sku} among what may have been moved`);
    return row;
  });
}

/**
 * Books rows as moved since the backup: nothing is sent for them, the report is deployed or rolled back by so much, and
 * what was not named goes the ways of a deploy or a rollback that stopped half-way.
 * @throws ApiError DEPLOY_RUNNING, SESSION_ENDING.
 */
export async function bookAlreadyMoved(
  transaction: Transaction,
  booking: Booking,
  { moved, unknown }: { readonly moved: readonly QuestionRow[]; readonly unknown: readonly QuestionRow[] },
): Promise<void> {
  const { session, question } = booking;
  const adjustmentId =
    question.kind === "deploy"
      ? await insertDeploy(transaction, booking, moved)
      : (question.adjustmentId ?? "");
  const back = moved.filter(({ perhapsBack }) => perhapsBack);
  const others = moved.filter(({ perhapsBack }) => !perhapsBack);
  if (question.kind === "rollback") await askForRollback(transaction, booking, adjustmentId, question.rows);
  if (question.kind === "rest")
    await dateOpenRows(transaction, booking, adjustmentId, [...others, ...unknown]);
  await confirm(transaction, { adjustmentId, ...booking }, others);
  if (back.length > 0) {
    const deployedSince = others.map((row) => ({ ...row, delta: -row.delta }));
    const deployedBefore = question.rows.filter(({ perhapsBack }) => perhapsBack);
    await askForRollback(transaction, booking, adjustmentId, [...deployedBefore, ...deployedSince]);
    await confirm(transaction, { adjustmentId, ...booking }, back);
  }
  const left = await leaveUnknown(transaction, adjustmentId, unknown);
  for (const direction of ["deploy", "rollback"] as const) {
    if (left.has(direction) || moved.some((row) => row.direction === direction))
      await conclude(transaction, adjustmentId, direction);
  }
  if (question.kind !== "rest") await note(transaction, adjustmentId, session);
}

async function insertDeploy(
  transaction: Transaction,
  { caller, session, question, time }: Booking,
  moved: readonly QuestionRow[],
): Promise<string> {
  await requireStockIdle(transaction, session);
  const named = new Set(moved.map(({ sku }) => sku));
  const rows = question.rows.filter(({ sku, uncounted }) => !uncounted || named.has(sku));
  // Of some alone nobody says that the rest was to be zeroed too: as what nobody counted it stays, and says so.
  const ofUncounted = question.rows.filter(({ uncounted }) => uncounted);
  const zeroUncounted = ofUncounted.length > 0 && ofUncounted.every(({ sku }) => named.has(sku));
  const deploy = { caller, zeroUncounted, totalAdjustments: rows.length };
  const adjustmentId = await insertAdjustment(transaction, session, deploy);
  await queueAsDone(transaction, { session, adjustmentId, direction: "deploy", time }, rows);
  return adjustmentId;
}

async function askForRollback(
  transaction: Transaction,
  { caller, session, time }: Booking,
  adjustmentId: string,
  rows: readonly RowToMove[],
): Promise<void> {
  await requireStockIdle(transaction, session);
  await queueAsDone(transaction, { session, adjustmentId, direction: "rollback", time }, rows);
  await transaction
    .updateTable("adjustments")
    .set({ rollbackRequestedAt: sql<Date>`now()`, rollbackRequestedBy: caller.userId })
    .where("id", "=", adjustmentId)
    .execute();
}

interface Queue {
  readonly session: SessionRow;
  readonly adjustmentId: string;
  readonly direction: Direction;
  readonly time: UnknownTime;
}

/**
 * Queues rows and ends their chunks at once, as sent between the backup and the restore: what other sessions plan goes
 * by when the stock was moved.
 */
async function queueAsDone(
  transaction: Transaction,
  { session, adjustmentId, direction, time }: Queue,
  rows: readonly RowToMove[],
): Promise<void> {
  const queued = rows.map(({ sku, inventoryItemId, delta }) => ({ sku, inventoryItemId, delta }));
  await queueRows(transaction, { sessionId: session.id, adjustmentId, direction }, queued);
  const chunks = await transaction
    .updateTable("adjustmentRows")
    .set({ state: "not_moved", note: notMovedNote })
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", direction)
    .where("state", "=", "waiting")
    .returning("chunk")
    .execute();
  await insertUnsentChunks(transaction, {
    ...{ sessionId: session.id, adjustmentId, direction },
    chunks: [...new Set(chunks.map(({ chunk }) => chunk))],
    ...{ from: time.backupMadeAt, to: time.restoredAt, note: movedNote },
  });
}

/**
 * Of rows that were open in the backup, its attempts say nothing of when they were moved since: what had not been moved then was
 * moved after it, and what was unclear then may have been moved earlier too.
 */
async function dateOpenRows(
  transaction: Transaction,
  { session, time }: Booking,
  adjustmentId: string,
  rows: readonly QuestionRow[],
): Promise<void> {
  const open = await transaction
    .selectFrom("adjustmentRows")
    .select(["sku", "direction", "state"])
    .where("adjustmentId", "=", adjustmentId)
    .where("state", "in", ["not_moved", "unclear"])
    .execute();
  for (const direction of ["deploy", "rollback"] as const) {
    const named = new Set(rows.filter((row) => row.direction === direction).map(({ sku }) => sku));
    const ofDirection = open.filter((row) => row.direction === direction && named.has(row.sku));
    const moved = { sessionId: session.id, adjustmentId, direction, to: time.restoredAt };
    const skusOf = (state: string) => ofDirection.filter((row) => row.state === state).map(({ sku }) => sku);
    const since = { from: time.backupMadeAt, skus: skusOf("not_moved"), note: unknownNote };
    await dateRows(transaction, { ...moved, ...since });
    await dateRows(transaction, { ...moved, skus: skusOf("unclear"), note: unknownNote });
  }
}

/** The rows and what they book in the ledger, by the person who says so. */
async function confirm(
  transaction: Transaction,
  { adjustmentId, session, caller }: Booking & { readonly adjustmentId: string },
  moved: readonly QuestionRow[],
): Promise<void> {
  const named = JSON.stringify(moved.map(({ sku, direction }) => ({ sku, direction })));
  await sql`
    with confirmed as (
      update adjustment_rows row set state = 'confirmed', note = ${movedNote}, unmovable = null,
        settled_by = ${caller.userId}, settled_at = now()
      from jsonb_to_recordset(${named}::jsonb) as named(sku text, direction text)
      where row.adjustment_id = ${adjustmentId} and row.sku = named.sku and row.direction = named.direction
        and row.state in ('unclear', 'not_moved')
      returning row.direction, row.sku, row.inventory_item_id, row.delta)
    insert into stock_ledger (session_id, adjustment_id, direction, sku, inventory_item_id, delta)
    select ${session.id}, ${adjustmentId}, direction, sku, inventory_item_id, delta from confirmed`.execute(
    transaction,
  );
}

/**
 * Of what nobody can tell whether it was moved, a person looks it up: it is not sent again by resuming, whether it was queued
 * now or had not been moved in the backup. Returns the directions of what it left so.
 */
async function leaveUnknown(
  transaction: Transaction,
  adjustmentId: string,
  unknown: readonly QuestionRow[],
): Promise<ReadonlySet<Direction>> {
  const named = JSON.stringify(unknown.map(({ sku, direction }) => ({ sku, direction })));
  const { rows } = await sql<{ direction: Direction }>`
    update adjustment_rows row set state = 'unclear', note = ${unknownNote}
    from jsonb_to_recordset(${named}::jsonb) as named(sku text, direction text)
    where row.adjustment_id = ${adjustmentId} and row.sku = named.sku and row.direction = named.direction
      and row.state = 'not_moved' and row.settled_at is null and (row.unmovable is null or row.direction = 'rollback')
    returning row.direction`.execute(transaction);
  return new Set(rows.map(({ direction }) => direction));
}

/** Says in the history that nothing was sent; what the rows have come to follows where something is left. */
async function note(transaction: Transaction, adjustmentId: string, { id }: SessionRow): Promise<void> {
  const text = "Recorded by hand at the release after a restore: nothing was sent to Shopify.";
  await transaction
    .updateTable("adjustments")
    .set({ note: sql<string>`concat_ws(' ', ${text}::text, note)` })
    .where("id", "=", adjustmentId)
    .where("sessionId", "=", id)
    .execute();
}

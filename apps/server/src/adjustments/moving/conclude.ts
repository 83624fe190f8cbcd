import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { countText, quantityText } from "../../kernel/formats.ts";
import { type Direction, resumableRow } from "../queries.ts";

/** The rows of an adjustment in one direction, by what has become of them. */
interface Tally {
  readonly confirmed: number;
  readonly unclear: number;
  /** Of those confirmed: the ones whose answer was lost and that the shop's stock confirms. */
  readonly byReading: number;
  readonly notMoved: number;
  /** Those that were stocked at the location for it. */
  readonly stockedHere: number;
  /** Of those not moved: the ones that no later try can move either. */
  readonly unmovable: number;
  /** Of those not moved: the ones that nobody has decided to leave. */
  readonly left: number;
  /** Of those not moved: the ones that resuming a deploy would send again. */
  readonly resumable: number;
  /** How often another server process took it up. */
  readonly takeOvers: number;
  /** Why one was not moved. */
  readonly firstNote: string | null;
}

async function tallyRows(
  transaction: Transaction,
  adjustmentId: string,
  direction: Direction,
): Promise<Tally> {
  const { rows } = await sql<Tally>`
    select (count(*) filter (where state = 'confirmed'))::integer as confirmed,
      (count(*) filter (where state = 'unclear'))::integer as unclear,
      (count(*) filter (where by_reading and state = 'confirmed'))::integer as by_reading,
      (count(*) filter (where activation = 'done'))::integer as stocked_here,
      (count(*) filter (where state = 'not_moved'))::integer as not_moved,
      (count(*) filter (where state = 'not_moved' and unmovable is not null))::integer as unmovable,
      (count(*) filter (where state = 'not_moved' and settled_at is null))::integer as left,
      (count(*) filter (where ${resumableRow}))::integer as resumable,
      (select coalesce(sum(take_overs), 0)::integer from operations
        where operations.adjustment_id = ${adjustmentId} and kind = ${direction}) as take_overs,
      min(note) filter (where state = 'not_moved') as first_note
    from adjustment_rows where adjustment_id = ${adjustmentId} and direction = ${direction}`.execute(
    transaction,
  );
  const [tally] = rows;
  if (tally === undefined) throw new Error("A count without a row.");
  return tally;
}

function byReadingText(count: number): string {
  return `${countText(count, "SKU was", "SKUs were")} confirmed by reading Shopify's stock, as its answer was lost.`;
}

export function stockedHereText(count: number): string {
  const stay = count === 1 ? "stays" : "stay";
  return `${countText(count, "SKU was", "SKUs were")} stocked at this location and ${stay} active there, even after a rollback.`;
}

const skusText = (count: number) => countText(count, "SKU", "SKUs");

export function takenOverText(count: number): string {
  if (count === 1) return "The server that worked on it stopped, and another server process took it up.";
  return `Servers that worked on it stopped ${quantityText(count)} times, and another server process took it up each time.`;
}

function noteOf(
  { unclear, notMoved, byReading, stockedHere, takeOvers }: Tally,
  notMovedText: string,
): string | null {
  const sentences = [
    ...(unclear > 0 ? [`${skusText(unclear)} must be looked up in Shopify and settled here.`] : []),
    ...(notMoved > 0 ? [`${skusText(notMoved)} ${notMovedText}.`] : []),
    ...(byReading > 0 ? [byReadingText(byReading)] : []),
    ...(stockedHere > 0 ? [stockedHereText(stockedHere)] : []),
    ...(takeOvers > 0 ? [takenOverText(takeOvers)] : []),
  ];
  return sentences.length === 0 ? null : sentences.join(" ");
}

function deployStatus({ confirmed, unclear, resumable }: Tally): "applied" | "partial" | "failed" {
  if (confirmed + unclear === 0) return "failed";
  return unclear + resumable > 0 ? "partial" : "applied";
}

/**
 * Writes what a deploy has come to once no row waits any more: `failed` where none was moved, `partial` while a person
 * has rows to settle or to resume, else `applied`.
 */
async function concludeDeploy(transaction: Transaction, adjustmentId: string): Promise<Tally> {
  const tally = await tallyRows(transaction, adjustmentId, "deploy");
  const moved = tally.confirmed + tally.unclear;
  await transaction
    .updateTable("adjustments")
    .set({
      status: deployStatus(tally),
      note: noteOf(tally, "could not be moved"),
      ...(moved > 0 ? { totalAdjustments: moved } : {}),
    })
    .where("id", "=", adjustmentId)
    .execute();
  return tally;
}

/**
 * Writes what a rollback has come to: rolled back once each row is confirmed or a person has decided to leave it, else
 * `partial`, so that it can be resumed.
 */
async function concludeRollback(transaction: Transaction, adjustmentId: string): Promise<Tally> {
  const tally = await tallyRows(transaction, adjustmentId, "rollback");
  const whole = tally.unclear + tally.left === 0;
  const rest = tally.left > 0 ? ". Resume the rollback, or settle what is left" : "";
  await transaction
    .updateTable("adjustments")
    .set({
      status: whole ? "applied" : "partial",
      note: noteOf(tally, `could not be moved back${rest}`),
      ...(whole ? { rolledBackAt: sql<Date>`now()` } : {}),
    })
    .where("id", "=", adjustmentId)
    .execute();
  return tally;
}

/** Ends a deploy or a rollback once no row waits any more; whether it failed, and why a row was not moved. */
export async function conclude(
  transaction: Transaction,
  adjustmentId: string,
  direction: Direction,
): Promise<{ readonly failed: boolean; readonly firstNote: string | null }> {
  const concludeMove = direction === "deploy" ? concludeDeploy : concludeRollback;
  const tally = await concludeMove(transaction, adjustmentId);
  return { failed: hasFailed(tally, direction), firstNote: tally.firstNote };
}

function hasFailed({ confirmed, unclear, notMoved, unmovable }: Tally, direction: Direction): boolean {
  if (confirmed + unclear > 0 || notMoved === 0) return false;
  return direction === "deploy" || notMoved > unmovable;
}

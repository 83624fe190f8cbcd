import { sql } from "kysely";
import { type NewAuditEntry, serverActor } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { type Attempt, compareClosed, isOfPass } from "../../passes/passes.ts";
import { markAfterEnd } from "../exceptions/after-end-queries.ts";
import { askedEntry } from "./asked-entry.ts";

type Compared = Pick<Attempt, "sessionId" | "areaId" | "ofPass">;

/**
 * Compares a count that was closed: a third count begins, or figures count now instead of the first. Returns what is to be recorded
 * of that, once every total is written: the log's chain is locked last.
 */
export async function settleClosed(
  transaction: Transaction,
  closed: Attempt,
): Promise<readonly NewAuditEntry[]> {
  const { thirdPass, replaced } = await compareClosed(transaction, closed);
  await markReplaced(transaction, closed, replaced);
  if (thirdPass === null) return [];
  return [await askedEntry(transaction, serverActor, { ...closed, pass: thirdPass, round: 3 })];
}

/** Scans that count from now on and were made while or after the end was read make their figure as uncertain as any that do. */
export async function markReplaced(
  transaction: Transaction,
  { sessionId, areaId, ofPass }: Compared,
  skus: readonly string[],
): Promise<void> {
  if (skus.length === 0) return;
  const { rows } = await sql<{ id: number; sku: string }>`
    select id, sku from scans
    where ${isOfPass({ sessionId, areaId, pass: ofPass })} and status = 'counted' and sku = any(${skus}::text[])`.execute(
    transaction,
  );
  await markAfterEnd(transaction, sessionId, rows, new Map());
}

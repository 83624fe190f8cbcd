import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { endings } from "../endings.ts";
import { isOfPass } from "../queries.ts";
import { type Attempt, beginAttempt, endAttempt } from "./attempt-queries.ts";
import { compareSecond, compareThird } from "./compare.ts";

interface Restarted {
  readonly pass: number;
  readonly status: "not_started" | "in_progress";
  /** In units. */
  readonly voidedScans: number;
}

/** Voids what an attempt scanned and begins the next one of its round. */
export async function restartAttempt(
  transaction: Transaction,
  attempt: Attempt,
  { endedAs, endedBy }: { readonly endedAs: "reset" | "mismatched"; readonly endedBy: string },
): Promise<Restarted> {
  const { reason, status } = endings[endedAs];
  const { rows } = await sql<{ units: number }>`
    with voided as (
      update scans
      set status = 'voided', reason = ${reason}, voided_from = case when sku is null then 'unresolved' else 'counted' end,
        voided_from_reason = reason, voided_by = ${endedBy}, voided_at = now()
      where ${isOfPass(attempt)} and status = 'compared'
      returning quantity)
    select coalesce(sum(quantity), 0)::bigint as units from voided`.execute(transaction);
  await endAttempt(transaction, attempt, endedAs, endedBy);
  const askedBy = await askerOf(transaction, attempt);
  const pass = await beginAttempt(transaction, { ...attempt, askedBy, status });
  return { pass, status, voidedScans: rows[0]?.units ?? 0 };
}

async function askerOf(transaction: Transaction, attempt: Attempt): Promise<string | null> {
  const { askedBy } = await transaction
    .selectFrom("secondCounts")
    .select("askedBy")
    .where(isOfPass(attempt))
    .executeTakeFirstOrThrow();
  return askedBy;
}

interface Declared {
  readonly deviceId: string;
  readonly declaredTotal: number;
  readonly endedBy: string;
}

interface FinishedAttempt {
  readonly matched: boolean;
  readonly serverTotal: number;
  readonly pass: number;
  readonly status: Attempt["status"];
}

/** Closes an attempt where the declared total is what it scanned; otherwise the next one begins. */
export async function finishAttempt(
  transaction: Transaction,
  attempt: Attempt,
  { deviceId, declaredTotal, endedBy }: Declared,
): Promise<FinishedAttempt> {
  const serverTotal = await comparedUnits(transaction, attempt);
  await transaction
    .updateTable("secondCounts")
    .set({ declaredTotal, serverTotal, finishedByDevice: deviceId })
    .where(isOfPass(attempt))
    .execute();
  if (serverTotal !== declaredTotal) {
    const { pass, status } = await restartAttempt(transaction, attempt, { endedAs: "mismatched", endedBy });
    return { matched: false, serverTotal, pass, status };
  }
  await endAttempt(transaction, attempt, "closed", endedBy);
  return { matched: true, serverTotal, pass: attempt.pass, status: "closed" };
}

/** What comparing came to: the pass of a third count that begins, and the SKUs whose figure is now that of the second. */
interface Comparison {
  readonly thirdPass: number | null;
  readonly replaced: readonly string[];
}

/** Compares an attempt that was closed with the counts before it. A third count begins where the second differs in any SKU. */
export async function compareClosed(transaction: Transaction, closed: Attempt): Promise<Comparison> {
  if (closed.round === 3) return { thirdPass: null, replaced: await compareThird(transaction, closed) };
  const differs = await compareSecond(transaction, closed);
  if (!differs) return { thirdPass: null, replaced: [] };
  const third = {
    ...closed,
    round: 3,
    askedBy: null,
    status: "not_started",
    origin: "difference",
    sample: null,
  } as const;
  return { thirdPass: await beginAttempt(transaction, third), replaced: [] };
}

/** How many units an attempt has scanned of products, over all devices. */
export async function comparedUnits(transaction: Transaction, attempt: Attempt): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(quantity), 0)::bigint as units from scans
    where ${isOfPass(attempt)} and status = 'compared' and sku is not null`.execute(transaction);
  return rows[0]?.units ?? 0;
}

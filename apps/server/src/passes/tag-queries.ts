import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { endings, isVoiding } from "./endings.ts";
import { addToTotals, isOfPass, type Pass } from "./queries.ts";

/**
 * Locks tags, in one order for all: whoever decides what a read of one becomes, or lets one count again. After the areas and before
 * the totals.
 */
export async function lockTags(
  transaction: Transaction,
  sessionId: string,
  tags: readonly string[],
): Promise<void> {
  if (tags.length === 0) return;
  await sql`
    insert into tags (session_id, tag)
    select distinct ${sessionId}::uuid, tag from unnest(${tags}::text[]) as given (tag) order by tag
    on conflict do nothing`.execute(transaction);
  await sql`
    select from tags where session_id = ${sessionId} and tag = any(${tags}::text[])
    order by tag for update`.execute(transaction);
}

/** Locks the tags of those of the session's scans that the condition over `scans` selects. */
export async function lockTagsOf(
  transaction: Transaction,
  sessionId: string,
  condition: RawBuilder<boolean>,
): Promise<void> {
  await sql`
    select from tags where session_id = ${sessionId}
      and tag in (select tag from scans where ${condition} and tag is not null)
    order by tag for update`.execute(transaction);
}

/** Condition over `scans`: another scan counts the item of its tag. */
export const isTagCounted = sql<boolean>`(scans.tag is not null and exists (
  select from scans other
  where other.session_id = scans.session_id and other.tag = scans.tag and other.status = 'counted'))`;

/** A scan as it was before it was undone. */
export interface UndoneRead {
  readonly tag: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly sku: string | null;
  readonly voidedFrom: string | null;
  readonly voidedFromReason: string | null;
  readonly voidedBy: string | null;
  readonly voidedAt: Date | null;
}

/** Nobody has decided on the next read of a tag: it waits as the one did that was dismissed, or is voided with its pass since. */
async function asUndecided(transaction: Transaction, pass: Pass, read: UndoneRead): Promise<UndoneRead> {
  if (read.reason !== "DISMISSED") return read;
  const { voidedFrom: status = null, voidedFromReason: reason } = read;
  const notVoided = { voidedFrom: null, voidedFromReason: null, voidedBy: null, voidedAt: null };
  // A late scan was no part of its pass.
  if (status === null) return { ...read, ...notVoided, status: "late", reason };
  const ending = await endingOf(transaction, pass);
  if (ending === undefined) return { ...read, ...notVoided, status, reason };
  const voided = { status: "voided", reason: endings[ending.endedAs].reason };
  return { ...read, ...voided, voidedBy: ending.endedBy, voidedAt: ending.endedAt };
}

/** How the pass was voided; undefined where it counts, or was restored under another number. */
async function endingOf(transaction: Transaction, pass: Pass) {
  const row = await transaction
    .selectFrom("areaPasses")
    .select(["endedAs", "endedBy", "endedAt"])
    .where(isOfPass(pass))
    .executeTakeFirst();
  return row !== undefined && isVoiding(row.endedAs) ? { ...row, endedAs: row.endedAs } : undefined;
}

/**
 * Of an item that was read again in the same pass, the next read becomes what the one was that was undone: it is as if that had never
 * been made. The caller holds the area FOR UPDATE, so nobody reads in the pass meanwhile.
 */
export async function handTagOver(transaction: Transaction, pass: Pass, undone: UndoneRead): Promise<void> {
  const { tag, status, reason, sku, voidedFrom, voidedFromReason, voidedBy, voidedAt } = await asUndecided(
    transaction,
    pass,
    undone,
  );
  if (tag === null || reason === "UNDONE" || reason === "TAG_COUNTED") return;
  const { rows } = await sql<{ id: number }>`
    update scans set status = ${status}, reason = ${reason}, sku = coalesce(${sku}, sku), voided_from = ${voidedFrom},
      voided_from_reason = ${voidedFromReason}, voided_by = ${voidedBy}::uuid, voided_at = ${voidedAt}::timestamptz
    where id = (
      select min(id) from scans
      where ${isOfPass(pass)} and tag = ${tag} and status = 'voided' and reason = 'TAG_COUNTED')
    returning id`.execute(transaction);
  const [next] = rows;
  if (next !== undefined) await addToTotals(transaction, sql<boolean>`scan.id = ${next.id}`);
}

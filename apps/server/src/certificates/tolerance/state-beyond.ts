import type { CallRequest, stateBeyondTolerance } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, recordAudit, sessionSubject, skusNamedAtMost } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { findSession, lockSession } from "../../sessions/sessions.ts";
import { readWholeSession } from "../certificate-queries.ts";
import type { CertificateServices } from "../services.ts";
import { type BeyondRow, isOpen, readBeyond } from "./beyond-queries.ts";

type Given = CallRequest<typeof stateBeyondTolerance>["body"];

/**
 * Says of SKUs beyond tolerance that an ended session does without another count of them, or takes that back. What is so already stays as it
 * is, and so does what nobody owes. Another figure of a SKU contradicts what was said of it.
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE.
 */
export async function stateOfBeyond(
  { database, events }: CertificateServices,
  caller: AdminCaller,
  sessionId: string,
  given: Given,
): Promise<{ changed: number }> {
  const changed = await database.transaction().execute(async (transaction) => {
    const { storeName } = await findSession(transaction, caller, sessionId);
    const session = await lockSession(transaction, sessionId);
    if (session.status !== "closed") throw stillCounting();
    await readWholeSession(transaction);
    const { skus, stated } = given;
    const reason = given.reason ?? "";
    const wanted = skus === undefined ? null : new Set(skus);
    const rows = (await readBeyond(transaction, { ...session, storeName })).filter(
      (row) => (wanted?.has(row.sku) ?? true) && (stated ? isOpen(row) : row.said !== null),
    );
    if (rows.length === 0) return 0;
    if (stated) await insert(transaction, caller, { sessionId, rows, reason });
    else await remove(transaction, sessionId, rows);
    const facts = { skus: rows.length, named: rows.slice(0, skusNamedAtMost).map(({ sku }) => sku) };
    await recordAudit(transaction, {
      ...{ sessionId, actor: actorOf(caller), subject: await sessionSubject(transaction, sessionId) },
      action: stated ? "coverage.difference_stated" : "coverage.difference_taken_back",
      ...{ before: stated ? null : facts, after: stated ? { ...facts, reason } : null },
    });
    return rows.length;
  });
  if (changed > 0) events.publish({ type: "adjustment", sessionId });
  return { changed };
}

function stillCounting(): ApiError {
  return new ApiError(
    "SESSION_ACTIVE",
    "This session is still active. Nothing was changed. Ask for a second count of what is beyond tolerance; what still lacks one can be done without once the session has ended.",
  );
}

interface Stated {
  readonly sessionId: string;
  readonly rows: readonly BeyondRow[];
  readonly reason: string;
}

async function insert(
  transaction: Transaction,
  { userId }: AdminCaller,
  { sessionId, rows, reason }: Stated,
): Promise<void> {
  const listed = JSON.stringify(rows.map(({ sku, counted }) => ({ sku, counted })));
  await sql`
    insert into tolerance_statements (session_id, sku, reason, counted, stated_by)
    select ${sessionId}::uuid, stated.sku, ${reason}, stated.counted, ${userId}::uuid
    from jsonb_to_recordset(${listed}::jsonb) as stated(sku text, counted bigint)
    on conflict (session_id, sku) do update
    set reason = excluded.reason, counted = excluded.counted, stated_by = excluded.stated_by,
      stated_at = clock_timestamp()`.execute(transaction);
}

async function remove(
  transaction: Transaction,
  sessionId: string,
  rows: readonly BeyondRow[],
): Promise<void> {
  await sql`
    delete from tolerance_statements
    where session_id = ${sessionId} and sku = any(${rows.map(({ sku }) => sku)}::text[])`.execute(
    transaction,
  );
}

import type { CallRequest, leaveStockAlone } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, recordAudit, sessionSubject, skusNamedAtMost } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import type { AuditFacts } from "../database/tables.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { countedSkus, joinAsAWhole, readOfSession } from "../reports/reports.ts";
import { lockSession, requireUndeployed } from "../sessions/sessions.ts";
import type { CertificateServices } from "./services.ts";
import { coveredStock } from "./stock-queries.ts";

type Given = CallRequest<typeof leaveStockAlone>["body"];

/**
 * Leaves SKUs alone that nobody has counted and nobody has said are not there, or takes that back. Their stock stays as it is: nothing is
 * set to zero by it, and a count of them overrides it. Not once the report is deployed: its deploy may have set them to zero, and what it
 * left alone is on record. @throws ApiError NOT_FOUND, REPORT_DEPLOYED.
 */
export async function leaveAlone(
  { database, events }: CertificateServices,
  caller: AdminCaller,
  sessionId: string,
  given: Given,
): Promise<{ changed: number }> {
  const chosen = await chooseSkus(database, caller, sessionId, given);
  const changed = await database.transaction().execute(async (transaction) => {
    await lockSession(transaction, sessionId);
    await requireUndeployed(transaction, sessionId);
    const skus = given.leftAlone
      ? await insert(transaction, caller, { sessionId, chosen, reason: given.reason ?? "" })
      : await remove(transaction, sessionId, chosen);
    if (skus.length === 0) return 0;
    const facts = factsOf(given, skus);
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: given.leftAlone ? "coverage.left_alone" : "coverage.taken_up",
      subject: await sessionSubject(transaction, sessionId),
      before: given.leftAlone ? null : facts,
      after: given.leftAlone ? { ...facts, reason: given.reason ?? null } : null,
    });
    return skus.length;
  });
  if (changed > 0) events.publish({ type: "adjustment", sessionId });
  return { changed };
}

/** Read before the session is locked, which whoever finishes or resets an area waits for. What is taken back may have been counted since. */
function chooseSkus(
  database: Database,
  caller: AdminCaller,
  sessionId: string,
  { every, skus, leftAlone }: Given,
): Promise<readonly string[]> {
  return readOfSession(database, caller, sessionId, async (reader, session) => {
    const { rows } = await sql<{ sku: string }>`
      with ${coveredStock(session, skus === undefined ? { ...every } : { skus })}
      select sku from covered
      where ${leftAlone ? sql`state = 'open'` : sql`sku in (select sku from left_alone_items where session_id = ${sessionId})`}`.execute(
      reader,
    );
    return rows.map(({ sku }) => sku);
  });
}

interface LeftAlone {
  readonly sessionId: string;
  readonly chosen: readonly string[];
  readonly reason: string;
}

async function insert(
  transaction: Transaction,
  { userId }: AdminCaller,
  { sessionId, chosen, reason }: LeftAlone,
): Promise<readonly string[]> {
  await joinAsAWhole(transaction);
  const { rows } = await sql<{ sku: string }>`
    insert into left_alone_items (session_id, sku, reason, left_by)
    select ${sessionId}::uuid, chosen.sku, ${reason}, ${userId}::uuid from unnest(${chosen}::text[]) chosen (sku)
    where not exists (select from ${countedSkus(sessionId)} counted where counted.sku = chosen.sku)
    on conflict do nothing returning sku`.execute(transaction);
  return rows.map(({ sku }) => sku);
}

async function remove(
  transaction: Transaction,
  sessionId: string,
  chosen: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ sku: string }>`
    delete from left_alone_items
    where session_id = ${sessionId} and sku = any(${chosen}::text[]) returning sku`.execute(transaction);
  return rows.map(({ sku }) => sku);
}

function factsOf({ every }: Given, skus: readonly string[]): AuditFacts {
  const { vendor = null, productType = null, words = null } = every ?? {};
  return {
    skus: skus.length,
    named: skus.toSorted().slice(0, skusNamedAtMost),
    ...(every === undefined ? {} : { every: { vendor, productType, words } }),
  };
}

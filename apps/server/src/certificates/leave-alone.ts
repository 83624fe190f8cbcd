import type { CallRequest, leaveStockAlone } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, recordAudit, sessionSubject } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import type { AuditFacts } from "../database/tables.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { findSession, lockSession, type SessionRow } from "../sessions/sessions.ts";
import { readWholeSession } from "./certificate-queries.ts";
import type { CertificateServices } from "./services.ts";
import { coveredStock } from "./stock-queries.ts";

type Given = CallRequest<typeof leaveStockAlone>["body"];

/** SKUs that an entry of the log names; beyond these it says how many there are. */
const namedAtMost = 20;

/**
 * Leaves SKUs alone that nobody has counted and nobody has said are not there, or takes that back. Their stock stays as it is: nothing is
 * set to zero by it, and a count of them stands above it. @throws ApiError NOT_FOUND.
 */
export async function leaveAlone(
  { database, events }: CertificateServices,
  caller: AdminCaller,
  sessionId: string,
  given: Given,
): Promise<{ changed: number }> {
  const changed = await database.transaction().execute(async (transaction) => {
    const { storeName } = await findSession(transaction, caller, sessionId);
    const session = { ...(await lockSession(transaction, sessionId)), storeName };
    await readWholeSession(transaction);
    const skus = given.leftAlone
      ? await insert(transaction, caller, session, given)
      : await remove(transaction, session, given);
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

const wanted = ({ every, skus }: Given) => (skus === undefined ? { ...every } : { skus });

async function insert(
  transaction: Transaction,
  { userId }: AdminCaller,
  session: SessionRow,
  given: Given,
): Promise<readonly string[]> {
  const { rows } = await sql<{ sku: string }>`
    with ${coveredStock(session, wanted(given))}
    insert into left_alone_items (session_id, sku, reason, left_by)
    select ${session.id}::uuid, sku, ${given.reason ?? ""}, ${userId}::uuid from covered where state = 'open'
    on conflict do nothing returning sku`.execute(transaction);
  return rows.map(({ sku }) => sku);
}

/** Those too that were counted since: what was said of them goes. */
async function remove(
  transaction: Transaction,
  session: SessionRow,
  given: Given,
): Promise<readonly string[]> {
  const { rows } = await sql<{ sku: string }>`
    with ${coveredStock(session, wanted(given))}
    delete from left_alone_items alone using covered
    where alone.session_id = ${session.id} and covered.sku = alone.sku returning alone.sku`.execute(
    transaction,
  );
  return rows.map(({ sku }) => sku);
}

function factsOf({ every }: Given, skus: readonly string[]): AuditFacts {
  const { vendor = null, productType = null, words = null } = every ?? {};
  return {
    skus: skus.length,
    named: skus.toSorted().slice(0, namedAtMost),
    ...(every === undefined ? {} : { every: { vendor, productType, words } }),
  };
}

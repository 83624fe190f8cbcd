import type { CallRequest, decideSearch } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, productSubject, recordAudit } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { readSaid } from "../reports/reports.ts";
import { lockSession, requireUndeployed } from "../sessions/sessions.ts";
import type { SearchServices } from "./services.ts";

type Given = CallRequest<typeof decideSearch>["body"];

/**
 * Says which answer about a SKU is right, until somebody who looks for it says otherwise; also after the end, until the report is
 * deployed. @throws ApiError NOT_FOUND for a SKU of which nobody has said anything, REPORT_DEPLOYED.
 */
export async function decideAnswer(
  { database, events }: SearchServices,
  caller: AdminCaller,
  sessionId: string,
  { sku, answer }: Given,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockSession(transaction, sessionId);
    await requireUndeployed(transaction, sessionId);
    const before = await readActiveDecision(transaction, sessionId, sku);
    await sql`
      insert into search_decisions (session_id, sku, answer, decided_by)
      values (${sessionId}, ${sku}, ${answer}, ${caller.userId})
      on conflict (session_id, sku) do update
      set answer = excluded.answer, decided_by = excluded.decided_by, decided_at = now()
      where ${before}::text is distinct from excluded.answer`.execute(transaction);
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "search.decided",
      subject: await productSubject(transaction, sessionId, sku),
      before: { answer: before },
      after: { answer },
    });
  });
  events.publish({ type: "adjustment", sessionId });
}

/** The decision that still holds; null where there is none, or its stock changed, or somebody scanned it again, since. */
async function readActiveDecision(transaction: Transaction, sessionId: string, sku: string) {
  const { answers, decision, movedSince, scannedAgain } = (await readSaid(transaction, sessionId, [sku]))(
    sku,
  );
  if (answers.length === 0) throw notFound("An answer about this product");
  return decision === null || movedSince || scannedAgain ? null : decision.answer;
}

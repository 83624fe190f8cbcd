import { isDeepStrictEqual } from "node:util";
import type { CallRequest, decideSearch, SeenSearch } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, productSubject, recordAudit } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { readSaid } from "../reports/reports.ts";
import { lockSession, requireUndeployed } from "../sessions/sessions.ts";
import type { SearchServices } from "./services.ts";

type Given = CallRequest<typeof decideSearch>["body"];

/**
 * Says which answer about a SKU is right, until somebody who looks for it says otherwise; also after the end, until the report is
 * deployed. `seen`: what was read before, which has to be what is known still, unless this very answer is decided already.
 * @throws ApiError NOT_FOUND for a SKU of which nobody has said anything, REPORT_DEPLOYED, CHANGED_MEANWHILE.
 */
export async function decideAnswer(
  { database, events }: SearchServices,
  caller: AdminCaller,
  sessionId: string,
  { sku, answer, seen }: Given,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockSession(transaction, sessionId);
    await requireUndeployed(transaction, sessionId);
    const { before, known } = await readKnown(transaction, sessionId, sku);
    if (seen !== undefined && before !== answer) requireKnown(seen, known);
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

/** What is known of a SKU; `before`: the decision that still holds; null where there is none, or its stock changed, or somebody scanned it, since. */
async function readKnown(transaction: Transaction, sessionId: string, sku: string) {
  const known = (await readSaid(transaction, sessionId, [sku]))(sku);
  const { answers, decision, movedSince, scannedAgain, voidedSince } = known;
  if (answers.length === 0) throw notFound("An answer about this product");
  const isContradicted = movedSince || scannedAgain || voidedSince;
  return { before: decision === null || isContradicted ? null : decision.answer, known };
}

function requireKnown(seen: SeenSearch, known: SeenSearch): void {
  if (isDeepStrictEqual(compared(seen), compared(known))) return;
  throw new ApiError(
    "CHANGED_MEANWHILE",
    "What is known of this product has changed since you read it: somebody has looked, scanned or decided, or its stock has moved. Nothing " +
      "was decided. Look at what is there now, then choose again.",
  );
}

/** Of an answer its device and list are nothing to choose by. */
function compared({ answers, decision, movedSince, scannedAgain = false, voidedSince = false }: SeenSearch) {
  const said = answers.map(({ username, answer, answeredAt }) => [username, answer, answeredAt]);
  return { said, decided: [decision?.answer, decision?.decidedAt], movedSince, scannedAgain, voidedSince };
}

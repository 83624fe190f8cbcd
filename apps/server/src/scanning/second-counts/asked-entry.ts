import { type AuditActor, areaSubject, type NewAuditEntry } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { Attempt } from "../../passes/passes.ts";

/** The entry that says that an attempt has begun, at whose request. */
export async function askedEntry(
  transaction: Transaction,
  actor: AuditActor,
  {
    sessionId,
    areaId,
    ofPass,
    pass,
    round,
    onlySkus = null,
  }: Pick<Attempt, "sessionId" | "areaId" | "ofPass" | "pass" | "round"> & Partial<Pick<Attempt, "onlySkus">>,
): Promise<NewAuditEntry> {
  return {
    sessionId,
    actor,
    action: "second_count.asked",
    subject: await areaSubject(transaction, areaId),
    before: { pass: ofPass },
    after: { pass, round, ...(onlySkus === null ? {} : { onlySkus }) },
  };
}

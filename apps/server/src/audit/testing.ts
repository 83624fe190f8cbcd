import type { Database } from "../database/pool.ts";
import { type NewAuditEntry, recordAudit } from "./record-audit.ts";

/** An entry of a manual count. */
export function countEntry(sessionId: string | null, count: number): NewAuditEntry {
  return {
    sessionId,
    actor: { kind: "admin", id: null, name: "admin" },
    action: "count.adjusted",
    subject: { kind: "product", id: "TEE-S", name: "Tee" },
    before: { count: count - 1 },
    after: { count, reason: "recount" },
  };
}

/** Appends entries one after the other, each in a transaction of its own. */
export async function appendCounts(
  database: Database,
  sessionId: string | null,
  length: number,
): Promise<void> {
  for (let count = 1; count <= length; count += 1) {
    await database
      .transaction()
      .execute((transaction) => recordAudit(transaction, countEntry(sessionId, count)));
  }
}

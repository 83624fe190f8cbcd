import type { AuditEntry } from "@stocktake/contract";
import { generalChain } from "./chain.ts";
import type { AuditRow } from "./queries.ts";

export function presentEntry(row: AuditRow): AuditEntry {
  return {
    _id: String(row.id),
    sessionId: row.chain === generalChain ? null : row.chain,
    position: row.position,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, _id: row.actor_id, name: row.actor_name },
    action: row.action,
    subject: { kind: row.subject_kind, _id: row.subject_id, name: row.subject_name },
    before: row.before === null ? null : { ...row.before },
    after: row.after === null ? null : { ...row.after },
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

import type { AuditEntry } from "@stocktake/contract";
import { generalChain } from "./chain.ts";
import type { AuditRow } from "./queries.ts";

export function presentEntry(row: AuditRow): AuditEntry {
  return {
    _id: String(row.id),
    sessionId: row.chain === generalChain ? null : row.chain,
    position: row.position,
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, _id: row.actorId, name: row.actorName },
    action: row.action,
    subject: { kind: row.subjectKind, _id: row.subjectId, name: row.subjectName },
    before: row.before === null ? null : { ...row.before },
    after: row.after === null ? null : { ...row.after },
    previousHash: row.previousHash,
    hash: row.hash,
  };
}

import type { Generated, JSONColumnType } from "kysely";
import type { Numbered } from "./columns.ts";

/** A value of an entry's `before` or `after`, as JSON holds it; whole numbers only. */
export type AuditFact = string | number | boolean | null | readonly AuditFact[] | AuditFacts;
export interface AuditFacts {
  readonly [name: string]: AuditFact;
}

export interface AuditEntriesTable {
  id: Numbered;
  chain: string;
  position: number;
  at: Date;
  actorKind: "admin" | "counter" | "system";
  actorId: string | null;
  actorName: string;
  action: string;
  subjectKind: string;
  subjectId: string | null;
  subjectName: string;
  before: JSONColumnType<AuditFacts> | null;
  after: JSONColumnType<AuditFacts> | null;
  previousHash: string | null;
  hash: string;
}

interface AuditChainsTable {
  chain: string;
  length: Generated<number>;
  lastHash: string | null;
}

export interface AuditTables {
  auditEntries: AuditEntriesTable;
  auditChains: AuditChainsTable;
}

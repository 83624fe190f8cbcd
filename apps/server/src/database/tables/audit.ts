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
  actor_kind: "admin" | "counter" | "system";
  actor_id: string | null;
  actor_name: string;
  action: string;
  subject_kind: string;
  subject_id: string | null;
  subject_name: string;
  before: JSONColumnType<AuditFacts> | null;
  after: JSONColumnType<AuditFacts> | null;
  previous_hash: string | null;
  hash: string;
}

export interface AuditChainsTable {
  chain: string;
  length: Generated<number>;
  last_hash: string | null;
}

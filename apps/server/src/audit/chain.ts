import { createHash } from "node:crypto";
import type { AuditEntriesTable, AuditFact, AuditFacts } from "../database/tables.ts";

/** The chain of what concerns no session: stores, locations and areas outside a count, accounts. */
export const generalChain = "general";

/** The chain that a session's entries form; null for what concerns no session. */
export function chainOf(sessionId: string | null): string {
  return sessionId ?? generalChain;
}

/** Everything of an entry that its hash covers. */
export interface ChainedEntry {
  readonly chain: string;
  readonly position: number;
  readonly at: Date;
  readonly actorKind: AuditEntriesTable["actorKind"];
  readonly actorId: string | null;
  readonly actorName: string;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string | null;
  readonly subjectName: string;
  readonly before: AuditFacts | null;
  readonly after: AuditFacts | null;
  readonly previousHash: string | null;
}

/** Names the serialisation that was hashed; another one gets another name. */
const serialisation = "stocktake-audit-1";

/**
 * The entry as one JSON array without white space, its fields in this order, the keys of objects sorted by their UTF-16
 * code units (RFC 8785): quoting marks where each field ends, so no two entries have one text.
 */
export function canonicalText(entry: ChainedEntry): string {
  return canonicalJson([
    serialisation,
    entry.chain,
    entry.position,
    entry.at.toISOString(),
    entry.actorKind,
    entry.actorId,
    entry.actorName,
    entry.action,
    entry.subjectKind,
    entry.subjectId,
    entry.subjectName,
    entry.before,
    entry.after,
    entry.previousHash,
  ]);
}

/** JSON with sorted keys and nothing between its parts (RFC 8785). */
export function canonicalJson(value: AuditFact): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

function isList(value: readonly AuditFact[] | AuditFacts): value is readonly AuditFact[] {
  return Array.isArray(value);
}

/** SHA-256 of the entry's canonical text in UTF-8, as 64 hexadecimal digits. */
export function hashOf(entry: ChainedEntry): string {
  return createHash("sha256").update(canonicalText(entry), "utf8").digest("hex");
}

import type { AuditAction, AuditSubjectKind } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { AuditFacts } from "../database/tables.ts";
import type { AuditActor } from "./actors.ts";
import { type ChainedEntry, canonicalJson, chainOf, hashOf } from "./chain.ts";

/** What was acted on, by the name that it had then. */
interface AuditSubject {
  readonly kind: AuditSubjectKind;
  readonly id: string | null;
  readonly name: string;
}

/** An action and what it changed. Never a password, a token, a hash of one, or a mail's link. */
export interface NewAuditEntry {
  /** The session that it concerns; null for none. */
  readonly sessionId: string | null;
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly subject: AuditSubject;
  /** Null where there was nothing before, or nothing is left after. */
  readonly before: AuditFacts | null;
  readonly after: AuditFacts | null;
}

/**
 * Appends an entry to the audit log in the transaction of the change that it explains, so that there is never one
 * without the other; what changed nothing is no entry. Call it last, once a transaction: it locks the chain's row until the
 * commit, and every other lock comes before that one, so that nobody waits in a circle.
 */
export async function recordAudit(transaction: Transaction, entry: NewAuditEntry): Promise<void> {
  const { before, after } = entry;
  if (before !== null && after !== null && canonicalJson(before) === canonicalJson(after)) return;
  const chain = chainOf(entry.sessionId);
  const end = await lockEnd(transaction, chain);
  const { actor, subject } = entry;
  const chained: ChainedEntry = {
    chain,
    position: end.length + 1,
    at: end.at,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    action: entry.action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectName: subject.name,
    before,
    after,
    previousHash: end.lastHash,
  };
  await append(transaction, chained, hashOf(chained));
}

interface ChainEnd {
  readonly length: number;
  readonly lastHash: string | null;
  /** The time of the entry to come: read under the chain's lock, so that times follow the order of the chain. */
  readonly at: Date;
}

/** Locks the chain's row; the first entry of a chain makes it. */
async function lockEnd(transaction: Transaction, chain: string): Promise<ChainEnd> {
  const { rows } = await sql<ChainEnd>`
    insert into audit_chains as held (chain) values (${chain})
    on conflict (chain) do update set length = held.length
    returning length, last_hash, date_trunc('milliseconds', clock_timestamp()) as at`.execute(transaction);
  const [end] = rows;
  if (end === undefined) throw new Error("A chain of the audit log could not be locked.");
  return end;
}

async function append(transaction: Transaction, entry: ChainedEntry, hash: string): Promise<void> {
  const { before, after } = entry;
  await transaction
    .insertInto("auditEntries")
    .values({
      ...entry,
      before: before === null ? null : JSON.stringify(before),
      after: after === null ? null : JSON.stringify(after),
      hash,
    })
    .execute();
  await transaction
    .updateTable("auditChains")
    .set({ length: entry.position, lastHash: hash })
    .where("chain", "=", entry.chain)
    .execute();
}

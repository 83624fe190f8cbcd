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

/** SKUs that an entry names; beyond these it says how many there are. */
export const skusNamedAtMost = 20;

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
export function recordAudit(transaction: Transaction, entry: NewAuditEntry): Promise<void> {
  return recordAudits(transaction, entry.sessionId, [entry]);
}

/** As `recordAudit`, for several changes of one transaction that are all of one session, or of none. */
export async function recordAudits(
  transaction: Transaction,
  sessionId: string | null,
  entries: readonly Omit<NewAuditEntry, "sessionId">[],
): Promise<void> {
  const changes = entries.filter(changesSomething);
  if (changes.length === 0) return;
  const chain = chainOf(sessionId);
  const end = await lockEnd(transaction, chain);
  const chained: HashedEntry[] = [];
  for (const entry of changes) {
    const content: ChainedEntry = {
      ...contentOf(entry),
      chain,
      position: end.length + chained.length + 1,
      at: end.at,
      previousHash: chained.at(-1)?.hash ?? end.lastHash,
    };
    chained.push({ ...content, hash: hashOf(content) });
  }
  await append(transaction, chained);
}

function changesSomething({ before, after }: Pick<NewAuditEntry, "before" | "after">): boolean {
  return before === null || after === null || canonicalJson(before) !== canonicalJson(after);
}

function contentOf({ actor, action, subject, before, after }: Omit<NewAuditEntry, "sessionId">) {
  return {
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectName: subject.name,
    before,
    after,
  };
}

interface HashedEntry extends ChainedEntry {
  readonly hash: string;
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

async function append(transaction: Transaction, entries: readonly HashedEntry[]): Promise<void> {
  await transaction
    .insertInto("auditEntries")
    .values(
      entries.map((entry) => ({
        ...entry,
        before: entry.before === null ? null : JSON.stringify(entry.before),
        after: entry.after === null ? null : JSON.stringify(entry.after),
      })),
    )
    .execute();
  const last = entries.at(-1);
  if (last === undefined) return;
  await transaction
    .updateTable("auditChains")
    .set({ length: last.position, lastHash: last.hash })
    .where("chain", "=", last.chain)
    .execute();
}

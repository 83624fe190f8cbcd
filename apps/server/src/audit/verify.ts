import type { Selectable } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { Tables } from "../database/tables.ts";
import { generalChain, hashOf } from "./chain.ts";
import type { AuditRow } from "./queries.ts";

/** A chain that holds, or the first place where it doesn't. */
export type ChainVerdict =
  | {
      readonly chain: string;
      readonly intact: true;
      readonly length: number;
      readonly lastHash: string | null;
    }
  | { readonly chain: string; readonly intact: false; readonly position: number; readonly why: string };

type ChainRow = Selectable<Tables["auditChains"]>;
type Broken = Extract<ChainVerdict, { intact: false }>;

/** Called with each entry on the way; a search for a printed hash uses it. */
export type EntrySeen = (row: AuditRow) => void;

const pageSize = 500;

/**
 * Recomputes every chain of the audit log, entry by entry in its order, in memory that does not grow with it. The
 * transaction should be a repeatable read, so that chains and entries are of one moment.
 */
export async function* verifyChains(transaction: Transaction): AsyncGenerator<ChainVerdict> {
  for await (const chain of chainNames(transaction)) yield verifyChain(transaction, chain);
}

/** Every chain that there should be or that an entry claims to be of. */
async function* chainNames(transaction: Transaction): AsyncGenerator<string> {
  let after = "";
  for (;;) {
    const expected = transaction
      .selectFrom("auditChains")
      .select("chain")
      .union(
        transaction
          .selectFrom("sessions")
          .select((session) => session.cast<string>("id", "text").as("chain")),
      )
      .union(transaction.selectFrom("auditEntries").select("chain"))
      .union(transaction.selectNoFrom((row) => row.val(generalChain).as("chain")));
    const page = await transaction
      .selectFrom(expected.as("named"))
      .select("chain")
      .where("chain", ">", after)
      .orderBy("chain")
      .limit(pageSize)
      .execute();
    for (const { chain } of page) yield chain;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.chain;
  }
}

/** Proves one chain, or names its first broken entry. */
export async function verifyChain(
  transaction: Transaction,
  chain: string,
  seen: EntrySeen = () => undefined,
): Promise<ChainVerdict> {
  let position = 0;
  let lastHash: string | null = null;
  for await (const row of entriesInOrder(transaction, chain)) {
    position += 1;
    const why = faultOf(row, position, lastHash);
    if (why !== null) return { chain, intact: false, position, why };
    lastHash = row.hash;
    seen(row);
  }
  const head = await findHead(transaction, chain);
  return faultOfHead(chain, head, position, lastHash) ?? { chain, intact: true, length: position, lastHash };
}

async function* entriesInOrder(transaction: Transaction, chain: string): AsyncGenerator<AuditRow> {
  let after: number | null = null;
  for (;;) {
    const page: AuditRow[] = await transaction
      .selectFrom("auditEntries")
      .selectAll()
      .where("chain", "=", chain)
      .$if(after !== null, (query) => query.where("position", ">", after ?? 0))
      .orderBy("position")
      .limit(pageSize)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.position;
  }
}

function faultOf(row: AuditRow, position: number, previousHash: string | null): string | null {
  if (row.position !== position) return "it is missing";
  if (row.previousHash !== previousHash) return "it does not carry the hash of the entry before it";
  if (row.hash !== hashOf(row)) return "its content is not what its hash was made of";
  return null;
}

function findHead(transaction: Transaction, chain: string): Promise<ChainRow | undefined> {
  return transaction.selectFrom("auditChains").selectAll().where("chain", "=", chain).executeTakeFirst();
}

function faultOfHead(
  chain: string,
  head: ChainRow | undefined,
  length: number,
  lastHash: string | null,
): Broken | null {
  const broken = (position: number, why: string): Broken => ({ chain, intact: false, position, why });
  if (head === undefined) return broken(Math.max(length, 1), "nothing says how long the chain is");
  if (head.length > length) return broken(length + 1, `it is missing: the chain had ${head.length} entries`);
  if (head.length < length) {
    return broken(head.length + 1, `it was added by hand: the chain had ${head.length} entries`);
  }
  if (head.lastHash !== lastHash) return broken(Math.max(length, 1), "the chain ended with another hash");
  return null;
}

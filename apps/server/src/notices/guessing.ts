import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import { waitForTurn } from "../database/turns.ts";

/** What is known of guessing at passwords that is going on. */
export interface GuessingFacts {
  /** Whose passwords: the administrator's, the permanent counters', or those that are asked for before a change of one. */
  readonly login: "admin" | "counter" | "password_change";
  readonly wrongPasswords: number;
  readonly addresses: number;
}

/** After as long a silence it is another attack, of which the administrator is told anew. */
const silence = sql`interval '1 hour'`;
/** How often the figures of one that goes on are brought up to date. */
const pause = sql`interval '10 seconds'`;

/** Raises the notice of guessing at passwords of a kind, or brings its figures up to date; `count` finds them out. */
export function raiseGuessing(
  database: Database,
  login: GuessingFacts["login"],
  count: (transaction: Transaction) => Promise<Omit<GuessingFacts, "login">>,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await waitForTurn(transaction, `guessing ${login}`);
    const open = await findOpen(transaction, login);
    if (open?.isFresh === true) return;
    const counted = await count(transaction);
    const facts: GuessingFacts = {
      login,
      wrongPasswords: Math.max(counted.wrongPasswords, open?.facts.wrongPasswords ?? 0),
      addresses: Math.max(counted.addresses, open?.facts.addresses ?? 0),
    };
    if (open === undefined) {
      await sql`insert into notices (kind, facts) values ('guessing', ${JSON.stringify(facts)})`.execute(
        transaction,
      );
    } else {
      await sql`update notices set facts = ${JSON.stringify(facts)}, last_at = clock_timestamp()
        where id = ${open.id}`.execute(transaction);
    }
  });
}

interface OpenNotice {
  readonly id: string;
  readonly facts: GuessingFacts;
  readonly isFresh: boolean;
}

async function findOpen(
  transaction: Transaction,
  login: GuessingFacts["login"],
): Promise<OpenNotice | undefined> {
  const { rows } = await sql<OpenNotice>`
    select id, facts, last_at > clock_timestamp() - ${pause} as is_fresh from notices
    where kind = 'guessing' and facts ->> 'login' = ${login} and last_at > clock_timestamp() - ${silence}
    order by last_at desc limit 1`.execute(transaction);
  return rows[0];
}

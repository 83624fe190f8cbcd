import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import { waitForTurn } from "../database/turns.ts";

/** What is known of guessing at passwords that is going on. */
export interface GuessingFacts {
  /**
   * Whose passwords: the administrator's, the permanent counters', or those that are asked for before a change of one; or the second
   * factors that are asked for after the administrator's.
   */
  readonly login: "admin" | "counter" | "password_change" | "second_factor";
  /** In one browser in which the account had signed in before, wherever it is; else by strangers. */
  readonly knownBrowser?: boolean;
  readonly wrongPasswords: number;
  readonly addresses: number;
}

/** After as long a silence it is another attack, of which the administrator is told anew. */
const silence = sql`interval '1 hour'`;
/** How often the figures of one that goes on are brought up to date. */
const pause = sql`interval '10 seconds'`;

/** What of guessing is told apart. */
type Which = Pick<GuessingFacts, "login" | "knownBrowser">;

/** Raises the notice of guessing at passwords of a kind, or brings its figures up to date; `count` finds them out. */
export function raiseGuessing(
  database: Database,
  which: Which,
  count: (transaction: Transaction) => Promise<Omit<GuessingFacts, keyof Which>>,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await waitForTurn(transaction, `guessing ${which.login}`);
    const open = await findOpen(transaction, which);
    if (open?.isFresh === true) return;
    const counted = await count(transaction);
    const facts: GuessingFacts = {
      ...which,
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

/** One that was noted at a time to come, by a clock that has been set back since, is none that goes on now. */
async function findOpen(
  transaction: Transaction,
  { login, knownBrowser = false }: Which,
): Promise<OpenNotice | undefined> {
  const { rows } = await sql<OpenNotice>`
    select id, facts, last_at > clock_timestamp() - ${pause} as is_fresh from notices
    where kind = 'guessing' and facts ->> 'login' = ${login}
      and coalesce((facts ->> 'knownBrowser')::boolean, false) = ${knownBrowser} and last_at > clock_timestamp() - ${silence}
      and last_at <= clock_timestamp() + ${pause}
    order by last_at desc limit 1`.execute(transaction);
  return rows[0];
}

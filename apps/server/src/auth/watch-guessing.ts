import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import { type GuessingFacts, raiseGuessing } from "../notices/notices.ts";
import type { Guess } from "./guess-queries.ts";

/**
 * More than people mistype, who take theirs back when they get it right: wrong passwords of strangers in 15 minutes and in a day, and in a
 * day those of one browser that is known for the account, and second factors after a right password.
 */
export const alarming = { lately: 30, today: 100, inOneBrowser: 20, secondFactors: 10 } as const;

type Counted = Pick<GuessingFacts, "wrongPasswords" | "addresses">;

/**
 * Tells the administrator when somebody guesses at passwords or second factors of a kind; called after each wrong one. That it could not
 * be told is no part of the sign-in: it is logged.
 */
export async function watchGuessing(
  database: Database,
  login: Guess["kind"],
  logger: FastifyBaseLogger,
): Promise<void> {
  try {
    if (await isAlarming(database, login)) {
      await raiseGuessing(database, { login }, (transaction) => countGuesses(transaction, login));
    }
    if (await isAlarmingInOneBrowser(database, login)) {
      const which = { login, knownBrowser: true };
      await raiseGuessing(database, which, (transaction) => countInOneBrowser(transaction, login));
    }
  } catch (error) {
    logger.warn({ err: error }, "The administrator could not be warned of guessing");
  }
}

/** Nothing is counted further than it matters. */
async function isAlarming(database: Database, kind: Guess["kind"]): Promise<boolean> {
  const isFactor = kind === "second_factor";
  const [lately, today] = isFactor
    ? [alarming.secondFactors, alarming.secondFactors]
    : [alarming.lately, alarming.today];
  const more = (than: number, since: string) => sql`
    (select count(*) > ${than} from (select from failed_logins
      where kind = ${kind} and mark is null and failed_at > now() - ${since}::interval limit ${than + 1}) few)`;
  const { rows } = await sql<{ isAlarming: boolean }>`
    select ${more(lately, "15 minutes")} or ${more(today, "1 day")} as is_alarming`.execute(database);
  return rows[0]?.isAlarming === true;
}

const ofOneBrowser = (kind: Guess["kind"]) => sql<Pick<Counted, "wrongPasswords">>`
  select count(*)::integer as wrong_passwords from failed_logins
  where kind = ${kind} and mark is not null and failed_at > now() - interval '1 day'
  group by mark having count(*) > ${kind === "second_factor" ? alarming.secondFactors : alarming.inOneBrowser}
  order by count(*) desc limit 1`;

async function isAlarmingInOneBrowser(database: Database, kind: Guess["kind"]): Promise<boolean> {
  const { rows } = await ofOneBrowser(kind).execute(database);
  return rows.length > 0;
}

async function countGuesses(transaction: Transaction, kind: Guess["kind"]): Promise<Counted> {
  const { rows } = await sql<Counted>`
    select count(*)::integer as wrong_passwords, count(distinct address)::integer as addresses
    from failed_logins
    where kind = ${kind} and mark is null and failed_at > now() - interval '1 day'`.execute(transaction);
  return rows[0] ?? { wrongPasswords: 0, addresses: 0 };
}

/** Where a known browser is nobody counts: its guesses are its own. */
async function countInOneBrowser(transaction: Transaction, kind: Guess["kind"]): Promise<Counted> {
  const { rows } = await ofOneBrowser(kind).execute(transaction);
  return { wrongPasswords: rows[0]?.wrongPasswords ?? 0, addresses: 0 };
}

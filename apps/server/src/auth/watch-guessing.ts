import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import { type GuessingFacts, raiseGuessing } from "../notices/notices.ts";
import type { Guess } from "./guess-queries.ts";

/**
 * More than people mistype, who take theirs back when they get it right: wrong passwords of strangers in 15 minutes and in a day, and in a
 * day those of one browser that is known for the account, and second factors.
 */
export const alarming = { lately: 30, today: 100, inOneBrowser: 20, secondFactors: 10 } as const;

/** What was wrong just now, and the mark of the browser, whosever it is; null in one without. */
export interface WrongGuess {
  readonly login: Guess["kind"];
  readonly browser: string | null;
}

type Counted = Pick<GuessingFacts, "wrongPasswords" | "addresses">;

/**
 * Tells the administrator when somebody guesses at passwords or second factors of a kind, by strangers or in the browser in which
 * one was wrong just now; called after each wrong one. That it could not be told is no part of the sign-in: it is logged.
 */
export async function watchGuessing(
  database: Database,
  { login, browser }: WrongGuess,
  logger: FastifyBaseLogger,
): Promise<void> {
  try {
    const justNow = await readJustNow(database, login, browser);
    if (justNow.byStranger && (await isAlarming(database, login))) {
      await raiseGuessing(database, { login }, (transaction) => countGuesses(transaction, login));
    }
    if (browser === null || !justNow.inBrowser) return;
    if ((await countInBrowser(database, login, browser)) <= mostInBrowser(login)) return;
    await raiseGuessing(database, { login, knownBrowser: true }, async (transaction) => ({
      wrongPasswords: await countInBrowser(transaction, login, browser),
      addresses: 0,
    }));
  } catch (error) {
    logger.warn({ err: error }, "The administrator could not be warned of guessing");
  }
}

/** By whom something was wrong just now: an alarm of yesterday's guesses is not raised again by whoever mistypes today. */
interface JustNow {
  readonly byStranger: boolean;
  /** In this browser, which is known for the account. */
  readonly inBrowser: boolean;
}

async function readJustNow(
  database: Database,
  kind: Guess["kind"],
  browser: string | null,
): Promise<JustNow> {
  const isJustNow = sql`kind = ${kind} and failed_at > now() - interval '10 seconds'`;
  const { rows } = await sql<JustNow>`
    select exists (select from failed_logins where ${isJustNow} and mark is null) as by_stranger,
      exists (select from failed_logins where ${isJustNow} and mark = ${browser}) as in_browser`.execute(
    database,
  );
  return rows[0] ?? { byStranger: false, inBrowser: false };
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

const mostInBrowser = (kind: Guess["kind"]) =>
  kind === "second_factor" ? alarming.secondFactors : alarming.inOneBrowser;

/** How often it was wrong there within a day. Where a known browser is nobody counts: its guesses are its own. */
async function countInBrowser(database: Database, kind: Guess["kind"], mark: string): Promise<number> {
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::integer as wrong from failed_logins
    where kind = ${kind} and mark = ${mark} and failed_at > now() - interval '1 day'`.execute(database);
  return rows[0]?.wrong ?? 0;
}

async function countGuesses(transaction: Transaction, kind: Guess["kind"]): Promise<Counted> {
  const { rows } = await sql<Counted>`
    select count(*)::integer as wrong_passwords, count(distinct address)::integer as addresses
    from failed_logins
    where kind = ${kind} and mark is null and failed_at > now() - interval '1 day'`.execute(transaction);
  return rows[0] ?? { wrongPasswords: 0, addresses: 0 };
}

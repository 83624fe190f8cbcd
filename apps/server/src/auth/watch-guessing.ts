import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import { raiseGuessing } from "../notices/notices.ts";
import type { Guess } from "./guess-queries.ts";

/** More wrong passwords of strangers than people mistype, who take theirs back when they get them right. */
export const alarming = { lately: 30, today: 100 } as const;

/**
 * Tells the administrator when strangers guess at passwords of a kind; called after each wrong one. That it could not be
 * told is no part of the sign-in: it is logged.
 */
export async function watchGuessing(
  database: Database,
  kind: Guess["kind"],
  logger: FastifyBaseLogger,
): Promise<void> {
  try {
    if (!(await isAlarming(database, kind))) return;
    await raiseGuessing(database, kind, (transaction) => countGuesses(transaction, kind));
  } catch (error) {
    logger.warn({ err: error }, "The administrator could not be warned of guessing");
  }
}

/** Nothing is counted further than it matters. */
async function isAlarming(database: Database, kind: Guess["kind"]): Promise<boolean> {
  const more = (than: number, since: string) => sql`
    (select count(*) > ${than} from (select from failed_logins
      where kind = ${kind} and mark is null and failed_at > now() - ${since}::interval limit ${than + 1}) few)`;
  const { rows } = await sql<{ isAlarming: boolean }>`
    select ${more(alarming.lately, "15 minutes")} or ${more(alarming.today, "1 day")} as is_alarming`.execute(
    database,
  );
  return rows[0]?.isAlarming === true;
}

async function countGuesses(transaction: Transaction, kind: Guess["kind"]) {
  const { rows } = await sql<{ wrongPasswords: number; addresses: number }>`
    select count(*)::integer as wrong_passwords, count(distinct address)::integer as addresses
    from failed_logins
    where kind = ${kind} and mark is null and failed_at > now() - interval '1 day'`.execute(transaction);
  return rows[0] ?? { wrongPasswords: 0, addresses: 0 };
}

import { type RawBuilder, sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { Tables } from "../database/tables.ts";
import { attack, gapMs, type Pace, type Strangers } from "./guess-pace.ts";

/** Whose password is guessed at, and from where. */
export interface Guess {
  readonly kind: Tables["failedLogins"]["kind"];
  /** The account's id; of a name that is nobody's, what represents it. */
  readonly account: string;
  readonly ip: string;
  /** The mark of a browser in which the account has signed in before; null for any other. */
  readonly mark: string | null;
}

/** What wrong passwords are counted for: a known browser's mark, or a stranger's address. */
export interface GuessSource {
  readonly address: string;
  readonly mark: string | null;
}

/** docs/API.md, "Conventions": 10 wrong passwords from one address in 15 minutes, for each kind of login. */
export const wrongGuesses = 10;
const guessMinutes = 15;
const lately = sql`failed_at > now() - make_interval(mins => ${guessMinutes})`;
const today = sql`failed_at > now() - interval '1 day'`;

function from({ address, mark }: GuessSource): RawBuilder<unknown> {
  return mark === null ? sql`mark is null and address = ${address}` : sql`mark = ${mark}`;
}

/** The seconds until a guess from there may be checked again; null where it may be now. */
export async function readSource(
  transaction: Transaction,
  { kind }: Guess,
  source: GuessSource,
): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from failed_at + make_interval(mins => ${guessMinutes}) - now()))::integer as seconds
    from failed_logins
    where kind = ${kind} and ${from(source)} and ${lately}
    order by failed_at desc offset ${wrongGuesses - 1} limit 1`.execute(transaction);
  return rows[0]?.seconds ?? null;
}

/** What strangers have tried at the account of a guess. Nothing is counted further than it matters. */
export async function readStrangers(
  transaction: Transaction,
  { kind, account }: Guess,
  source: GuessSource,
): Promise<Strangers> {
  const at = sql`kind = ${kind} and account = ${account} and mark is null`;
  const freeIn = (newcomer: boolean) => sql`
    coalesce((select extract(epoch from max(due_at) - clock_timestamp()) * 1000 + ${gapMs}
      from failed_logins where ${at} and ${lately} and newcomer = ${newcomer}), 0)::float`;
  const { rows } = await sql<Strangers>`
    select
      (select count(*) from (select from failed_logins where ${at} and ${lately} limit ${attack.lately}) few)::integer as lately,
      (select count(*) from (select from failed_logins where ${at} and ${today} limit ${attack.today}) few)::integer as today,
      own.tries::integer as own,
      coalesce(extract(epoch from clock_timestamp() - own.last_at), 0)::float as own_seconds_ago,
      ${freeIn(true)} as newcomers_free_in_ms, ${freeIn(false)} as others_free_in_ms
    from (select count(*) as tries, max(failed_at) as last_at
      from failed_logins where ${at} and ${from(source)} and ${today}) own`.execute(transaction);
  const [strangers] = rows;
  if (strangers === undefined) throw new Error("The guesses at an account could not be counted.");
  return strangers;
}

export async function insertGuess(
  transaction: Transaction,
  { kind, account }: Guess,
  { address, mark }: GuessSource,
  { newcomer, waitMs }: Pick<Pace, "newcomer" | "waitMs">,
): Promise<{ readonly id: number; readonly waitMs: number }> {
  await forgetOldGuesses(transaction);
  const { id } = await transaction
    .insertInto("failedLogins")
    .values({
      kind,
      account,
      address,
      mark,
      newcomer,
      dueAt: sql<Date>`clock_timestamp() + make_interval(secs => ${waitMs / 1000})`,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, waitMs };
}

/** Some at a time, and none that another is busy with: nobody waits for tidying. */
async function forgetOldGuesses(transaction: Transaction): Promise<void> {
  await sql`delete from failed_logins where id in (
    select id from failed_logins where not ${today}
    order by id limit 100 for update skip locked)`.execute(transaction);
}

export async function withdrawGuess(database: Database, id: number): Promise<void> {
  await database.deleteFrom("failedLogins").where("id", "=", id).execute();
}

/** Who has signed in takes back what was wrong before at the own account, from the same place. */
export async function clearGuesses(
  database: Database,
  { kind, account }: Guess,
  source: GuessSource,
): Promise<void> {
  await sql`delete from failed_logins where kind = ${kind} and account = ${account} and ${from(source)}`.execute(
    database,
  );
}

/**
 * Has guesses of a time to come count as of now: after the database's clock was set back they would keep a place from signing in until
 * it is as late again. None is forgotten.
 */
export async function resetGuessesAhead(database: Database): Promise<void> {
  await sql`
    update failed_logins set failed_at = clock_timestamp(), due_at = least(due_at, clock_timestamp())
    where failed_at > clock_timestamp()`.execute(database);
}

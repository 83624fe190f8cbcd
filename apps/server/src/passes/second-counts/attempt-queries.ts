import type { SecondCount } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { milliseconds } from "../../database/durations.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import type { SecondCountsTable } from "../../database/tables.ts";
import type { Caller, Person } from "../../kernel/caller.ts";
import { comparedErrorMs } from "../../kernel/clock.ts";
import { isOfPass, nextPass, type Pass } from "../queries.ts";

/** An attempt at a second or third count of an area. The caller of what changes one holds the area FOR UPDATE. */
export interface Attempt extends Pass {
  /** The area's pass that counts. */
  readonly ofPass: number;
  readonly round: SecondCountsTable["round"];
  readonly status: "not_started" | "in_progress" | "closed";
  readonly endedAs: SecondCountsTable["endedAs"];
  /** Why it was asked for. */
  readonly origin: NonNullable<SecondCount["origin"]>;
  /** The number of the control sample that it belongs to. */
  readonly sample: number | null;
  /** The SKUs that it is of, in their order; null for the whole area. */
  readonly onlySkus: readonly string[] | null;
}

/** The counts that are compared: the attempts of an area's pass that counts. */
export type Compared = Pick<Attempt, "sessionId" | "areaId" | "ofPass">;

/** Condition over the row of `compared_counts`, or of `second_counts`. */
export function isOfCompared({ sessionId, areaId, ofPass }: Compared): RawBuilder<boolean> {
  return sql<boolean>`session_id = ${sessionId} and area_id = ${areaId} and of_pass = ${ofPass}`;
}

const columns = [
  "sessionId",
  "areaId",
  "pass",
  "ofPass",
  "round",
  "status",
  "endedAs",
  "origin",
  "sample",
  "onlySkus",
] as const;

const columnOf = (alias: string) => (name: string) => sql.ref(`${alias}.${name}`);

/** Condition: the person (an id as SQL) has counted what the attempt under the alias is compared with. */
export function hasTakenPart(alias: string, person: RawBuilder<unknown>): RawBuilder<boolean> {
  const column = columnOf(alias);
  return sql<boolean>`has_taken_part(${person}::uuid, ${column("sessionId")}, ${column("areaId")}, ${column("ofPass")},
    ${column("round")})`;
}

/** Condition: the attempt under the alias is open, and the person (an id as SQL) may count in it. */
function mayTake(alias: string, person: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${columnOf(alias)("endedAs")} is null and not ${hasTakenPart(alias, person)})`;
}

/** Condition: the person (an id as SQL) has scans of the attempt under the alias that came in time, whatever became of them since. */
function hasScansOf(alias: string, person: RawBuilder<unknown>): RawBuilder<boolean> {
  const column = columnOf(alias);
  return sql<boolean>`exists (
    select from scans made
    where made.session_id = ${column("sessionId")} and made.area_id = ${column("areaId")}
      and made.sent_pass = ${column("pass")} and made.scanned_by = ${person}::uuid and made.status <> 'late')`;
}

/** Condition: the person has scanned in the attempt under the alias, or ended it; to an administrator it always is. */
export function isMadeBy(alias: string, { role, userId }: Caller): RawBuilder<boolean> {
  if (role === "admin") return sql<boolean>`true`;
  return sql<boolean>`(${columnOf(alias)("endedBy")} = ${userId}::uuid or ${hasScansOf(alias, sql`${userId}`)})`;
}

/** When the round of the attempt under the alias was asked for. */
function firstAskedAt(alias: string): RawBuilder<Date> {
  const column = columnOf(alias);
  return sql<Date>`(select min(first_asked.asked_at) from second_counts first_asked
    where first_asked.session_id = ${column("sessionId")} and first_asked.area_id = ${column("areaId")}
      and first_asked.of_pass = ${column("ofPass")} and first_asked.round = ${column("round")})`;
}

/**
 * Condition over `scans`, and the attempt under the alias whose pass a late scan names: it was made for the attempt. A device that
 * goes on offline after a reset gives its scans the number of the area's next pass, which a second count may have taken meanwhile.
 * Such a scan is not of it: its person has counted what the attempt is compared with and so was never shown it, or made the scan
 * before its round was asked for.
 */
export function isMadeFor(alias: string): RawBuilder<boolean> {
  const person = sql`scans.scanned_by`;
  const wasAsked = sql<boolean>`(not scans.time_known
    or scans.scanned_at >= ${firstAskedAt(alias)} - ${milliseconds(comparedErrorMs)})`;
  return sql<boolean>`(${hasScansOf(alias, person)} or ${wasAsked} and not ${hasTakenPart(alias, person)})`;
}

/**
 * Condition: to a person the attempt under the alias is the area's count. It is open to them, or they made it: an area that they
 * closed remains as they left it, and shows no other count beside theirs.
 */
export function isCountSeenBy(alias: string, personId: string): RawBuilder<boolean> {
  const column = columnOf(alias);
  return sql<boolean>`(${mayTake(alias, sql`${personId}`)} or ${column("endedAs")} = 'closed'
    and (${column("endedBy")} = ${personId}::uuid or exists (
      select from scans made
      where made.area_id = ${column("areaId")} and made.session_id = ${column("sessionId")}
        and made.pass in (${column("pass")}, ${column("ofPass")}) and made.sent_pass = ${column("pass")}
        and made.scanned_by = ${personId}::uuid)))`;
}

/** Condition: the row under the alias is of a second count, whose scans are in no figure of the session. */
export function isOfSecondCount(alias: string): RawBuilder<boolean> {
  const column = columnOf(alias);
  return sql<boolean>`exists (select from second_counts attempt where attempt.session_id = ${column("sessionId")}
    and attempt.area_id = ${column("areaId")} and attempt.pass = ${column("pass")})`;
}

/** The attempt that is a closed area's count to a counter; an administrator sees the area as it is. */
export async function attemptSeen(
  database: Database,
  person: Person,
  area: Pass,
): Promise<Attempt | undefined> {
  if (person.role === "admin") return undefined;
  return database
    .selectFrom("secondCounts")
    .select(columns)
    .where("sessionId", "=", area.sessionId)
    .where("areaId", "=", area.areaId)
    .where("ofPass", "=", area.pass)
    .where(isCountSeenBy("secondCounts", person.userId))
    .orderBy("pass", "desc")
    .executeTakeFirst();
}

/** Whether a person has counted in an area's own pass, as far as anybody can tell. */
export async function hasCountedIn(
  database: Database,
  personId: string,
  { sessionId, areaId, pass }: Pass,
): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select has_taken_part(${personId}::uuid, ${sessionId}::uuid, ${areaId}::uuid, ${pass}::integer, 2) as has`.execute(
    database,
  );
  return rows[0]?.has === true;
}

export function openAttempt(
  database: Database,
  { sessionId, areaId }: Pick<Pass, "sessionId" | "areaId">,
): Promise<Attempt | undefined> {
  return database
    .selectFrom("secondCounts")
    .select(columns)
    .where("sessionId", "=", sessionId)
    .where("areaId", "=", areaId)
    .where("endedAs", "is", null)
    .executeTakeFirst();
}

/** Whose change it is, and of which device. */
interface Asking {
  readonly person: Person;
  readonly deviceId: string | null;
}

/** The second and third counts that were made of an area's pass. */
export function closedAttempts(transaction: Transaction, compared: Compared): Promise<Attempt[]> {
  return transaction
    .selectFrom("secondCounts")
    .select(columns)
    .where(isOfCompared(compared))
    .where("endedAs", "=", "closed")
    .execute();
}

/**
 * The attempt that a device means by a pass: it, or the one that a reset or a mismatch put in its place. Undefined where the
 * pass is none of a second count, or the person has counted what it is compared with. A device that was counted on in the attempt
 * sends what it kept under whichever login, and so does an administrator.
 */
export async function attemptMeant(
  database: Database,
  { person, deviceId }: Asking,
  pass: Pass,
): Promise<Attempt | undefined> {
  const isBarred = hasTakenPart("secondCounts", sql`${person.userId}`);
  const isFromItsDevice = sql<boolean>`exists (select from scans scan
    where scan.session_id = second_counts.session_id and scan.area_id = second_counts.area_id
      and scan.device_id = ${deviceId} and scan.sent_pass = second_counts.pass and scan.status <> 'late')`;
  const named = await database
    .selectFrom("secondCounts")
    .select(columns)
    .where(isOfPass(pass))
    .$if(person.role !== "admin", (query) =>
      query.where(sql<boolean>`(not ${isBarred} or ${isFromItsDevice})`),
    )
    .executeTakeFirst();
  if (named === undefined || named.endedAs === null) return named;
  const open = await openAttempt(database, pass);
  return open?.round === named.round && open.ofPass === named.ofPass ? open : { ...named, status: "closed" };
}

/** An attempt that a pass names. */
export interface NamedByPass extends Attempt {
  /** Who of the people may count in it. */
  readonly takers: readonly string[];
  /** No scan that was made before this is of it; null where the clocks that say so were set since. */
  readonly openFrom: Date | null;
}

/** The attempts that passes name, and which of the people may count in each of those that are open. */
export async function attemptsOf(
  database: Database,
  sessionId: string,
  passes: readonly Pick<Pass, "areaId" | "pass">[],
  people: readonly string[],
): Promise<readonly NamedByPass[]> {
  if (passes.length === 0) return [];
  const { rows } = await sql<NamedByPass>`
    select ${sql.join(columns.map((column) => sql.ref(`attempt.${column}`)))},
      array(select person::text from unnest(${people}::uuid[]) person where ${mayTake("attempt", sql`person`)}) as takers,
      case when session.clock_set_at is null then ${firstAskedAt("attempt")} - ${milliseconds(comparedErrorMs)} end as open_from
    from second_counts attempt join sessions session on session.id = attempt.session_id
    where attempt.session_id = ${sessionId} and (attempt.area_id, attempt.pass) in (
      select * from unnest(${passes.map(({ areaId }) => areaId)}::uuid[], ${passes.map(({ pass }) => pass)}::integer[]))`.execute(
    database,
  );
  return rows;
}

type Beginning = Pick<Attempt, "sessionId" | "areaId" | "ofPass" | "round"> & {
  /** Null: the server asks by itself. */
  readonly askedBy: string | null;
  readonly origin?: Attempt["origin"];
  readonly sample?: number | null;
  readonly onlySkus?: readonly string[] | null;
  readonly status: Exclude<Attempt["status"], "closed">;
};

/** Begins an attempt under the next number that the area has not used. Returns it. */
export async function beginAttempt(transaction: Transaction, beginning: Beginning): Promise<number> {
  const { sessionId, areaId, ofPass, round, askedBy, status, sample = null, onlySkus = null } = beginning;
  const { origin = sample !== null ? "sample" : askedBy === null ? "difference" : "administrator" } =
    beginning;
  const { rows } = await sql<{ pass: number }>`
    insert into second_counts (session_id, area_id, pass, of_pass, round, asked_by, status, origin, sample, only_skus)
    select ${sessionId}::uuid, id, ${nextPass}, ${ofPass}::integer, ${round}::integer, ${askedBy}::uuid, ${status},
      ${origin}, ${sample}::integer, ${onlySkus}::text[]
    from areas where id = ${areaId}
    returning pass`.execute(transaction);
  const [begun] = rows;
  if (begun === undefined) throw new Error("A second count of an area that is not there.");
  return begun.pass;
}

export async function endAttempt(
  transaction: Transaction,
  attempt: Pass,
  endedAs: NonNullable<Attempt["endedAs"]>,
  endedBy: string | null,
): Promise<void> {
  await transaction
    .updateTable("secondCounts")
    .set({
      endedAs,
      endedBy,
      endedAt: sql<Date>`now()`,
      ...(endedAs === "closed" ? { status: "closed" } : {}),
    })
    .where(isOfPass(attempt))
    .execute();
}

/** Marks the attempts in which the first scan was stored; returns the areas of those that changed. */
export async function markAttemptsInProgress(
  transaction: Transaction,
  sessionId: string,
  areaIds: readonly string[],
): Promise<string[]> {
  if (areaIds.length === 0) return [];
  const { rows } = await sql<{ areaId: string }>`
    update second_counts set status = 'in_progress'
    where session_id = ${sessionId} and area_id = any(${areaIds}::uuid[]) and ended_as is null and status = 'not_started'
    returning area_id`.execute(transaction);
  return rows.map(({ areaId }) => areaId);
}

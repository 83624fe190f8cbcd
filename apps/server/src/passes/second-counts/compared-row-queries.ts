import type { ComparedCount } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { Pass } from "../queries.ts";

/** A row of `compared_counts` with the names that it is shown by. */
export interface ComparedRow {
  readonly areaId: string;
  readonly code: string;
  readonly name: string;
  readonly locationName: string;
  readonly ofPass: number;
  readonly first: number;
  readonly second: number;
  readonly third: number | null;
  readonly settledAs: ComparedCount["settledAs"];
  readonly settledAt: Date | null;
  readonly settledBy: string | null;
  readonly reason: string | null;
  /** What is told as the first count is what counts by now. */
  readonly firstReplaced: boolean;
}

/** Under the aliases `compared`, `area`, `location` and `person`. */
export const comparedTables = sql`compared_counts compared
  join areas area on area.id = compared.area_id
  join locations location on location.id = area.location_id
  left join users person on person.id = compared.settled_by`;

/**
 * Condition over `compared`: it is of the count that its area has, not of one that was left behind when the area was reopened. A count
 * that was restored may be unfinished when the session ends.
 */
export const isOfPresentCount = sql<boolean>`exists (
  select from area_passes counting
  where counting.session_id = compared.session_id and counting.area_id = compared.area_id
    and counting.pass = compared.of_pass and counting.ended_as in ('closed', 'session_ended'))`;

/**
 * Condition over `scan`, which is compared with others, or gave way to one that was: it is of the count that its area has, or of a second
 * count of that.
 */
export const isOfPresentPass = sql<boolean>`coalesce((
  select max(counting.pass) from area_passes counting
  where counting.session_id = scan.session_id and counting.area_id = scan.area_id) in (scan.pass, (
    select attempt.of_pass from second_counts attempt where attempt.session_id = scan.session_id
      and attempt.area_id = scan.area_id and attempt.pass = scan.pass)), false)`;

/**
 * Condition over `scan`: it is of a second count that differs from others in its product, so that an administrator may choose it yet, also
 * once it gave way to a third.
 */
export const isInQuestion = sql<boolean>`((scan.status = 'compared' or scan.reason = 'SUPERSEDED') and ${isOfPresentPass} and exists (
  select from compared_counts compared
  where compared.session_id = scan.session_id and compared.area_id = scan.area_id and compared.sku = scan.sku
    and compared.settled_as is null and (scan.status = 'compared' or scan.resolved_by is null and exists (
      select from second_counts attempt where attempt.session_id = scan.session_id and attempt.area_id = scan.area_id
        and attempt.pass = scan.sent_pass and attempt.of_pass = compared.of_pass))))`;

/** Condition over `taken`, a scan of a compared pass: it gave way to a later count, or is one of a later count that counts there. */
function isOfReplacing(ofPass: string): RawBuilder<boolean> {
  return sql<boolean>`(taken.reason = 'SUPERSEDED' or taken.resolved_by is null and taken.sent_pass in (
    select made.pass from second_counts made where made.session_id = taken.session_id and made.area_id = taken.area_id
      and made.of_pass = ${sql.ref(ofPass)}))`;
}

/**
 * Condition over `compared`: a later count has taken the place of the first, whose figure was rejected by that. It stays so in a restored
 * count in which somebody went on, though it is in question again or settled as `first`, which is what counts by then: either scans of a
 * later count are in the pass, or some that gave way to one.
 */
export const isFirstReplaced = sql<boolean>`(coalesce(compared.settled_as in ('second', 'third'), false) or exists (
  select from scans taken
  where taken.session_id = compared.session_id and taken.area_id = compared.area_id and taken.pass = compared.of_pass
    and taken.sku = compared.sku and ${isOfReplacing("compared.of_pass")}))`;

/**
 * Condition over a pass in `table`: a later count has taken the place of its first for some SKU, as `isFirstReplaced` has it of one. Where
 * many SKUs were compared it is asked once of an area.
 */
export function hasReplacedFirst(table: string, sessionId: string): RawBuilder<boolean> {
  const pass = { areaId: sql.ref(`${table}.area_id`), number: sql.ref(`${table}.pass`) };
  return sql<boolean>`(
    exists (select from compared_counts compared where compared.session_id = ${sessionId} and compared.area_id = ${pass.areaId}
      and compared.of_pass = ${pass.number} and compared.settled_as in ('second', 'third'))
    or exists (select from second_counts made where made.session_id = ${sessionId} and made.area_id = ${pass.areaId}
        and made.of_pass = ${pass.number} and made.ended_as = 'closed')
      and exists (select from scans taken where taken.session_id = ${sessionId} and taken.area_id = ${pass.areaId}
        and taken.pass = ${pass.number} and taken.sku is not null and ${isOfReplacing(`${table}.pass`)}))`;
}

/**
 * Condition over `compared`: its first figure is what counts by now, with what somebody scanned besides the count that took the place of
 * the first. Where that place is taken anew, it is what was settled then.
 */
export const isFirstWhatCounts = sql<boolean>`(compared.settled_as is null or compared.settled_as in ('equal', 'first')) and ${isFirstReplaced}`;

/** The columns of a `ComparedRow`, of the tables that `comparedTables` names. */
export const comparedColumns = sql`compared.area_id, area.code, area.name, location.name as location_name, compared.of_pass,
  compared.first, compared.second, compared.third, compared.settled_as, compared.settled_at,
  person.username as settled_by, compared.reason, ${isFirstWhatCounts} as first_replaced`;

/**
 * Condition over a second count under the alias `attempt`: it has a code without a product that the first count has not, or not as
 * often, or the other way round. Something was missed, whatever it is. It is noted as the second count closes (`codes_differ`), as a
 * decision about one of the codes later is not what was found; it is asked for later only where that was not noted yet (before 0053).
 */
export const codesDiffer = sql<boolean>`exists (
  select from scans unnamed
  where unnamed.session_id = attempt.session_id and unnamed.area_id = attempt.area_id and unnamed.sku is null
    and (unnamed.pass = attempt.of_pass and (unnamed.status = 'unresolved'
        or unnamed.reason = 'DISMISSED' and unnamed.voided_from = 'unresolved')
      or unnamed.pass = attempt.pass and unnamed.status = 'compared')
  group by unnamed.input
  having sum(case when unnamed.pass = attempt.pass then unnamed.quantity else -unnamed.quantity end) <> 0)`;

/** The SKUs of a session in which the counts of an area differ and nobody has settled as what, each perhaps several times. */
export function skusInQuestion(sessionId: string): RawBuilder<unknown> {
  return sql`(select compared.sku from compared_counts compared
    where compared.session_id = ${sessionId} and compared.settled_as is null and ${isOfPresentCount})`;
}

/**
 * The SKUs of a session (as SQL) of which a later count of an area took the place of the first with none, each perhaps several times, with the
 * time in which that was found: nothing was scanned that a total could be of, and 0 is a count all the same. Not what the first count
 * had none of either: a later one that had some by mistake makes it no count. Where nobody knows when a scan of the count was made,
 * the time begins when the count was asked for.
 */
export function settledAsNone(sessionId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select compared.sku, attempt.ended_at as last_counted_at, coalesce(
        (select case when bool_and(scan.time_known) then least(min(scan.scanned_at), attempt.ended_at) end from scans scan
          where scan.session_id = attempt.session_id and scan.area_id = attempt.area_id
            and scan.pass in (attempt.pass, attempt.of_pass) and scan.sent_pass = attempt.pass
            and scan.status <> 'late'),
        attempt.asked_at) as first_counted_at
    from compared_counts compared
    cross join lateral (
      select counted.* from second_counts counted
      where counted.session_id = compared.session_id and counted.area_id = compared.area_id
        and counted.of_pass = compared.of_pass and counted.ended_as = 'closed'
        and counted.round = case compared.settled_as when 'second' then 2 when 'third' then 3 end
        and (counted.only_skus is null or compared.sku = any(counted.only_skus))
      order by counted.only_skus is null limit 1) attempt
    where compared.session_id = ${sessionId} and compared.first > 0
      and case compared.settled_as when 'second' then compared.second when 'third' then compared.third end = 0
      and ${isOfPresentCount})`;
}

/** A restored pass counts under another number: what it was compared with, and came to, goes along. */
export async function moveComparison(
  transaction: Transaction,
  { sessionId, areaId, pass }: Pass,
  ofPass: number,
): Promise<void> {
  const isOfRestored = sql<boolean>`session_id = ${sessionId} and area_id = ${areaId} and of_pass = ${pass}`;
  await sql`update second_counts set of_pass = ${ofPass} where ${isOfRestored}`.execute(transaction);
  await sql`update compared_counts set of_pass = ${ofPass} where ${isOfRestored}`.execute(transaction);
}

/** What the counts came to, with whatever else the row has. */
export function presentCompared<Row extends ComparedRow>(row: Row) {
  const { areaId, code, name, locationName, settledAt, settledBy, ...rest } = row;
  return {
    ...rest,
    area: { _id: areaId, code, name, locationName },
    settledAt: settledAt?.toISOString() ?? null,
    settledBy: settledBy === null ? null : { username: settledBy },
  };
}

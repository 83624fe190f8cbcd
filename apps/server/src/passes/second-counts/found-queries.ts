import { type RawBuilder, sql } from "kysely";
import { isOfPass } from "../queries.ts";
import { type Attempt, type Compared, isOfCompared } from "./attempt-queries.ts";

/**
 * Condition: the attempt is of a SKU (as SQL, of a row outside). One of the whole area is of all that no list before it was of: what
 * those came to stays.
 */
export function isAskedOf({ onlySkus, ...attempt }: Attempt, sku: RawBuilder<unknown>): RawBuilder<boolean> {
  if (onlySkus !== null) return sql<boolean>`${sku} = any(${onlySkus}::text[])`;
  return sql<boolean>`not exists (select from second_counts listed
    where ${isOfCompared(attempt)} and listed.ended_as = 'closed' and ${sku} = any(listed.only_skus))`;
}

/** What the first count of each SKU that an attempt is of is now, accepted late scans included. */
export function firstCount(attempt: Attempt): RawBuilder<unknown> {
  const { sessionId, areaId, ofPass } = attempt;
  return sql`(select sku, quantity::bigint as units from scan_totals
    where ${isOfPass({ sessionId, areaId, pass: ofPass })} and ${isAskedOf(attempt, sql`scan_totals.sku`)})`;
}

/**
 * Condition over `scans`: of the round, and in the pass that counts, where it took the place of the first count's; unless it was undone
 * there, or gave way to another count, it counts. A scan that an administrator accepted is none: one of the first count may have been
 * sent with the round's number. One that waited and was dismissed is none of those.
 */
export function isTakenFrom(compared: Compared, round: Attempt["round"]): RawBuilder<boolean> {
  const { sessionId, areaId, ofPass } = compared;
  return sql<boolean>`(${isOfPass({ sessionId, areaId, pass: ofPass })} and (resolved_by is null or reason = 'DISMISSED')
    and sent_pass in (select made.pass from second_counts made where ${isOfCompared(compared)} and made.round = ${round}))`;
}

/**
 * What an attempt found of each SKU that it is of, in `units`: what it scanned and nobody has undone since, wherever it counts. Whatever
 * else was scanned says nothing. `counts`: it counts in place of the first count's; `so_far`: so much of it does, or waits to.
 */
export function attemptCount(attempt: Attempt): RawBuilder<unknown> {
  return sql`(select sku, coalesce(sum(quantity) filter (where reason is distinct from 'UNDONE'), 0)::bigint as units,
      coalesce(sum(quantity) filter (where status in ('counted', 'unresolved')), 0)::bigint as so_far,
      bool_or(status <> 'compared' and reason is distinct from 'SUPERSEDED') as counts
    from scans
    where (${isOfPass(attempt)} and status = 'compared' or ${isTakenFrom(attempt, attempt.round)})
      and sku is not null and ${isAskedOf(attempt, sql`scans.sku`)}
    group by sku)`;
}

/** What each of the attempts found of those SKUs (as SQL, a table of one column) that it is of, one row for each. */
export function foundIn(attempts: readonly Attempt[], skus: RawBuilder<unknown>): RawBuilder<unknown> {
  const found = attempts.map(
    (attempt) => sql`
      select given.sku, ${attempt.round}::integer as round, coalesce(found.units, 0) as units,
        coalesce(found.so_far, 0) as so_far, found.counts is true as counts
      from ${skus} given (sku) left join ${attemptCount(attempt)} found using (sku)
      where ${isAskedOf(attempt, sql`given.sku`)}`,
  );
  return sql`(${sql.join(found, sql` union all `)})`;
}

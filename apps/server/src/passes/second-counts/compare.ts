import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { addToTotals, isOfPass } from "../queries.ts";
import { isTagCounted, lockTagsOf } from "../tag-queries.ts";
import { type Attempt, type Compared, closedAttempts, isOfCompared } from "./attempt-queries.ts";
import { codesDiffer } from "./compared-row-queries.ts";
import { attemptCount, firstCount, foundIn, isAskedOf, isTakenFrom } from "./found-queries.ts";

/**
 * A code that fitted no product when the first count scanned it, and that an administrator has accepted as one since, is that
 * product in the other counts too; otherwise they would differ by the decision. A code that was accepted as several is none of them.
 * Returns the SKUs, each perhaps several times.
 */
async function nameAsDecided(transaction: Transaction, attempt: Attempt): Promise<readonly string[]> {
  const { rows } = await sql<{ sku: string }>`
    update scans set sku = decided.sku
    from (
      select input, min(sku) as sku from scans
      where session_id = ${attempt.sessionId} and area_id = ${attempt.areaId} and pass = ${attempt.ofPass}
        and status = 'counted' and resolved_by is not null
      group by input having count(distinct sku) = 1) decided
    where scans.session_id = ${attempt.sessionId} and scans.area_id = ${attempt.areaId} and scans.pass = ${attempt.pass}
      and scans.status = 'compared' and scans.sku is null and scans.input = decided.input
    returning scans.sku`.execute(transaction);
  return rows.map(({ sku }) => sku);
}

/** A code of a pass that counts, and the SKU that it was accepted as there. */
interface DecidedCode {
  readonly areaId: string;
  readonly pass: number;
  readonly input: string;
  readonly sku: string | null;
}

/**
 * Takes from the other counts the names that they have by acceptances which are taken back. A scan that named its product by itself has no
 * reason to wait. To be compared again afterwards: where the code is accepted as the same elsewhere, it has its name again.
 */
export async function forgetNames(
  transaction: Transaction,
  sessionId: string,
  codes: readonly DecidedCode[],
): Promise<void> {
  await sql`
    update scans set sku = null
    from unnest(${codes.map(({ areaId }) => areaId)}::uuid[], ${codes.map(({ pass }) => pass)}::integer[],
        ${codes.map(({ input }) => input)}::text[], ${codes.map(({ sku }) => sku)}::text[]) as given (area_id, pass, input, sku)
      join second_counts attempt on attempt.session_id = ${sessionId} and attempt.area_id = given.area_id and attempt.of_pass = given.pass
    where scans.session_id = ${sessionId} and scans.area_id = given.area_id and scans.pass = attempt.pass
      and scans.status = 'compared' and scans.reason in ('UNKNOWN_CODE', 'AMBIGUOUS_CODE')
      and scans.input = given.input and scans.sku = given.sku`.execute(transaction);
}

/** Compares a second count that is closed with the first; returns whether they differ in any SKU. */
export async function compareSecond(transaction: Transaction, attempt: Attempt): Promise<boolean> {
  await nameAsDecided(transaction, attempt);
  const isThis = isOfPass(attempt, "attempt");
  await sql`update second_counts attempt set codes_differ = ${codesDiffer} where ${isThis}`.execute(
    transaction,
  );
  const { sessionId, areaId, ofPass } = attempt;
  const { rows } = await sql<{ differing: number }>`
    with compared as (
      insert into compared_counts (session_id, area_id, of_pass, sku, first, second, settled_as, settled_at)
      select ${sessionId}::uuid, ${areaId}::uuid, ${ofPass}::integer, sku, coalesce(one.units, 0), coalesce(two.units, 0),
        case when one.units = two.units then 'equal' end, case when one.units = two.units then now() end
      from ${firstCount(attempt)} one full join ${attemptCount(attempt)} two using (sku)
      returning settled_as)
    select count(*) as differing from compared where settled_as is null`.execute(transaction);
  return (rows[0]?.differing ?? 0) > 0;
}

/**
 * Whether a second or third count of the same list, or of the whole area, that is closed has codes that fit no product: any product may
 * have one of these labels.
 */
async function hasUnnamed(transaction: Transaction, attempt: Attempt): Promise<boolean> {
  const { sessionId, areaId, onlySkus } = attempt;
  const { rows } = await sql`
    select from scans
    where session_id = ${sessionId} and area_id = ${areaId} and status = 'compared' and sku is null
      and pass in (select pass from second_counts where ${isOfCompared(attempt)} and ended_as = 'closed'
        and only_skus is not distinct from ${onlySkus}::text[])
    limit 1`.execute(transaction);
  return rows.length > 0;
}

/**
 * Settles by a third count that is closed what two of the three now agree on; the rest waits for an administrator, and so does what
 * would become less while either count has codes that fit no product. Returns the SKUs whose figure is now that of the second count.
 */
export async function compareThird(transaction: Transaction, attempt: Attempt): Promise<readonly string[]> {
  await nameAsDecided(transaction, attempt);
  const mayBeLess = !(await hasUnnamed(transaction, attempt));
  const isPartOfFirst = sql<boolean>`exists (select from scans
    where ${isTakenFrom(attempt, 2)} and reason is distinct from 'SUPERSEDED' and scans.sku = open.sku)`;
  const { rows } = await sql<{ sku: string; settledAs: string | null }>`
    update compared_counts set first = given.first, third = given.third, settled_as = given.settled_as,
      settled_at = case when given.settled_as is not null then now() end
    from (
      select open.sku, figures.*,
        case when figures.third = figures.first or figures.first = open.second and not ${isPartOfFirst} then 'first'
          when figures.third = open.second and (${mayBeLess} or open.second > figures.first) then 'second' end as settled_as
      from compared_counts open
      left join ${firstCount(attempt)} one using (sku)
      left join ${attemptCount(attempt)} three using (sku)
      cross join lateral (select coalesce(one.units, 0) as first, coalesce(three.units, 0) as third) figures
      where ${isOfCompared(attempt)} and open.settled_as is null and ${isAskedOf(attempt, sql`open.sku`)}) given
    where ${isOfCompared(attempt)} and compared_counts.sku = given.sku
    returning compared_counts.sku, compared_counts.settled_as`.execute(transaction);
  const replaced = rows.filter(({ settledAs }) => settledAs === "second").map(({ sku }) => sku);
  await countAs(transaction, attempt, { round: 2, skus: replaced, by: null });
  return replaced;
}

/**
 * Compares again what a decision on scans has changed in an area's first count: what two counts had agreed on is in question where they
 * no longer do, and what they differed in is settled where they agree now. What another count took the place of stays so settled, and so
 * does what an administrator has chosen; the figures are those of the scans all the same.
 */
export async function compareAgain(
  transaction: Transaction,
  compared: Compared,
  skus: readonly string[],
): Promise<void> {
  const attempts = await closedAttempts(transaction, compared);
  if (attempts.length === 0) return;
  // Taken back as one of two products, a code is the other one in the other counts.
  const changed = new Set(skus);
  for (const attempt of attempts)
    for (const sku of await nameAsDecided(transaction, attempt)) changed.add(sku);
  const { sessionId, areaId, ofPass } = compared;
  // A count that counts in place of the first is no second witness of what it is itself a part of.
  const settledAs = sql`case when one.units = two.units and not two.counts or one.units = three.units and not three.counts then
    case when one.units = two.units and coalesce(three.units = one.units, true) then 'equal' else 'first' end end`;
  const isReplaced = sql<boolean>`known.settled_as in ('second', 'third')`;
  const stays = sql<boolean>`(known.settled_by is not null or ${isReplaced})`;
  await sql`
    with made as ${foundIn(attempts, sql`unnest(${[...changed]}::text[])`)},
    counts as (
      select two.sku, one.units as first, two.units as second, three.units as third, ${settledAs} as settled_as
      from (select * from made where round = 2) two
      left join (select * from made where round = 3) three using (sku)
      cross join lateral (select coalesce((select quantity::bigint from scan_totals total
        where ${isOfPass({ sessionId, areaId, pass: ofPass }, "total")} and total.sku = two.sku), 0) as units) one)
    insert into compared_counts as known (session_id, area_id, of_pass, sku, first, second, third, settled_as, settled_at)
    select ${sessionId}::uuid, ${areaId}::uuid, ${ofPass}::integer, sku, first, second, third, settled_as,
      case when settled_as is not null then now() end
    from counts
    on conflict (session_id, area_id, of_pass, sku) do update set
      first = case when ${isReplaced} then known.first else excluded.first end,
      second = excluded.second, third = excluded.third,
      settled_as = case when ${stays} then known.settled_as else excluded.settled_as end,
      settled_at = case when ${stays} or known.settled_as is not distinct from excluded.settled_as
        then known.settled_at else excluded.settled_at end`.execute(transaction);
}

/** As `compareAgain`, of what counts otherwise by now than it was compared or settled as, as in a restored count in which somebody went on. */
export async function compareChangedSince(transaction: Transaction, compared: Compared): Promise<void> {
  const skus = await questionChanged(transaction, compared);
  if (skus.length > 0) await compareAgain(transaction, compared, skus);
}

/**
 * Puts in question what counts otherwise by now than it was compared or settled as, whatever it was settled as and by whom. Returns the
 * SKUs, those among them that were not compared yet.
 */
async function questionChanged(transaction: Transaction, compared: Compared): Promise<readonly string[]> {
  const attempts = await closedAttempts(transaction, compared);
  if (attempts.length === 0) return [];
  const { sessionId, areaId, ofPass } = compared;
  const isOf = isOfCompared(compared);
  const { rows } = await sql<{ sku: string }>`
    with made as ${foundIn(attempts, sql`(select sku from compared_counts where ${isOf})`)},
    changed as (
      select sku from (select * from compared_counts where ${isOf}) known
      full join (select sku, quantity from scan_totals where ${isOfPass({ sessionId, areaId, pass: ofPass })}) total using (sku)
      left join (select * from made where round = 2) two using (sku)
      left join (select * from made where round = 3) three using (sku)
      where coalesce(total.quantity, 0) is distinct from
          case known.settled_as when 'second' then two.so_far when 'third' then three.so_far else known.first end
        or known.second <> two.units or known.third <> three.units),
    questioned as (
      update compared_counts set settled_as = null, settled_by = null, settled_at = null, reason = null
      from changed where ${isOf} and compared_counts.sku = changed.sku)
    select sku from changed`.execute(transaction);
  return rows.map(({ sku }) => sku);
}

interface Replacement {
  /** Whose figures count from now on. */
  readonly round: Attempt["round"];
  readonly skus: readonly string[];
  /** Null: because two counts agree. */
  readonly by: string | null;
}

/**
 * Makes a second or third count's scans of SKUs count in the pass that counts, in place of those that counted there. Those are
 * kept, voided as SUPERSEDED. Where they count there already, what was counted besides them goes; where they did before another count
 * took their place, they count again.
 */
export async function countAs(
  transaction: Transaction,
  compared: Compared,
  { round, skus, by }: Replacement,
): Promise<void> {
  if (skus.length === 0) return;
  const { sessionId, areaId, ofPass } = compared;
  const counting = { sessionId, areaId, pass: ofPass };
  const ofSkus = sql<boolean>`sku = any(${skus}::text[])`;
  const isCompared = sql<boolean>`(session_id = ${sessionId} and area_id = ${areaId} and status = 'compared' and ${ofSkus})`;
  const gaveWay = sql<boolean>`(${isTakenFrom(compared, round)} and reason = 'SUPERSEDED' and ${ofSkus})`;
  await lockTagsOf(transaction, sessionId, sql<boolean>`(${isCompared} or ${gaveWay})`);
  await sql`
    update scans set status = 'voided', reason = 'SUPERSEDED', voided_from = status, voided_from_reason = reason,
      voided_by = ${by}::uuid, voided_at = now()
    where ${isOfPass(counting)} and status = 'counted' and ${ofSkus}
      and ${isTakenFrom(compared, round)} is not true`.execute(transaction);
  await sql`delete from scan_totals where ${isOfPass(counting)} and ${ofSkus}`.execute(transaction);
  await sql`
    update scans set status = case when ${isTagCounted} then 'voided' else 'counted' end,
      reason = case when ${isTagCounted} then 'TAG_COUNTED' end, pass = ${ofPass},
      voided_from = null, voided_from_reason = null, voided_by = null, voided_at = null
    where ${gaveWay} or ${isCompared} and pass = (select counted.pass from second_counts counted
        where ${isOfCompared(compared)} and counted.round = ${round} and counted.ended_as = 'closed'
          and (counted.only_skus is null or scans.sku = any(counted.only_skus))
        order by counted.only_skus is null limit 1)`.execute(transaction);
  await addToTotals(
    transaction,
    sql<boolean>`${isOfPass(counting, "scan")} and scan.sku = any(${skus}::text[])`,
  );
}

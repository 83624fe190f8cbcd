import type { SampleCommitment } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { codesDiffer, isFirstReplaced } from "../../passes/passes.ts";

/** A control sample as it is stored. */
export interface SampleRow {
  readonly number: number;
  readonly seed: string;
  readonly drawnAt: Date;
  readonly drawnBy: string | null;
  readonly notClosed: number;
  readonly countedTwice: number;
  readonly reason: string | null;
  readonly voidedAt: Date | null;
  readonly voidedBy: string | null;
  readonly voidReason: string | null;
  readonly hash: string;
  readonly committedAt: Date;
  readonly closedAreas: number;
  readonly areas: number;
  readonly units: number;
  /** The units of each area that was not drawn, the most first. */
  readonly otherUnits: readonly number[];
}

/** Samples of a session from a number on, in their order. */
export async function readSamples(
  database: Database,
  sessionId: string,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<SampleRow[]> {
  const { rows } = await sql<SampleRow>`
    select sample.number, sample.seed, sample.drawn_at, drawer.username as drawn_by, sample.not_closed, sample.counted_twice, sample.reason, sample.voided_at,
      voider.username as voided_by, sample.void_reason, commitment.hash, commitment.committed_at, commitment.closed_areas,
      listed.*
    from control_samples sample
    join sample_commitments commitment
      on commitment.session_id = sample.session_id and commitment.number = sample.commitment
    left join users drawer on drawer.id = sample.drawn_by
    left join users voider on voider.id = sample.voided_by
    cross join lateral (
      select count(*) as areas, coalesce(sum(units), 0)::bigint as units,
        coalesce(array_agg(units::double precision order by units desc) filter (where not drawn), '{}') as other_units
      from sample_areas
      where session_id = sample.session_id and number = sample.number) listed
    where sample.session_id = ${sessionId} and sample.number >= ${from}::bigint
    order by sample.number limit ${count}`.execute(database);
  return rows;
}

export async function countSamples(database: Database, sessionId: string): Promise<number> {
  const { samples } = await database
    .selectFrom("controlSamples")
    .select(({ fn }) => fn.countAll<number>().as("samples"))
    .where("sessionId", "=", sessionId)
    .executeTakeFirstOrThrow();
  return Number(samples);
}

/** The commitment of the next draws; undefined where there is none. */
export function newestCommitment(
  database: Database,
  sessionId: string,
): Promise<{ hash: string; committedAt: Date; closedAreas: number } | undefined> {
  return database
    .selectFrom("sampleCommitments")
    .select(["hash", "committedAt", "closedAreas"])
    .where("sessionId", "=", sessionId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}

export function presentCommitment({
  hash,
  committedAt,
  closedAreas,
}: Pick<SampleRow, "hash" | "committedAt" | "closedAreas">): SampleCommitment {
  return { hash, committedAt: committedAt.toISOString(), closedAreas };
}

/** An area of a sample, with the names that it is shown by. */
export interface SampledArea {
  readonly number: number;
  readonly areaId: string;
  readonly code: string;
  readonly name: string;
  readonly locationName: string;
  readonly pass: number;
  readonly units: number;
}

/** The columns of a `SampledArea`, and the tables that they are of, under the aliases `sampled`, `area` and `location`. */
export const sampledColumns = sql`sampled.number, sampled.area_id, area.code, area.name, location.name as location_name,
  sampled.pass, sampled.units`;
export const sampledTables = sql`sample_areas sampled
  join areas area on area.id = sampled.area_id
  join locations location on location.id = area.location_id`;

export function presentSampled({ areaId, code, name, locationName, pass, units }: SampledArea) {
  return { area: { _id: areaId, code, name, locationName }, pass, units };
}

/** An area that was drawn, and what became of its control count. */
export interface DrawnRow extends SampledArea {
  /** Of its last attempt; null while that is open. */
  readonly endedAs: string | null;
  readonly isStarted: boolean;
  readonly isThirdOpen: boolean;
  /** The two counts have other codes without a product, or not as many of one: something was missed, whatever it is. */
  readonly codesDiffer: boolean;
}

/** Of the `sampled` area, as `attempt`: the last attempt at its control count. */
const controlCount = sql`lateral (
  select session_id, area_id, pass, of_pass, ended_as, ended_at, status, codes_differ from second_counts
  where session_id = sampled.session_id and area_id = sampled.area_id and sample = sampled.number
  order by pass desc limit 1) attempt`;

/** Condition over a control count under the alias `attempt`: the third count of what it is of is under way. */
const isThirdOpen = sql<boolean>`exists (select from second_counts third
  where third.session_id = attempt.session_id and third.area_id = attempt.area_id
    and third.of_pass = attempt.of_pass and third.round = 3 and third.ended_as is null)`;

/**
 * Condition over the sample under the alias `sample`: it is neither finished nor void, as `presentSamples` says of it. Where one of
 * its control counts is over without a result, it is void.
 */
export const isSampleCounting = sql<boolean>`(sample.voided_at is null and coalesce((
  select bool_and(attempt.ended_as is null or attempt.ended_as = 'closed')
    and bool_or(attempt.ended_as is null or ${isThirdOpen})
  from sample_areas sampled join ${controlCount} on true
  where sampled.session_id = sample.session_id and sampled.number = sample.number and sampled.drawn), false))`;

/** The areas that samples have drawn, in the order of their ids. */
export async function readDrawn(
  database: Database,
  sessionId: string,
  numbers: readonly number[],
): Promise<readonly DrawnRow[]> {
  const { rows } = await sql<DrawnRow>`
    select ${sampledColumns}, attempt.ended_as, attempt.status <> 'not_started' as is_started,
      coalesce(attempt.codes_differ, attempt.ended_as = 'closed' and ${codesDiffer}) as codes_differ,
      ${isThirdOpen} as is_third_open
    from ${sampledTables}
    join ${controlCount} on true
    where sampled.session_id = ${sessionId} and sampled.number = any(${numbers}::integer[]) and sampled.drawn
    order by sampled.number, sampled.area_id`.execute(database);
  return rows;
}

/** A SKU of an area that is counted again, which moved in between or which the first count had wrong. */
export interface ControlledSku {
  readonly number: number;
  readonly areaId: string;
  readonly areaCode: string;
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly moved: boolean;
}

/**
 * Condition over `compared`, the `sampled` area and its control count, `attempt`: Shopify's stock of the SKU changed after the area's
 * first scan and before the last count that was compared with it was over, the third where there was one, by Shopify's own time.
 */
const movedBetween: RawBuilder<boolean> = sql<boolean>`exists (
  select from stock_readings changed
  join session_items item on item.session_id = changed.session_id and item.sku = changed.sku
  left join lateral (
    select before.on_hand from stock_readings before
    where before.session_id = changed.session_id and before.sku = changed.sku and before.read_at < changed.read_at
    order by before.read_at desc limit 1) known on true
  where changed.session_id = compared.session_id and changed.sku = compared.sku
    and changed.read_at > sampled.counted_from and changed.read_at <= coalesce((select max(third.ended_at) from second_counts third
      where third.session_id = attempt.session_id and third.area_id = attempt.area_id and third.of_pass = attempt.of_pass
        and third.round = 3 and third.ended_as = 'closed'), attempt.ended_at)
    and changed.on_hand <> coalesce(known.on_hand, item.start_on_hand))`;

/**
 * What the control counts of samples found, wherever the count that they are of has gone: a restored one counts under another number.
 * The first count of a SKU is wrong where another took its place, whatever is chosen once somebody has gone on in that; while nobody has
 * settled it, it counts as wrong.
 */
export async function readControlled(
  database: Database,
  sessionId: string,
  numbers: readonly number[],
): Promise<readonly ControlledSku[]> {
  const { rows } = await sql<ControlledSku>`
    select * from (
      select sampled.number, sampled.area_id, area.code as area_code, compared.sku, named.product_title, named.size,
        compared.settled_as is null or ${isFirstReplaced} as is_wrong,
        ${movedBetween} as moved
      from ${sampledTables}
      join ${controlCount} on attempt.ended_as = 'closed'
      join compared_counts compared on compared.session_id = attempt.session_id
        and compared.area_id = attempt.area_id and compared.of_pass = attempt.of_pass
      join session_items named on named.session_id = compared.session_id and named.sku = compared.sku
      where sampled.session_id = ${sessionId} and sampled.number = any(${numbers}::integer[]) and sampled.drawn) found
    where moved or is_wrong
    order by number, area_code, area_id, sku`.execute(database);
  return rows;
}

import { type CoverageKind, naturalOrder, type OpenCoverage } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { isOfPresentCount } from "../passes/passes.ts";
import { isSampleCounting } from "../scanning/scanning.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import { coveredAreas } from "./area-queries.ts";
import { coveredDevices } from "./device-queries.ts";
import { coveredStock } from "./stock-queries.ts";
import { openBeyond, readBeyond } from "./tolerance/beyond-queries.ts";

/** What is open, as rows of `kind` and what each is called, in the order in which they are named. */
type Source = (session: SessionRow) => RawBuilder<unknown>;

/** What areas are called, by the rule of the contract's `areaNaming`: with their location where several of the session have the code. */
const namedAreas = sql`
  named_area as (
    select id, case when count(*) over (partition by lower(code)) > 1 then code || ' (' || location_name || ')' else code end as name
    from covered_area)`;

const ofAreas =
  (kind: CoverageKind, condition: RawBuilder<boolean>): Source =>
  () =>
    sql`select ${kind} as kind, named.name, named.name as place
      from covered_area join named_area named on named.id = covered_area.id where ${condition}`;

/** Everything but areas and stock, which are worked out first. */
const others: readonly Source[] = [
  () => sql`select 'devices', person, person from covered_device where covered_device.state = 'holds'`,
  () => sql`select 'unknown_devices', person, person from covered_device where is_unknown`,
  ({
    id,
  }) => sql`select 'sheets', sheet.number::text, lpad(sheet.number::text, 12, '0') from count_sheets sheet
    where sheet.session_id = ${id} and sheet.voided_at is null and (sheet.returned_at is null or sheet.stored_at is null)`,
  ({ id }) => sql`select 'second_counts', coalesce(named.name, area.code), coalesce(named.name, area.code)
    from second_counts attempt join areas area on area.id = attempt.area_id left join named_area named on named.id = area.id
    where attempt.session_id = ${id} and attempt.ended_as is null`,
  ({ id }) => sql`select 'differences', compared.sku, compared.sku from compared_counts compared
    where compared.session_id = ${id} and compared.settled_as is null and ${isOfPresentCount}`,
  ({
    id,
  }) => sql`select 'samples', sample.number::text, lpad(sample.number::text, 12, '0') from control_samples sample
    where sample.session_id = ${id} and ${isSampleCounting}`,
  ({ id }) => sql`select 'exceptions', scan.input, lpad(scan.id::text, 20, '0') from scans scan
    where scan.session_id = ${id} and scan.status in ('unresolved', 'late')`,
  ({ id }) =>
    sql`select 'restored', '', '' from sessions session where session.id = ${id} and session.restored`,
];

const sources: readonly Source[] = [
  ofAreas("areas", sql<boolean>`state = 'not_counted'`),
  ofAreas("empty_areas", sql<boolean>`state = 'empty_once'`),
  ofAreas("cut_off_counts", sql<boolean>`owes_count`),
  ...others,
];

/** Named of each kind. */
const namedAtMost = 5;

/** Of these as many are read as there are areas: PostgreSQL has no natural order, by which A2 is before A10. */
const kindsOfAreas: readonly CoverageKind[] = ["areas", "empty_areas", "second_counts", "cut_off_counts"];

function inNaturalOrder({ kind, count, names }: OpenCoverage): OpenCoverage {
  const ordered = kindsOfAreas.includes(kind) ? names.toSorted(naturalOrder()) : names;
  return { kind, count, names: ordered.slice(0, namedAtMost) };
}

/** What is open besides stock, and what is beyond tolerance. */
export async function readOpenBesidesStock(
  reader: Database,
  session: SessionRow,
): Promise<readonly OpenCoverage[]> {
  const { rows } = await sql<OpenCoverage>`
    with ${coveredAreas(session)}, ${namedAreas}, ${coveredDevices(session.id)}, open_thing (kind, name, place) as (
      ${sql.join(
        sources.map((source) => source(session)),
        sql` union all `,
      )})
    select kind, count(*) as count,
      coalesce((array_agg(name order by place, name))[1:case when kind = any(${[...kindsOfAreas]}::text[])
        then count(*)::int else ${sql.lit(namedAtMost)} end], '{}') as names
    from open_thing group by kind`.execute(reader);
  return rows.map(inNaturalOrder);
}

async function readOpenStock(reader: Database, session: SessionRow): Promise<readonly OpenCoverage[]> {
  const { rows } = await sql<OpenCoverage>`
    with ${coveredStock(session)}
    select 'stock' as kind, count(*) as count,
      coalesce((array_agg(sku order by sku))[1:${sql.lit(namedAtMost)}], '{}') as names
    from covered where state = 'open' having count(*) > 0`.execute(reader);
  return rows;
}

/** In which order the kinds are worked off. */
const order: readonly CoverageKind[] = [
  "restored",
  "areas",
  "empty_areas",
  "stock",
  "second_counts",
  "samples",
  "differences",
  "cut_off_counts",
  "beyond_tolerance",
  "sheets",
  "exceptions",
  "devices",
  "unknown_devices",
];

/** Everything that the session leaves open, kind by kind; worked out anew each time. */
export async function readOpen(reader: Database, session: SessionRow): Promise<OpenCoverage[]> {
  const open = [
    ...(await readOpenBesidesStock(reader, session)),
    ...openBeyond(await readBeyond(reader, session)),
    ...(await readOpenStock(reader, session)),
  ];
  return open.toSorted((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));
}

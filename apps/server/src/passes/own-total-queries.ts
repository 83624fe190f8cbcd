import type { OwnTotals } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { isOfPass, type Pass, type PassInQuery } from "./queries.ts";

/** Everybody with scans that are left in the pass, or with a total of their own, and whether that total still holds. */
function personsOf({ sessionId, areaId, pass }: PassInQuery): RawBuilder<unknown> {
  return sql`
    select person.username, own.total,
      own.person is not null and own.scans = coalesce(work.scans, 0) and own.counted = coalesce(work.counted, 0)
        as has_declared
    from (
      select scanned_by, sum(scans) as scans, sum(counted) as counted from device_work
      where session_id = ${sessionId} and area_id = ${areaId} and pass = ${pass}
      group by scanned_by) work
    full join (
      select * from own_totals
      where session_id = ${sessionId} and area_id = ${areaId} and pass = ${pass}) own
      on own.person = work.scanned_by
    join users person on person.id = coalesce(work.scanned_by, own.person)`;
}

/**
 * A subquery: whose own totals a pass has and whose are missing, as JSON; null where nobody has given one. Names alone:
 * counters count blind.
 */
export function ownTotalsOf(pass: PassInQuery): RawBuilder<OwnTotals | null> {
  return sql<OwnTotals | null>`(
    select json_build_object(
      'given', coalesce(json_agg(username order by username) filter (where has_declared), '[]'),
      'missing', coalesce(json_agg(username order by username) filter (where not has_declared), '[]'))
    from (${personsOf(pass)}) persons
    where exists (select from own_totals own
      where own.session_id = ${pass.sessionId} and own.area_id = ${pass.areaId} and own.pass = ${pass.pass})
    having count(*) > 0)`;
}

/** What a person counted alone, and the device that says so. */
interface OwnTotal {
  readonly person: string;
  readonly total: number;
  readonly deviceId: string;
}

interface Declared {
  /** The sum of all that have been given and still hold. */
  readonly sum: number;
  /** How many people gave those. */
  readonly people: number;
  /** The names of those who counted in the pass and have still to give theirs. */
  readonly missing: readonly string[];
}

/** Keeps a person's own total in the place of an earlier one. The caller holds the area's row FOR UPDATE. */
export async function declareOwnTotal(
  transaction: Transaction,
  pass: Pass,
  { person, total, deviceId }: OwnTotal,
): Promise<Declared> {
  await sql`
    insert into own_totals (session_id, area_id, pass, person, total, device_id, scans, counted)
    select ${pass.sessionId}, ${pass.areaId}, ${pass.pass}, ${person}, ${total}, ${deviceId},
      coalesce(sum(scans), 0), coalesce(sum(counted), 0)
    from device_work where ${isOfPass(pass)} and scanned_by = ${person}
    on conflict (session_id, area_id, pass, person) do update
    set total = excluded.total, device_id = excluded.device_id, scans = excluded.scans,
      counted = excluded.counted, declared_at = now()`.execute(transaction);
  return readDeclared(transaction, pass);
}

async function readDeclared(transaction: Transaction, pass: Pass): Promise<Declared> {
  const { sessionId, areaId, pass: number } = pass;
  const named = {
    sessionId: sql`${sessionId}::uuid`,
    areaId: sql`${areaId}::uuid`,
    pass: sql`${number}::integer`,
  };
  const { rows } = await sql<{ username: string; total: number | null; hasDeclared: boolean }>`
    ${personsOf(named)} order by person.username`.execute(transaction);
  const given = rows.filter(({ hasDeclared }) => hasDeclared);
  return {
    sum: given.reduce((sum, { total }) => sum + (total ?? 0), 0),
    people: given.length,
    missing: rows.filter(({ hasDeclared }) => !hasDeclared).map(({ username }) => username),
  };
}

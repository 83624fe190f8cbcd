import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { Acceptance } from "./accept-or-dismiss.ts";

/** The area in which the item of a scan's tag counts by another scan, under the alias `scan`; null where it doesn't. */
export const areaOfTag = sql`(
  select json_build_object('_id', tagged_area.id, 'code', tagged_area.code, 'name', tagged_area.name)
  from scans tagged join areas tagged_area on tagged_area.id = tagged.area_id
  where tagged.session_id = scan.session_id and tagged.tag = scan.tag and tagged.status = 'counted' and tagged.id <> scan.id)`;

/**
 * Those whose item would count twice, and the code of the area where it counts: by another scan, or by the first of these of the same
 * tag. The tags are locked.
 */
export async function countedByTag(
  transaction: Transaction,
  acceptances: readonly Acceptance[],
): Promise<ReadonlyMap<Acceptance, string | null>> {
  const tagged = acceptances.filter(({ scan }) => scan.tag !== null);
  if (tagged.length === 0) return new Map();
  const { rows } = await sql<{ id: number; code: string }>`
    select scan.id, area.code
    from unnest(${tagged.map(({ scan }) => scan.id)}::bigint[], ${tagged.map(({ scan }) => scan.tag)}::text[]) as given (id, tag)
    join scans scan on scan.id = given.id
    join scans counting on counting.session_id = scan.session_id and counting.tag = given.tag and counting.status = 'counted'
    join areas area on area.id = counting.area_id`.execute(transaction);
  const areas = new Map(rows.map(({ id, code }) => [id, code]));
  const firstOfTag = new Map(tagged.toReversed().map((acceptance) => [acceptance.scan.tag, acceptance]));
  return new Map(
    tagged
      .filter(
        (acceptance) => areas.has(acceptance.scan.id) || firstOfTag.get(acceptance.scan.tag) !== acceptance,
      )
      .map((acceptance) => [acceptance, areas.get(acceptance.scan.id) ?? null] as const),
  );
}

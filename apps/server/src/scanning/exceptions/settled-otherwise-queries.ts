import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { isFirstReplaced } from "../../passes/passes.ts";
import type { Acceptance } from "./accept-or-dismiss.ts";
import { currentPass } from "./counts-since-queries.ts";

/**
 * Condition over `scans`: accepted where it was scanned, it would count in a pass in which a second or third count has taken the place of
 * the first for its SKU. What a second count did with an item that was read elsewhere is told by its tag.
 */
export const isCountedOtherwise = sql<boolean>`scans.reason is distinct from 'TAG_ELSEWHERE' and exists (
  select from compared_counts compared
  where compared.session_id = scans.session_id and compared.area_id = scans.area_id and compared.sku = scans.sku
    and ${isFirstReplaced} and compared.of_pass = ${currentPass(sql`scans`)})`;

/**
 * Those that would count where a second or third count has taken the place of the first: it counted the item that the scan is of,
 * so that both would count.
 */
export async function settledOtherwise(
  transaction: Transaction,
  sessionId: string,
  acceptances: readonly Acceptance[],
): Promise<ReadonlySet<Acceptance>> {
  if (acceptances.length === 0) return new Set();
  const { rows } = await sql<{ place: number }>`
    select given.place::integer from unnest(${acceptances.map(({ target }) => target.areaId)}::uuid[],
      ${acceptances.map(({ target }) => target.pass)}::integer[], ${acceptances.map(({ sku }) => sku)}::text[])
      with ordinality as given (area_id, pass, sku, place)
    join compared_counts compared on compared.session_id = ${sessionId} and compared.area_id = given.area_id
      and compared.of_pass = given.pass and compared.sku = given.sku
    where ${isFirstReplaced}`.execute(transaction);
  const places = new Set(rows.map(({ place }) => place));
  return new Set(acceptances.filter((_acceptance, index) => places.has(index + 1)));
}

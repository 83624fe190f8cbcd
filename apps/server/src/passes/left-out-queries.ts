import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { isOfPass, nextPass, type Pass } from "./queries.ts";

/**
 * Condition: the session was not to count the area, and nobody has begun to. Of an area that is not `not_started` it says
 * nothing: one in which somebody scans is part of the session whatever was planned.
 */
export function wasLeftOut({
  sessionId,
  areaId,
}: {
  readonly sessionId: RawBuilder<unknown>;
  readonly areaId: RawBuilder<unknown>;
}): RawBuilder<boolean> {
  return sql<boolean>`(exists (
      select from session_left_out_areas left_out
      where left_out.session_id = ${sessionId} and left_out.area_id = ${areaId})
    and 1 = (select count(*) from area_passes pass
      where pass.session_id = ${sessionId} and pass.area_id = ${areaId}))`;
}

/** Leaves all areas of the store out of the session but those of `areaIds`. */
export async function leaveOut(
  transaction: Transaction,
  { sessionId, storeId }: { readonly sessionId: string; readonly storeId: string },
  areaIds: readonly string[],
): Promise<number> {
  const { rows } = await sql`
    insert into session_left_out_areas (session_id, area_id)
    select ${sessionId}, area.id from areas area
    where area.store_id = ${storeId} and area.deleted_at is null and area.id <> all(${areaIds}::uuid[])
    returning area_id`.execute(transaction);
  return rows.length;
}

/** The areas that the session was not to count, and that nobody began to. */
export async function leftOutAreas(
  transaction: Transaction,
  sessionId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ areaId: string }>`
    select left_out.area_id from session_left_out_areas left_out
    join areas area on area.id = left_out.area_id and area.status = 'not_started' and area.deleted_at is null
    where left_out.session_id = ${sessionId}
      and ${wasLeftOut({ sessionId: sql`${sessionId}`, areaId: sql.ref("leftOut.areaId") })}`.execute(
    transaction,
  );
  return new Set(rows.map(({ areaId }) => areaId));
}

/**
 * Numbers the only pass of an area that is left out anew, as the next one: what a device holds of the present number comes as late, and
 * the area stays one that nobody has begun. Resolves to the new number.
 */
export async function renumberLeftOut(transaction: Transaction, current: Pass): Promise<number> {
  const { pass } = await transaction
    .updateTable("areas")
    .set({ pass: nextPass })
    .where("id", "=", current.areaId)
    .returning("pass")
    .executeTakeFirstOrThrow();
  await transaction.updateTable("areaPasses").set({ pass }).where(isOfPass(current)).execute();
  return pass;
}

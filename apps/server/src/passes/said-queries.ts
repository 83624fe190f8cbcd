import type { AreaStatement } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";

/** A pass as SQL, of a row outside. */
interface PassColumns {
  readonly sessionId: RawBuilder<unknown>;
  readonly areaId: RawBuilder<unknown>;
  readonly pass: RawBuilder<unknown>;
}

/** Condition: an administrator has said that of the area, and of this very pass. */
export function isSaidOfPass(
  as: AreaStatement,
  { sessionId, areaId, pass }: PassColumns,
): RawBuilder<boolean> {
  return sql<boolean>`exists (select from area_statements said
    where said.session_id = ${sessionId} and said.area_id = ${areaId} and said.pass = ${pass} and said.stated_as = ${as})`;
}

/** Condition: something counts in the pass, or would if it fitted a product. */
export function hasScansIn({ sessionId, areaId, pass }: PassColumns): RawBuilder<boolean> {
  return sql<boolean>`exists (select from scans scan
    where scan.session_id = ${sessionId} and scan.area_id = ${areaId} and scan.pass = ${pass}
      and scan.status in ('counted', 'unresolved'))`;
}

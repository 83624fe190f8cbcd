import { type RawBuilder, sql } from "kysely";

/** So many milliseconds as an interval of the database. A literal, so that prepared statements have no parameter of it. */
export function milliseconds(count: number): RawBuilder<unknown> {
  return sql`(${sql.lit(count)}::double precision * interval '1 millisecond')`;
}

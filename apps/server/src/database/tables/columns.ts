import type { ColumnType } from "kysely";

/** When the row was made; never changed. */
export type Created = ColumnType<Date, Date | undefined, never>;

export type NullableTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** A number that the database gives. */
export type Numbered = ColumnType<number, never, never>;

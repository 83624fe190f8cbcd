import { sql } from "kysely";

/** Condition over `area`: another area of its store has its code, so that it is called with its location, by the rule of the contract's `areaNaming`. */
export const sharesItsCode = sql<boolean>`exists (
  select from areas other
  where other.store_id = area.store_id and other.id <> area.id and other.deleted_at is null and lower(other.code) = lower(area.code))`;

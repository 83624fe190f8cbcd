import { sql } from "kysely";

/**
 * Holds of a row of `adjustment_rows` that was not moved although Shopify may still be able to, and of which nobody has
 * said that it stays so.
 */
export const resumableRow = sql<boolean>`(state = 'not_moved' and unmovable is null and settled_at is null)`;

import { sql } from "kysely";

/**
 * Holds of a row of `adjustment_rows` that was not moved although Shopify may still be able to, and of which nobody has
 * said that it stays so.
 */
export const resumableRow = sql<boolean>`(state = 'not_moved' and unmovable is null and settled_at is null)`;

/**
 * Holds of a row of `adjustments` whose deploy stopped half-way. One of which a rollback has unclear rows is partial too,
 * but there is nothing left of its deploy to resume or to leave.
 */
export const partlyDeployed = sql<boolean>`(
  adjustments.status = 'partial' and adjustments.rollback_requested_at is null)`;

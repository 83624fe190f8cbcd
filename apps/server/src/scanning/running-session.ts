import type { Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";

/**
 * Holds the row of the session that runs in a store, so that it cannot end in between; answers its id. Throws
 * SESSION_CLOSED where none runs, with what that means for the caller (`consequence`, a sentence).
 */
export async function holdRunningSession(
  transaction: Transaction,
  storeId: string,
  consequence: string,
): Promise<string> {
  const session = await transaction
    .selectFrom("sessions")
    .select("id")
    .where("store_id", "=", storeId)
    .where("status", "in", ["active", "ending"])
    .forShare()
    .executeTakeFirst();
  if (session !== undefined) return session.id;
  throw new ApiError("SESSION_CLOSED", `No counting session is running in this store. ${consequence}`);
}

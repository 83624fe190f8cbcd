import type { Database } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { EndStock, SessionRow } from "../../sessions/sessions.ts";

/** Between the two nobody knows what moved the stock of a restored session. */
export interface UnknownTime {
  readonly backupMadeAt: Date;
  /** What Shopify's clock showed then, by the session's last reading before it; null where there was none. */
  readonly backupShopTime: Date | null;
  readonly restoredAt: Date;
}

/** The inventory items of a session, each with its stock as the end reading found it. */
export async function readSessionItems(
  reader: Database,
  sessionId: string,
): Promise<ReadonlyMap<string, EndStock>> {
  const items = await reader
    .selectFrom("sessionItems")
    .select(["inventoryItemId", "endOnHand", "endLevelUpdatedAt"])
    .where("sessionId", "=", sessionId)
    .execute();
  return new Map(items.map(({ inventoryItemId, ...end }) => [inventoryItemId, end]));
}

/** @throws ApiError SESSION_RELEASED where the session is not one that was restored and not released since. */
export async function readUnknownTime(reader: Database, session: SessionRow): Promise<UnknownTime> {
  const { restoredAt } = await reader
    .selectFrom("installation")
    .select("restoredAt")
    .executeTakeFirstOrThrow();
  const { restored, backupMadeAt, backupShopTime } = session;
  if (!restored || backupMadeAt === null) {
    throw new ApiError(
      "SESSION_RELEASED",
      "This session is not held back by a restore, or has been released already. Nothing was changed.",
    );
  }
  return { backupMadeAt, backupShopTime, restoredAt: restoredAt ?? backupMadeAt };
}

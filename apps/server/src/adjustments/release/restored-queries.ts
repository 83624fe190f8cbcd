import type { Database } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { SessionRow } from "../../sessions/sessions.ts";

/** Between the two nobody knows what moved the stock of a restored session. */
export interface UnknownTime {
  readonly backupMadeAt: Date;
  readonly restoredAt: Date;
}

/** @throws ApiError SESSION_RELEASED where the session is not one that was restored and not released since. */
export async function readUnknownTime(reader: Database, session: SessionRow): Promise<UnknownTime> {
  const { restoredAt } = await reader
    .selectFrom("installation")
    .select("restoredAt")
    .executeTakeFirstOrThrow();
  const { restored, backupMadeAt } = session;
  if (!restored || backupMadeAt === null) {
    throw new ApiError(
      "SESSION_RELEASED",
      "This session is not held back by a restore, or has been released already. Nothing was changed.",
    );
  }
  return { backupMadeAt, restoredAt: restoredAt ?? backupMadeAt };
}

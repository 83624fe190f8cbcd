import { limits } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { canSendScansTo } from "../../auth/auth.ts";
import type { Database } from "../../database/pool.ts";
import { notFound } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";

/** The number, where its device can continue from it; 0, as if there were none, where it is beyond every real count. */
export function runningNumber(seq: number): number {
  return seq <= limits.runningSequence ? seq : 0;
}

/** Condition: the device can continue from the sequence number that the SQL expression `seq` names. */
export function isRunningNumber(seq: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${seq} <= ${limits.runningSequence}`;
}

interface DeviceInSession {
  readonly sessionId: string;
  readonly deviceId: string;
}

/** The highest sequence number stored for a device in a session, voided scans too; 0 when there is none. */
export async function findMaxSequence(
  database: Database,
  caller: Caller,
  { sessionId, deviceId }: DeviceInSession,
): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`
    select (select max(scan.seq) from scans scan
      where scan.session_id = session.id and scan.device_id = ${deviceId}
        and ${isRunningNumber(sql.ref("scan.seq"))}) as seq
    from sessions session
    where session.id = ${sessionId} and ${canSendScansTo(caller, "session")}`.execute(database);
  const [found] = rows;
  if (found === undefined) throw notFound("The session");
  return found.seq ?? 0;
}

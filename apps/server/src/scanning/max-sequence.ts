import { sql } from "kysely";
import type { Caller } from "../auth/caller.ts";
import { sessionTakesScansOf } from "../auth/policies.ts";
import type { Database } from "../database/pool.ts";
import { notFound } from "../http/api-error.ts";

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
      where scan.session_id = session.id and scan.device_id = ${deviceId}) as seq
    from sessions session
    where session.id = ${sessionId} and ${sessionTakesScansOf(caller, "session")}`.execute(database);
  const [found] = rows;
  if (found === undefined) throw notFound("The session");
  return found.seq ?? 0;
}

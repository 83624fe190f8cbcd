import { limits } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { canSendScansTo } from "../../auth/auth.ts";
import { notFound } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { ScanningServices } from "../services.ts";
import { isBelieved } from "./device-keys.ts";
import { nothingHeard, type QueueReport } from "./heartbeats.ts";
import { recordOpened } from "./opened-device-queries.ts";
import { type Hearing, noteQueue } from "./queue-report.ts";

/** The number, where its device can continue from it; 0, as if there were none, where it is beyond every real count. */
export function runningNumber(seq: number): number {
  return seq <= limits.runningSequence ? seq : 0;
}

/** Condition: the device can continue from the sequence number that the SQL expression `seq` names. */
export function isRunningNumber(seq: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${seq} <= ${limits.runningSequence}`;
}

/** What a device says as it opens an area. */
interface OpeningDevice {
  readonly sessionId: string;
  readonly deviceId: string;
  readonly tellsQueue?: "true" | undefined;
  readonly pending?: number | undefined;
  readonly pendingOrder?: number | undefined;
  readonly deviceKey: string | null;
}

/** What it says of its queue by then; nothing where it does not tell of all its rows, or numbers no reports. */
export function openingReport({
  tellsQueue,
  pending,
  pendingOrder,
}: Omit<OpeningDevice, "deviceKey">): QueueReport {
  const isWhole = tellsQueue === "true" && pending !== undefined && pendingOrder !== undefined;
  return isWhole ? { pending, pendingOrder } : nothingHeard;
}

/**
 * The highest sequence number stored for a device in a session, voided scans too; 0 when there is none. A device asks for it as it opens an
 * area, so that one which never sends anything is known by that, with what it holds and what the reports of the others are worth. Of a report that
 * is not the device's own it is noted that an area was opened, and nothing else.
 * @throws ApiError NOT_FOUND; what the database threw where what the device told could not be noted: it tells it again.
 */
export async function findMaxSequence(
  { logger, ...hearing }: Pick<ScanningServices, "logger"> & Hearing,
  caller: Caller,
  opening: OpeningDevice,
): Promise<number> {
  const { database } = hearing;
  const { sessionId, deviceId } = opening;
  const tellsQueue = opening.tellsQueue === "true";
  const report = openingReport(opening);
  const { rows } = await sql<{ seq: number | null; isRunning: boolean; isKnown: boolean }>`
    select (select max(scan.seq) from scans scan
        where scan.session_id = session.id and scan.device_id = ${deviceId}
          and ${isRunningNumber(sql.ref("scan.seq"))}) as seq,
      session.status <> 'closed' as is_running,
      exists (select from opened_devices opened where opened.session_id = session.id
        and opened.device_id = ${deviceId} and opened.tells_queue = ${tellsQueue}) as is_known
    from sessions session
    where session.id = ${sessionId} and ${canSendScansTo(caller, "session")}`.execute(database);
  const [found] = rows;
  if (found === undefined) throw notFound("The session");
  if (report.pending === null && (!found.isRunning || found.isKnown)) return found.seq ?? 0;
  const { userId } = caller;
  const noted = { sessionId, deviceId, userId, tellsQueue };
  const note = async () => {
    const isOwn = await isBelieved(
      database,
      { userId, deviceKey: opening.deviceKey },
      { sessionId, deviceId },
    );
    if (report.pending !== null && isOwn) await noteQueue(hearing, { ...noted, ...report }, found);
    else if (found.isRunning) await recordOpened(database, { ...noted, ...nothingHeard, isOwn });
  };
  await note().catch((err: unknown) => {
    if (report.pending !== null) throw err;
    // Counting goes on without that.
    logger.warn({ err, session: sessionId }, "A device that has opened an area could not be noted");
  });
  return found.seq ?? 0;
}

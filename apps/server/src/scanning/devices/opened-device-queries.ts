import { limits } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { isKeyless } from "./device-key-queries.ts";
import type { QueueReport } from "./heartbeats.ts";

interface OpenedDevice extends QueueReport {
  readonly sessionId: string;
  readonly deviceId: string;
  readonly userId: string;
  /** Its app tells of all rows of its queue, not of scans alone; the last that it was opened with holds. */
  readonly tellsQueue: boolean;
  /** False where whoever says so does not have the key of the device: then nothing that they say makes it known to be empty. */
  readonly isOwn?: boolean;
}

/** Condition over `opened`, which is about to take in a report of that number: no later one is known. */
const isNews = (pendingOrder: number | null) =>
  sql<boolean>`coalesce(${pendingOrder}::bigint > coalesce(opened.pending_order, 0), false)`;

/** Condition that a device has told what it holds, with a number: then its app tells of all of it, whoever opens an area in its name. */
const hasTold = (sessionId: string, deviceId: string) =>
  sql<boolean>`exists (select from session_devices heard
    where heard.session_id = ${sessionId} and heard.device_id = ${deviceId} and heard.pending_order is not null)`;

/**
 * Records that somebody has opened an area on a device, and what that says of its queue. Of whoever makes up devices a hundred are
 * kept: those first that are not known to hold nothing, and of them, as of the others, the last. Devices with a key are as few, and none
 * is forgotten.
 */
export async function recordOpened(
  database: Database,
  { sessionId, deviceId, userId, tellsQueue, pending, pendingOrder, isOwn = true }: OpenedDevice,
): Promise<void> {
  const isLater = isNews(pendingOrder);
  const { rows } = await sql<{ isNew: boolean }>`
    insert into opened_devices as opened (session_id, device_id, user_id, tells_queue, pending, pending_order, told_at)
    values (${sessionId}, ${deviceId}, ${userId}, ${tellsQueue} and (${isOwn} or ${hasTold(sessionId, deviceId)}),
      ${pending}::integer, ${pendingOrder}::bigint, case when ${pending}::integer is not null then now() end)
    on conflict (session_id, device_id) do update set tells_queue = ${tellsQueue} and (${isOwn} or opened.tells_queue),
      pending = case when ${isLater} then excluded.pending else opened.pending end,
      pending_order = case when ${isLater} then excluded.pending_order else opened.pending_order end,
      told_at = case when ${isLater} then excluded.told_at else opened.told_at end
    where opened.tells_queue <> ${tellsQueue} or ${isLater}
    returning xmax = 0 as is_new`.execute(database);
  if (rows[0]?.isNew !== true) return;
  await sql`
    delete from opened_devices opened using (
      select device_id, row_number() over (order by coalesce(pending, 1) > 0 desc, opened_at desc, device_id) as place
      from opened_devices listed
      where session_id = ${sessionId} and user_id = ${userId} and ${isKeyless("listed")}) known
    where known.place > ${limits.devicesPerPerson} and opened.session_id = ${sessionId}
      and opened.device_id = known.device_id`.execute(database);
}

/** Notes a report of a device that has opened an area; of any other, and of an earlier report, nothing. */
export async function noteOfOpened(
  database: Database,
  { sessionId, deviceId, pending, pendingOrder }: QueueReport & Pick<OpenedDevice, "sessionId" | "deviceId">,
): Promise<void> {
  await sql`
    update opened_devices opened
    set tells_queue = true, pending = ${pending}, pending_order = ${pendingOrder}, told_at = now()
    where opened.session_id = ${sessionId} and opened.device_id = ${deviceId} and ${isNews(pendingOrder)}`.execute(
    database,
  );
}

export async function hasOpened(
  database: Database,
  { sessionId, deviceId }: Pick<OpenedDevice, "sessionId" | "deviceId">,
): Promise<boolean> {
  const { rows } = await sql`
    select from opened_devices where session_id = ${sessionId} and device_id = ${deviceId}`.execute(database);
  return rows.length > 0;
}

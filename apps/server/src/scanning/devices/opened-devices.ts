import { limits } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";

interface OpenedDevice {
  readonly sessionId: string;
  readonly deviceId: string;
  readonly userId: string;
  /** Its app tells of all rows of its queue, not of scans alone; the last that it was opened with holds. */
  readonly tellsQueue: boolean;
}

/** Records that somebody has opened an area on a device. Of whoever makes up devices the last ones are kept. */
export async function recordOpened(
  database: Database,
  { sessionId, deviceId, userId, tellsQueue }: OpenedDevice,
): Promise<void> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into opened_devices as opened (session_id, device_id, user_id, tells_queue)
    values (${sessionId}, ${deviceId}, ${userId}, ${tellsQueue})
    on conflict (session_id, device_id) do update set tells_queue = excluded.tells_queue
    where opened.tells_queue <> excluded.tells_queue
    returning xmax = 0 as is_new`.execute(database);
  if (rows[0]?.isNew !== true) return;
  await sql`
    delete from opened_devices opened using (
      select device_id, row_number() over (order by opened_at desc, device_id) as place
      from opened_devices where session_id = ${sessionId} and user_id = ${userId}) known
    where known.place > ${limits.devicesPerPerson} and opened.session_id = ${sessionId}
      and opened.device_id = known.device_id`.execute(database);
}

import type { AreaDevice } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { isOfPass, type Pass } from "../passes/passes.ts";

interface DeviceRow {
  readonly deviceId: string;
  readonly usernames: string[];
  readonly isYours: boolean;
  readonly pending: number | null;
  readonly silentSince: Date | null;
}

/** More than any area is counted with: a login that makes up devices fills no answer. */
const listedAtMost = 50;
const silentAfterMinutes = 5;

/**
 * The devices with scans that are left in the pass, the last one to scan first, what each last said that it holds, and which of them the
 * user who asks scanned with.
 */
export async function devicesOfPass(database: Database, pass: Pass, userId: string): Promise<AreaDevice[]> {
  const { rows } = await sql<DeviceRow>`
    select work.device_id, array_agg(distinct person.username order by person.username) as usernames,
      bool_or(work.scanned_by = ${userId}) as is_yours, max(device.pending) as pending,
      case when max(device.last_seen_at) < now() - make_interval(mins => ${silentAfterMinutes})
        then max(device.last_seen_at) end as silent_since
    from device_work work
    join users person on person.id = work.scanned_by
    left join session_devices device on device.session_id = work.session_id and device.device_id = work.device_id
    where ${isOfPass(pass, "work")}
    group by work.device_id
    order by max(work.last_scan_at) desc, work.device_id
    limit ${listedAtMost}`.execute(database);
  return rows.map(({ deviceId, usernames, isYours, pending, silentSince }) => ({
    deviceId,
    usernames,
    ...(isYours ? { yours: true as const } : {}),
    holdsScans: (pending ?? 0) > 0,
    silentSince: silentSince?.toISOString() ?? null,
  }));
}

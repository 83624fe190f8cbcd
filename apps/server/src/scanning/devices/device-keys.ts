import { createHash, timingSafeEqual } from "node:crypto";
import { limits } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/pool.ts";

/** A device of whose queue something is told in a session. */
export interface ReportedDevice {
  readonly sessionId: string;
  readonly deviceId: string;
}

/** Who tells it, and the key that comes with it. */
export interface Teller {
  readonly userId: string;
  readonly deviceKey: string | null;
}

/** The key is random (docs/SYNC.md, S46), so a plain hash of it is safe to store. */
const hashOf = (key: string) => createHash("sha256").update(key).digest();

/**
 * Finds out of which devices a report is believed: of one that has a key, by that key alone; of one without, as ever. The first key that comes of a
 * device is set by that, where it comes from whoever was heard from it first. The caller may send to the session of each.
 */
export async function findBelieved<Device extends ReportedDevice>(
  database: Database,
  { userId, deviceKey }: Teller,
  devices: readonly Device[],
): Promise<(device: Device) => boolean> {
  if (devices.length === 0) return () => true;
  const hash = deviceKey === null ? null : hashOf(deviceKey);
  const ids = [...new Set(devices.map(({ deviceId }) => deviceId))];
  let known = await readKeys(database, ids);
  const keyless = devices.filter(({ deviceId }) => !known.has(deviceId));
  if (hash !== null && keyless.length > 0) {
    await setKeys(database, { userId, hash }, keyless);
    // Read again, as another call may have been quicker.
    known = await readKeys(database, ids);
  }
  return ({ deviceId }) => {
    const own = known.get(deviceId);
    return own === undefined || (hash !== null && timingSafeEqual(own, hash));
  };
}

/** Whether a report of one device is believed; see `findBelieved`. */
export async function isBelieved(
  database: Database,
  teller: Teller,
  device: ReportedDevice,
): Promise<boolean> {
  const believes = await findBelieved(database, teller, [device]);
  return believes(device);
}

async function readKeys(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await database
    .selectFrom("deviceKeys")
    .select(["deviceId", "keyHash"])
    .where("deviceId", "in", ids)
    .execute();
  return new Map(rows.map(({ deviceId, keyHash }) => [deviceId, keyHash]));
}

/**
 * Condition over the device `told`: in its session, and in those that go on, it was heard from nobody yet, or from this person before anybody else. That
 * somebody has sent from it later proves nothing: whoever has learned its id can. A count of the first scan is by whom it is sent and by whom it was made,
 * as an administrator may load a saved queue.
 */
const isFirstHeardFrom = (userId: string): RawBuilder<boolean> => sql<boolean>`coalesce((
  select ${userId}::uuid = any(trace.people)
  from sessions session
  cross join lateral (
    select opened_at as heard_at, array[user_id] as people from opened_devices opened
      where opened.session_id = session.id and opened.device_id = told.device_id
    union all
    (select received_at, array[scanned_by, sent_by] from scans scan
      where scan.session_id = session.id and scan.device_id = told.device_id order by received_at, id limit 1)
    union all
    select 'infinity', array[user_id] from session_devices heard
      where heard.session_id = session.id and heard.device_id = told.device_id) trace
  where session.id = told.session_id or session.status <> 'closed'
  order by trace.heard_at limit 1), true)`;

/** Of a person who makes up devices the last hundred keys are kept: nobody counts with so many. */
async function setKeys(
  database: Database,
  { userId, hash }: { readonly userId: string; readonly hash: Buffer },
  devices: readonly ReportedDevice[],
): Promise<void> {
  const told = devices.map(({ sessionId, deviceId }) => ({ session_id: sessionId, device_id: deviceId }));
  const { rows } = await sql`
    insert into device_keys (device_id, key_hash, user_id)
    select distinct told.device_id, ${hash}::bytea, ${userId}::uuid
    from json_to_recordset(${JSON.stringify(told)}::json) as told (session_id uuid, device_id text)
    where ${isFirstHeardFrom(userId)}
    order by told.device_id
    on conflict (device_id) do nothing
    returning device_id`.execute(database);
  if (rows.length === 0) return;
  await sql`
    delete from device_keys key using (
      select device_id, row_number() over (order by set_at desc, device_id) as place
      from device_keys where user_id = ${userId}) known
    where known.place > ${limits.devicesPerPerson} and key.device_id = known.device_id`.execute(database);
}

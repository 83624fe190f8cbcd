import { limits } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { lateScanDays } from "../../auth/auth.ts";
import type { Database } from "../../database/pool.ts";

/** A device of whose queue something is told in a session. */
export interface ReportedDevice {
  readonly sessionId: string;
  readonly deviceId: string;
}

/** The hashes of the keys that are known, by device id. */
export async function readKeys(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await database
    .selectFrom("deviceKeys")
    .select(["deviceId", "keyHash"])
    .where("deviceId", "in", ids)
    .execute();
  return new Map(rows.map(({ deviceId, keyHash }) => [deviceId, keyHash]));
}

/** Condition over a table of devices under this name: nothing is known to be the device's own word. */
export const isKeyless = (table: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from device_keys key where key.device_id = ${sql.ref(`${table}.device_id`)})`;

/**
 * Condition over the device `told`: in its session, in those that go on, and in those that are over of which it still holds rows that it
 * may send, it was heard from nobody yet, or from this person before anybody else. That somebody has sent from it later proves nothing:
 * whoever has learned its id can. Of a first scan both whoever sent it and whoever made it count, as an administrator may load a saved queue.
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
    or session.ended_at > now() - make_interval(days => ${sql.lit(lateScanDays)})
      and exists (select from session_devices held
        where held.session_id = session.id and held.device_id = told.device_id and held.pending > 0)
  order by trace.heard_at limit 1), true)`;

/**
 * Of a person the first hundred devices get a key: nobody counts with so many, and none that is set is taken away to make room. Whoever
 * told something of the device before may have numbered it as they pleased: from its key on the device's own reports begin anew.
 */
export async function setKeys(
  database: Database,
  { userId, hash }: { readonly userId: string; readonly hash: Buffer },
  devices: readonly ReportedDevice[],
): Promise<void> {
  const told = devices.map(({ sessionId, deviceId }) => ({ session_id: sessionId, device_id: deviceId }));
  await sql`
    with wanted as (
      select distinct told.device_id
      from json_to_recordset(${JSON.stringify(told)}::json) as told (session_id uuid, device_id text)
      where ${isFirstHeardFrom(userId)}
      order by told.device_id
      limit greatest(0, ${limits.devicesPerPerson} - (select count(*) from device_keys where user_id = ${userId}))),
    added as (
      insert into device_keys (device_id, key_hash, user_id)
      select device_id, ${hash}::bytea, ${userId}::uuid from wanted
      on conflict (device_id) do nothing
      returning device_id),
    renumbered as (
      update session_devices device set pending_order = null from added
      where device.device_id = added.device_id and device.pending_order is not null)
    update opened_devices opened set pending_order = null from added
    where opened.device_id = added.device_id and opened.pending_order is not null`.execute(database);
}

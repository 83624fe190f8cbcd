import type { DeviceQueueState } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { devicesOf } from "../passes/passes.ts";

/** A device of a session with what is known of its queue. */
export interface CoveredDeviceRow {
  readonly device: string;
  readonly person: string;
  readonly state: DeviceQueueState;
  readonly pending: number | null;
  readonly openedAt: Date | null;
  /** When it was last heard of; null for one that has opened an area and never told or sent anything. */
  readonly heardAt: Date | null;
  /** What an administrator has said of it; all null where nobody has. */
  readonly reason: string | null;
  readonly saidBy: string | null;
  readonly saidById: string | null;
  readonly saidAt: Date | null;
  /** It is accounted for by that: it has sent no scan since, and has not said that it holds anything. */
  readonly holds: boolean;
}

/** How many scans of a device are stored, whatever became of them. */
export function scansOf(sessionId: string, device: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(
    select count(*) from scans scan where scan.session_id = ${sessionId} and scan.device_id = ${device})`;
}

/**
 * The common table expressions that end with `covered_device`: a row a device that was heard of, or has opened an area. One that has told no
 * number held nothing besides what it sent (docs/SYNC.md, S10), where its app tells of all rows.
 */
export function coveredDevices(sessionId: string): RawBuilder<unknown> {
  return sql`
    known_device as (select * from ${devicesOf(sessionId)} known),
    stated_device as (
      select device_id, tells_queue, pending, opened_at, heard_at, person.username as person, said.reason, said.stated_by as said_by_id,
        sayer.username as said_by, said.stated_at as said_at,
        case when pending > 0 then 'holds'
          when heard_at is null then 'never_heard'
          when not tells_queue then 'scans_alone'
          else 'empty' end as state,
        case when said.reason is null or pending > 0 then false
          else said.scans = ${scansOf(sessionId, sql.ref("known_device.device_id"))} end as holds
      from known_device
      join users person on person.id = known_device.user_id
      left join (select * from device_statements where session_id = ${sessionId}) said using (device_id)
      left join users sayer on sayer.id = said.stated_by),
    covered_device as (
      select stated_device.*, state in ('never_heard', 'scans_alone') and not holds as is_unknown from stated_device)`;
}

/** Which devices are wanted: all, those to be worked off, or those of which something was said; perhaps only some of them. */
export interface WantedDevices {
  readonly which: "all" | "open" | "decided";
  readonly ids?: readonly string[];
}

const isWanted: Record<WantedDevices["which"], RawBuilder<boolean>> = {
  all: sql<boolean>`true`,
  open: sql<boolean>`(is_unknown or state = 'holds')`,
  decided: sql<boolean>`reason is not null`,
};

/** The devices of a session with what is known of their queues, by their ids. */
export async function readCoveredDevices(
  reader: Database,
  sessionId: string,
  { which, ids }: WantedDevices = { which: "all" },
): Promise<readonly CoveredDeviceRow[]> {
  const isOne = ids === undefined ? sql<boolean>`true` : sql<boolean>`device_id = any(${ids}::text[])`;
  const { rows } = await sql<CoveredDeviceRow>`
    with ${coveredDevices(sessionId)}
    select device_id as device, person, state, pending, opened_at, heard_at, reason, said_by, said_by_id, said_at, holds
    from covered_device where ${isWanted[which]} and ${isOne}
    order by device_id collate "C"`.execute(reader);
  return rows;
}

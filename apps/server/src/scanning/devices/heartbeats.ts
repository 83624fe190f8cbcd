import { limits } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import type { Clock } from "../../kernel/clock.ts";

/** How many rows of a session a device still holds, null where it didn't say; and which of its reports that is, null where it has none. */
export interface QueueReport {
  readonly pending: number | null;
  readonly pendingOrder: number | null;
}

/** A device sent something in a session; without a user it is whose it was. */
export interface Heartbeat extends QueueReport {
  readonly sessionId: string;
  readonly deviceId: string;
  readonly userId: string | null;
}

/** A device that was recorded; new where it had not been heard of in the session. */
interface Known {
  readonly sessionId: string;
  readonly userId: string;
  readonly isNew: boolean;
}

interface Recorded extends QueueReport {
  readonly userId: string | null;
  readonly at: number;
}

/** A device that goes on counting is recorded again after this time, not with every scan. */
const repeatAfterMs = 10_000;

/** Records which devices take part in a session, for the administrator's progress. */
export class DeviceHeartbeats {
  private readonly database: Database;
  private readonly clock: Pick<Clock, "now">;
  private readonly recorded = new Map<string, Recorded>();
  private sweptAt = 0;

  constructor(database: Database, clock: Pick<Clock, "now">) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Records the devices in a statement of its own: its foreign keys lock the session's row, which a scan's transaction
   * must not wait for while it holds areas. An earlier report of the queue that arrives later changes nothing but that the device was heard of.
   */
  async record(heartbeats: readonly Heartbeat[]): Promise<void> {
    const now = this.clock.now();
    const due = onePerDevice(heartbeats).filter((heartbeat) => this.isNews(heartbeat, now));
    if (due.length === 0) return;
    const { rows } = await sql<Known>`
      insert into session_devices as device (session_id, device_id, user_id, pending, pending_order)
      select session_id, device_id, coalesce(heartbeat.user_id, known.user_id), heartbeat.pending, heartbeat.pending_order
      from json_to_recordset(${JSON.stringify(due.map(asRow))}::json) as heartbeat (
        session_id uuid, device_id text, user_id uuid, pending integer, pending_order bigint)
      left join session_devices known using (session_id, device_id)
      where heartbeat.user_id is not null or known.user_id is not null
      order by session_id, device_id
      on conflict (session_id, device_id) do update
      set user_id = excluded.user_id, last_seen_at = now(),
        pending = case when excluded.pending is null or excluded.pending_order < device.pending_order then device.pending
          else excluded.pending end,
        pending_order = greatest(device.pending_order, excluded.pending_order)
      returning session_id, user_id, xmax = 0 as is_new`.execute(this.database);
    for (const heartbeat of due) this.recorded.set(keyOf(heartbeat), { ...heartbeat, at: now });
    await this.forgetOldest(rows.filter(({ isNew }) => isNew));
    this.sweep(now);
  }

  /** Nobody counts with so many devices: a login that makes up one for each scan fills no list. */
  private async forgetOldest(added: readonly Known[]): Promise<void> {
    if (added.length === 0) return;
    const persons = new Map(added.map((each) => [`${each.sessionId}:${each.userId}`, each]));
    await sql`
      delete from session_devices device using (
        select session_id, device_id,
          row_number() over (partition by session_id, user_id order by last_seen_at desc, device_id) as place
        from session_devices
        where (session_id, user_id) in (select * from json_to_recordset(${JSON.stringify(
          [...persons.values()].map(({ sessionId, userId }) => ({ session_id: sessionId, user_id: userId })),
        )}::json) as person (session_id uuid, user_id uuid))) known
      where known.place > ${limits.devicesPerPerson}
        and device.session_id = known.session_id and device.device_id = known.device_id`.execute(
      this.database,
    );
  }

  private isNews({ userId, pending, pendingOrder, ...device }: Heartbeat, now: number): boolean {
    const recorded = this.recorded.get(keyOf(device));
    if (recorded === undefined || Math.abs(now - recorded.at) >= repeatAfterMs) return true;
    const isSame = recorded.pending === pending && recorded.pendingOrder === pendingOrder;
    return recorded.userId !== userId || (pending !== null && !isSame);
  }

  private sweep(now: number): void {
    if (Math.abs(now - this.sweptAt) < repeatAfterMs) return;
    this.sweptAt = now;
    for (const [key, { at }] of this.recorded)
      if (Math.abs(now - at) >= repeatAfterMs) this.recorded.delete(key);
  }
}

const keyOf = ({ sessionId, deviceId }: Pick<Heartbeat, "sessionId" | "deviceId">) =>
  `${sessionId}:${deviceId}`;

/** Calls of one device may be stored together, a delayed one among them: what it told last of its queue is not lost. */
function onePerDevice(heartbeats: readonly Heartbeat[]): Heartbeat[] {
  const devices = new Map<string, Heartbeat>();
  for (const heartbeat of heartbeats) {
    const before = devices.get(keyOf(heartbeat));
    const report = before === undefined ? heartbeat : later(before, heartbeat);
    const { pending, pendingOrder } = report;
    devices.set(keyOf(heartbeat), { ...heartbeat, pending, pendingOrder });
  }
  return [...devices.values()];
}

function later(before: QueueReport, after: QueueReport): QueueReport {
  if (after.pending === null) return before;
  if (after.pendingOrder === null || before.pendingOrder === null) return after;
  return after.pendingOrder < before.pendingOrder ? before : after;
}

function asRow({ sessionId, deviceId, userId, pending, pendingOrder }: Heartbeat) {
  return {
    session_id: sessionId,
    device_id: deviceId,
    user_id: userId,
    pending,
    pending_order: pendingOrder,
  };
}

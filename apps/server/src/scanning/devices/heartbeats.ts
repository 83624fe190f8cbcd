import { limits } from "@stocktake/contract";
import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import type { Clock } from "../../kernel/clock.ts";
import { isKeyless } from "./device-key-queries.ts";

/** How many rows of a session a device still holds, null where it didn't say; and which of its reports that is, null where it has none. */
export interface QueueReport {
  readonly pending: number | null;
  readonly pendingOrder: number | null;
}

/** It said nothing. */
export const nothingHeard: QueueReport = { pending: null, pendingOrder: null };

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

interface HeartbeatServices {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Pick<FastifyBaseLogger, "warn">;
}

/** A device that goes on counting is recorded again after this time, not with every scan. */
const repeatAfterMs = 10_000;

/** Condition over the device `heard`: it has opened an area of the session, or a scan of it is stored. */
const isWitnessed = sql<boolean>`(
  exists (select from opened_devices opened
    where opened.session_id = heard.session_id and opened.device_id = heard.device_id)
  or exists (select from scans scan where scan.session_id = heard.session_id and scan.device_id = heard.device_id))`;

/** Records which devices take part in a session, for the administrator's progress. */
export class DeviceHeartbeats {
  private readonly database: Database;
  private readonly clock: Pick<Clock, "now">;
  private readonly logger: Pick<FastifyBaseLogger, "warn">;
  private readonly recorded = new Map<string, Recorded>();
  private readonly underWay = new Set<Promise<void>>();
  private sweptAt = 0;

  constructor({ database, clock, logger }: HeartbeatServices) {
    this.database = database;
    this.clock = clock;
    this.logger = logger;
  }

  /**
   * Notes what devices tell of themselves with what they sent, which is stored by now. Resolves once what is new of them is noted; that a
   * device goes on counting, as each does every ten seconds, nobody's scan waits for. An earlier report that arrives later changes nothing
   * but that the device was heard of.
   * @throws what the database threw where a report of a queue is not noted: the device has to tell it again, with the same row.
   */
  async hear(heartbeats: readonly Heartbeat[]): Promise<void> {
    const now = this.clock.now();
    const each = onePerDevice(heartbeats);
    const news = each.filter((heartbeat) => this.isNews(heartbeat));
    const repeats = each.filter((heartbeat) => !news.includes(heartbeat) && this.isDue(heartbeat, now));
    this.follow(this.note(repeats, now).catch((error: unknown) => this.warn(error)));
    try {
      await this.note(news, now);
    } catch (error) {
      if (news.some(({ pending }) => pending !== null)) throw error;
      this.warn(error);
    }
    this.sweep(now);
  }

  /** Resolves once nothing is being noted any more that nobody waits for. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private follow(noting: Promise<void>): void {
    this.underWay.add(noting);
    void noting.then(() => this.underWay.delete(noting));
  }

  /** What was sent is stored; the device's next row brings its next heartbeat. */
  private warn(error: unknown): void {
    this.logger.warn({ err: error }, "The devices of a session could not be noted");
  }

  private async note(heartbeats: readonly Heartbeat[], now: number): Promise<void> {
    if (heartbeats.length === 0) return;
    // From now on: whatever comes meanwhile of the same device is no news.
    for (const heartbeat of heartbeats) this.recorded.set(keyOf(heartbeat), { ...heartbeat, at: now });
    try {
      await this.record(heartbeats);
    } catch (error) {
      for (const heartbeat of heartbeats) this.recorded.delete(keyOf(heartbeat));
      throw error;
    }
  }

  /**
   * In a statement of its own: its foreign keys lock the session's row, which a scan's transaction must not wait for while it
   * holds areas. A report that is numbered is one of all rows, whatever the device's app was when an area was opened on it.
   */
  private async record(due: readonly Heartbeat[]): Promise<void> {
    const { rows } = await sql<Known>`
      with heartbeat as (
        select * from json_to_recordset(${JSON.stringify(due.map(asRow))}::json) as heartbeat (
          session_id uuid, device_id text, user_id uuid, pending integer, pending_order bigint)),
      updated_app as (
        update opened_devices opened set tells_queue = true from heartbeat
        where opened.session_id = heartbeat.session_id and opened.device_id = heartbeat.device_id
          and heartbeat.pending_order is not null and not opened.tells_queue)
      insert into session_devices as device (session_id, device_id, user_id, pending, pending_order)
      select session_id, device_id, coalesce(heartbeat.user_id, known.user_id), heartbeat.pending, heartbeat.pending_order
      from heartbeat
      left join session_devices known using (session_id, device_id)
      where heartbeat.user_id is not null or known.user_id is not null
      order by session_id, device_id
      on conflict (session_id, device_id) do update
      set user_id = excluded.user_id, last_seen_at = now(),
        pending = case when excluded.pending is null or excluded.pending_order < device.pending_order then device.pending
          else excluded.pending end,
        pending_order = greatest(device.pending_order, excluded.pending_order)
      returning session_id, user_id, xmax = 0 as is_new`.execute(this.database);
    await this.forgetOldest(rows.filter(({ isNew }) => isNew));
  }

  /**
   * Nobody counts with so many devices: a login that makes up one for each scan or undo fills no list. What still holds rows stays before
   * others, or a certificate would leave them out, but only where there is more of it than its own word. A device with a key is
   * not forgotten, or whoever sends in its name could have that done.
   */
  private async forgetOldest(added: readonly Known[]): Promise<void> {
    if (added.length === 0) return;
    const persons = new Map(added.map((each) => [`${each.sessionId}:${each.userId}`, each]));
    await sql`
      delete from session_devices device using (
        select session_id, device_id, row_number() over (partition by session_id, user_id
          order by coalesce(pending, 0) > 0 and ${isWitnessed} desc, last_seen_at desc, device_id) as place
        from session_devices heard
        where ${isKeyless("heard")} and (session_id, user_id) in (select * from json_to_recordset(${JSON.stringify(
          [...persons.values()].map(({ sessionId, userId }) => ({ session_id: sessionId, user_id: userId })),
        )}::json) as person (session_id uuid, user_id uuid))) known
      where known.place > ${limits.devicesPerPerson}
        and device.session_id = known.session_id and device.device_id = known.device_id`.execute(
      this.database,
    );
  }

  private isDue(device: Heartbeat, now: number): boolean {
    const recorded = this.recorded.get(keyOf(device));
    return recorded !== undefined && Math.abs(now - recorded.at) >= repeatAfterMs;
  }

  private isNews({ userId, pending, pendingOrder, ...device }: Heartbeat): boolean {
    const recorded = this.recorded.get(keyOf(device));
    if (recorded === undefined) return true;
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

import { refusedForGood } from "@stocktake/contract";
import { sql } from "kysely";
import { canSendScansTo } from "../../auth/auth.ts";
import type { Database } from "../../database/pool.ts";
import type { EventBus } from "../../events/events.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import { devicesOf } from "../../passes/passes.ts";
import { isBelieved } from "./device-keys.ts";
import { type Heartbeat, nothingHeard, type QueueReport } from "./heartbeats.ts";
import { hasOpened, noteOfOpened, recordOpened } from "./opened-device-queries.ts";

/** What a device tells of its queue with an undo, a reset or a finish. */
interface Reported {
  readonly sessionId: string;
  readonly deviceId?: string | undefined;
  readonly pending?: number | undefined;
  readonly pendingOrder?: number | undefined;
  readonly deviceKey?: string | undefined;
}

type Told = Reported & { readonly deviceId: string };

/** A report as it comes, with the key by which it is believed; null where none comes. */
export interface KeyedReport extends QueueReport {
  readonly deviceKey: string | null;
}

export const nothingReported: KeyedReport = { ...nothingHeard, deviceKey: null };

export function keyedReportOf({ deviceKey, ...told }: Omit<Reported, "sessionId">): KeyedReport {
  return { ...reportOf(told), deviceKey: deviceKey ?? null };
}

function reportOf({ pending, pendingOrder }: Omit<Reported, "sessionId">): QueueReport {
  return { pending: pending ?? null, pendingOrder: pendingOrder ?? null };
}

export interface Hearing {
  readonly database: Database;
  readonly events: Pick<EventBus, "publish">;
  readonly heartbeats: { readonly hear: (heartbeats: readonly Heartbeat[]) => Promise<void> };
}

interface HeardDevice {
  readonly sessionId: string;
  readonly deviceId: string;
  /** Whoever does something on it. */
  readonly userId: string;
}

/**
 * Notes that a device was heard of by something that tells nothing of its queue: of one that is known in the session as this person's alone,
 * as nobody proves by it that the device is theirs. Once in ten seconds is enough.
 */
export async function noteHeard(
  database: Database,
  { sessionId, deviceId, userId }: HeardDevice,
): Promise<void> {
  await sql`
    update session_devices set last_seen_at = now()
    where session_id = ${sessionId} and device_id = ${deviceId} and user_id = ${userId}
      and last_seen_at < now() - interval '10 seconds'`.execute(database);
}

const isFinal = (error: unknown) => error instanceof ApiError && refusedForGood.has(error.status);

/** Does what a device asks for, and notes that it was heard of, also by what is refused for good. */
async function withoutReport<Answer>(
  database: Database,
  device: HeardDevice,
  act: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await act();
    await noteHeard(database, device);
    return answer;
  } catch (error) {
    if (isFinal(error)) await noteHeard(database, device);
    throw error;
  }
}

/**
 * Does what a device asks for, and notes what it tells of its queue with it: whatever becomes of the operation, as far as that is final, and only
 * where the caller may send to the session. With what is refused nobody makes up devices: it is noted of one
 * that has been heard of before or has opened an area. A report that is not the device's own is passed over, and the answer is the same.
 */
export async function withReport<Answer>(
  hearing: Hearing,
  caller: Caller,
  { sessionId, deviceId, deviceKey, ...told }: Reported,
  act: () => Promise<Answer>,
): Promise<Answer> {
  if (deviceId === undefined) return act();
  if (told.pending === undefined) {
    return withoutReport(hearing.database, { sessionId, deviceId, userId: caller.userId }, act);
  }
  // An administrator sends on what somebody else's device had kept.
  const userId = caller.role === "admin" ? null : caller.userId;
  const heartbeat: Heartbeat = { sessionId, deviceId, userId, ...reportOf(told) };
  const isOwn = () => isBelieved(hearing.database, tellerOf(caller, deviceKey), heartbeat);
  try {
    const answer = await act();
    if (await isOwn()) await hearing.heartbeats.hear([heartbeat]);
    return answer;
  } catch (error) {
    const session = isFinal(error) ? await findSendable(hearing.database, caller, sessionId) : undefined;
    if (session !== undefined && (await isOwn())) {
      await tellingOfEnded(hearing, heartbeat, session, async () => {
        const isKnown = await hasOpened(hearing.database, heartbeat);
        await hearing.heartbeats.hear([{ ...heartbeat, userId: isKnown ? userId : null }]);
      });
    }
    throw error;
  }
}

const tellerOf = ({ userId }: Caller, deviceKey: string | undefined) => ({
  userId,
  deviceKey: deviceKey ?? null,
});

interface ToldQueue extends QueueReport {
  readonly sessionId: string;
  readonly deviceId: string;
  /** Null where an administrator sends on what the device had kept. */
  readonly userId: string | null;
}

/**
 * Notes what a device tells of its queue beside no row: with those that were heard of before, where it is one of them, and with those that have
 * opened an area. Of whoever makes up devices by this no more are known than of whoever opens areas on them, and none once the session has ended.
 */
export async function noteQueue(
  hearing: Hearing,
  { userId, ...told }: ToldQueue,
  session: Sendable,
): Promise<void> {
  const { database, heartbeats } = hearing;
  await tellingOfEnded(hearing, told, session, async () => {
    if (userId === null || !session.isRunning) await noteOfOpened(database, told);
    else await recordOpened(database, { ...told, userId, tellsQueue: true });
    await heartbeats.hear([{ ...told, userId: null }]);
  });
}

/**
 * What an ended session leaves open may have been this queue alone: nothing else tells that it is not any more. A report that changes
 * nothing of what is known, which anybody can repeat, is told to nobody.
 */
async function tellingOfEnded(
  { database, events }: Hearing,
  { sessionId, deviceId }: Pick<Heartbeat, "sessionId" | "deviceId">,
  { isRunning }: Sendable,
  note: () => Promise<void>,
): Promise<void> {
  if (isRunning) return note();
  const known = () => whatIsKnown(database, sessionId, deviceId);
  const before = await known();
  try {
    await note();
  } finally {
    // Half of it may be noted where it failed: repeated, it changes nothing more.
    if ((await known()) !== before) events.publish({ type: "adjustment", sessionId });
  }
}

/** Of a device's queue, as a text that differs where it differs. */
async function whatIsKnown(
  database: Database,
  sessionId: string,
  deviceId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ known: string }>`
    select concat_ws(' ', pending, tells_queue, last_seen_at is not null or told_at is not null) as known
    from ${devicesOf(sessionId)} device where device_id = ${deviceId}`.execute(database);
  return rows[0]?.known;
}

/**
 * Notes what a device tells of its queue by itself, where it is the device's own word.
 * @throws ApiError NOT_FOUND where the caller may not send to the session.
 */
export async function hearQueue(
  hearing: Hearing,
  caller: Caller,
  { sessionId, deviceId, deviceKey, ...told }: Told,
): Promise<void> {
  const session = await findSendable(hearing.database, caller, sessionId);
  if (session === undefined) throw notFound("The session");
  if (!(await isBelieved(hearing.database, tellerOf(caller, deviceKey), { sessionId, deviceId }))) return;
  const userId = caller.role === "admin" ? null : caller.userId;
  await noteQueue(hearing, { sessionId, deviceId, userId, ...reportOf(told) }, session);
}

/** What of a session matters to a report. */
interface Sendable {
  readonly isRunning: boolean;
}

/** The session, where the caller may send to it. */
async function findSendable(
  database: Database,
  caller: Caller,
  sessionId: string,
): Promise<Sendable | undefined> {
  const { rows } = await sql<Sendable>`
    select session.status <> 'closed' as is_running from sessions session
    where session.id = ${sessionId} and ${canSendScansTo(caller, "session")}`.execute(database);
  return rows[0];
}

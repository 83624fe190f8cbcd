import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../kernel/caller.ts";

/** How long after its end a session still takes scans (as late ones) from counters, in days. */
export const lateScanDays = 14;

/**
 * Condition over when a session ended, null while it counts: counters may still deliver what they scanned. An end that lies further ahead
 * than that was written by a clock that was wrong: it does not tell how long ago it was, and would let them in for as long as the clock
 * was ahead.
 */
export function takesScans(endedAt: RawBuilder<unknown>): RawBuilder<boolean> {
  const days = sql`make_interval(days => ${sql.lit(lateScanDays)})`;
  return sql<boolean>`(${endedAt} is null or ${endedAt} > now() - ${days} and ${endedAt} < now() + ${days})`;
}

/**
 * The one place that decides what a caller can access, as SQL conditions, so that a list and a look-up can't disagree.
 * A temporary counter can access the store and the session of the invitation; a permanent one any store with an active
 * session; the administrator everything (docs/API.md, "Conventions").
 */

/** Condition: the store named by the SQL expression `storeId` can be accessed by the caller. */
export function canAccessStore(caller: Caller, storeId: RawBuilder<unknown>): RawBuilder<boolean> {
  if (caller.role === "admin") return sql<boolean>`true`;
  if (caller.invitation !== null) return sql<boolean>`${storeId} = ${caller.invitation.storeId}::uuid`;
  return sql<boolean>`exists (
    select 1 from sessions running where running.store_id = ${storeId} and running.status in ('active', 'ending'))`;
}

/** Condition: the row of `sessions` under the alias `session` may be read by the caller. */
export function canAccessSession(caller: Caller, session: string): RawBuilder<boolean> {
  if (caller.role === "admin") return sql<boolean>`true`;
  const id = sql.ref(`${session}.id`);
  if (caller.invitation !== null) return sql<boolean>`${id} = ${caller.invitation.sessionId}::uuid`;
  return sql<boolean>`${sql.ref(`${session}.status`)} in ('active', 'ending')`;
}

/**
 * Condition: the caller may send scans to the session. Wider than reading: a device that comes back after the end
 * still delivers what it holds, whoever is signed in on it by then.
 */
export function canSendScansTo(caller: Caller, session: string): RawBuilder<boolean> {
  if (caller.role === "admin" || caller.invitation !== null) return canAccessSession(caller, session);
  return takesScans(sql.ref(`${session}.ended_at`));
}

/** What `canSendScansTo` says of a session that is not over: it takes no look at the database then. */
export function canSendToRunning(caller: Caller, sessionId: string): boolean {
  if (caller.role === "admin" || caller.invitation === null) return true;
  return caller.invitation.sessionId === sessionId;
}

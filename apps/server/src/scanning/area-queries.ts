import { type AreaStatus, passOfNoCount } from "@stocktake/contract";
import { sql } from "kysely";
import { canAccessStore, canSendScansTo } from "../auth/auth.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { ApiError, invalidField, notFound } from "../kernel/api-error.ts";
import type { Caller, Person } from "../kernel/caller.ts";
import { type Attempt, attemptMeant, attemptSeen, type Pass } from "../passes/passes.ts";

/** How a device names an area: by its code, and where the store has the code several times by its location. */
export interface NamedArea {
  readonly sessionId: string;
  readonly areaCode: string;
  readonly locationId?: string | undefined;
  /** The pass that the device counts in: it alone tells a second count from the area's own. */
  readonly pass?: number | undefined;
  /** The device that asks for a change; absent where something is only read. */
  readonly deviceId?: string | undefined;
  /** Whose change it is, where that may be somebody else than who sends it. */
  readonly maker?: Person;
  /**
   * What comes next from the device is for the pass after the one that it names. Where that is closed it has to be told: the number may
   * be a second count's by now, which what it scanned before is no part of.
   */
  readonly beginsAnew?: boolean;
}

/** An area that no scan can enter until the transaction ends, and its session's state meanwhile. */
export interface LockedArea {
  readonly sessionId: string;
  readonly storeId: string;
  readonly sessionIsOver: boolean;
  readonly areaId: string;
  readonly status: "not_started" | "in_progress" | "closed";
  readonly pass: number;
  /** The second count that the device means: `status` and `pass` are then its own. Null for the area's own count. */
  readonly attempt: Attempt | null;
}

/**
 * Locks the area that a device names, of a session whose row is already held. The session's status is read again under
 * the area's lock, because ending a session locks the areas last.
 * Throws NOT_FOUND, VALIDATION for a location of another store, AREA_AMBIGUOUS, or SESSION_CLOSED where the session is
 * over and the area is gone.
 */
export async function lockArea(
  transaction: Transaction,
  caller: Caller,
  session: HeldSession,
  named: NamedArea,
): Promise<LockedArea> {
  const areaId = await findAreaId(transaction, caller, session, named);
  const area = await transaction
    .selectFrom("areas")
    .select(["status", "pass"])
    .where("id", "=", areaId)
    .where("deletedAt", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (area === undefined) throw notFound("The area");
  const { status } = await transaction
    .selectFrom("sessions")
    .select("status")
    .where("id", "=", session.id)
    .executeTakeFirstOrThrow();
  const attempt = await meantAttempt(
    transaction,
    named.maker ?? caller,
    { sessionId: session.id, areaId, ...area },
    named,
  );
  return {
    sessionId: session.id,
    storeId: session.storeId,
    sessionIsOver: status === "closed",
    areaId,
    ...area,
    ...(attempt === null ? {} : { pass: attempt.pass, status: attempt.status }),
    attempt,
  };
}

/**
 * Second counts are of closed areas, whose passes theirs are beyond. Whoever sees one as the area's count means it without a pass, too, and
 * is refused an earlier pass as of any other area: by the closed one they could tell that the area was counted.
 */
async function meantAttempt(
  transaction: Transaction,
  person: Person,
  area: Pass & { readonly status: AreaStatus },
  { pass, deviceId, beginsAnew = false }: NamedArea,
): Promise<Attempt | null> {
  if (area.status !== "closed") return null;
  if (pass !== undefined && pass > area.pass) {
    return (
      (await attemptMeant(transaction, { person, deviceId: deviceId ?? null }, { ...area, pass })) ?? null
    );
  }
  if (pass !== undefined && beginsAnew) return null;
  return (await attemptSeen(transaction, person, area)) ?? null;
}

/** A session that the caller may send scans to; its row can't go while the transaction lasts. */
export interface HeldSession {
  readonly id: string;
  readonly storeId: string;
  readonly status: "active" | "ending" | "closed";
}

/** Holds a session's row, and still lets its catalogue grow. Throws NOT_FOUND. */
export async function holdSession(
  transaction: Transaction,
  caller: Caller,
  sessionId: string,
): Promise<HeldSession> {
  const { rows } = await sql<HeldSession>`
    select session.id, session.store_id, session.status from sessions session
    where session.id = ${sessionId} and ${canSendScansTo(caller, "session")}
    for key share`.execute(transaction);
  const [session] = rows;
  if (session === undefined) throw notFound("The session");
  return session;
}

async function findAreaId(
  database: Database,
  caller: Caller,
  session: HeldSession,
  named: NamedArea,
): Promise<string> {
  const [area, ...others] = await areasNamed(database, session.storeId, named);
  if (others.length > 0) throw ambiguousArea();
  if (area !== undefined) return area.id;
  if (session.status === "closed") throw sessionOver();
  throw await explainUnknownArea(database, caller, named);
}

/** The areas of a store, without deleted ones, that have a code; at most one where the location is named. */
export async function areasNamed(
  database: Database,
  storeId: string,
  { areaCode, locationId }: Pick<NamedArea, "areaCode" | "locationId">,
): Promise<{ id: string; pass: number; status: AreaStatus }[]> {
  const { rows } = await sql<{ id: string; pass: number; status: AreaStatus }>`
    select area.id, area.pass, area.status from areas area
    join locations location on location.id = area.location_id and location.deleted_at is null
    where area.store_id = ${storeId} and lower(area.code) = lower(${areaCode}) and area.deleted_at is null
      and (${locationId ?? null}::uuid is null or area.location_id = ${locationId ?? null}::uuid)`.execute(
    database,
  );
  return rows;
}

export function ambiguousArea(): ApiError {
  return new ApiError(
    "AREA_AMBIGUOUS",
    "Several locations of this store have an area with this code. Name the location.",
  );
}

export function sessionOver(): ApiError {
  return new ApiError(
    "SESSION_CLOSED",
    "This counting session has ended, so nothing in it can be changed from here.",
  );
}

export function passOver(): ApiError {
  return new ApiError("PASS_OVER", "This area has been restarted since then. Count it again from zero.");
}

/** Refuses what a session that is over, an earlier pass or a closed area no longer allows. */
export function requireCounting(area: LockedArea, pass: number | undefined): void {
  if (area.sessionIsOver) throw sessionOver();
  if (pass !== undefined && pass < area.pass) throw passOver();
  if (pass === passOfNoCount) throw area.status === "closed" ? areaClosed() : noCount();
  if (pass !== undefined && pass > area.pass) {
    throw invalidField("pass", "The area has not reached this pass yet.");
  }
  if (area.status === "closed") throw areaClosed();
}

/** Of a total that was declared after a reset that was refused. */
function noCount(): ApiError {
  return new ApiError(
    "PASS_OVER",
    "This area was not started again, so there is no count that this total is of. What was scanned since waits for the administrator.",
  );
}

export function areaClosed(): ApiError {
  return new ApiError("AREA_CLOSED", "This area is already finished. Only the administrator can reopen it.");
}

export function areaAssigned(names: readonly string[]): ApiError {
  return new ApiError(
    "AREA_ASSIGNED",
    `This area is assigned to ${names.join(", ")}. What is scanned here already counts. Choose another area, or ask the administrator.`,
  );
}

/** The same of a reset: whoever made it without a network has counted on, in what they took for a new count. */
export function resetOfOthersArea(names: readonly string[]): ApiError {
  return new ApiError(
    "AREA_ASSIGNED",
    `This area is assigned to ${names.join(", ")}, so it was not started again. What was scanned here since does not count until the administrator decides. Choose another area, or ask the administrator.`,
  );
}

/** The ids by which a call names an area. */
interface NamedIds {
  readonly sessionId: string;
  readonly storeId?: string | undefined;
  readonly locationId?: string | undefined;
}

interface Found {
  readonly sessionStore: string;
  readonly canAccessStore: boolean;
  readonly locationStore: string | null;
  readonly canAccessLocation: boolean;
}

/**
 * Why ids lead to no area of their session: the session, store or location does not exist or the caller can't access it
 * (404), one of them belongs to another (400), or the location never had such an area (404).
 */
export async function explainUnknownArea(
  database: Database,
  caller: Caller,
  ids: NamedIds,
): Promise<ApiError> {
  const { rows } = await sql<Found>`
    select session.store_id as session_store,
      store.id is not null and ${canAccessStore(caller, sql`store.id`)} as can_access_store,
      location.store_id as location_store,
      location.id is not null and ${canAccessStore(caller, sql`location.store_id`)} as can_access_location
    from sessions session
    left join stores store on store.id = ${ids.storeId ?? null}::uuid
    left join locations location on location.id = ${ids.locationId ?? null}::uuid
    where session.id = ${ids.sessionId} and ${canSendScansTo(caller, "session")}`.execute(database);
  const [found] = rows;
  if (found === undefined) return notFound("The session");
  if (ids.storeId !== undefined && ids.storeId !== found.sessionStore) {
    return found.canAccessStore
      ? invalidField("storeId", "The session belongs to another store.")
      : notFound("The store");
  }
  if (ids.locationId !== undefined && found.locationStore !== found.sessionStore) {
    if (!found.canAccessLocation) return notFound("The location");
    return invalidField("locationId", "The location does not belong to the session's store.");
  }
  return notFound("The area");
}

interface RunningArea extends Pass {
  readonly status: AreaStatus;
}

/**
 * Holds the row of the session that runs in a store, so that it cannot end in between, and locks one of the store's
 * areas. Throws NOT_FOUND for a deleted area, and SESSION_CLOSED without a running session, with what that means for the
 * caller (`consequence`, a sentence).
 */
export async function lockRunningArea(
  transaction: Transaction,
  { areaId, storeId }: { readonly areaId: string; readonly storeId: string },
  consequence: string,
): Promise<RunningArea> {
  const sessionId = await holdRunningSession(transaction, storeId, consequence);
  const area = await transaction
    .selectFrom("areas")
    .select(["pass", "status"])
    .where("id", "=", areaId)
    .where("deletedAt", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (area === undefined) throw notFound("The area");
  return { sessionId, areaId, ...area };
}

async function holdRunningSession(
  transaction: Transaction,
  storeId: string,
  consequence: string,
): Promise<string> {
  const session = await transaction
    .selectFrom("sessions")
    .select("id")
    .where("storeId", "=", storeId)
    .where("status", "in", ["active", "ending"])
    .forShare()
    .executeTakeFirst();
  if (session !== undefined) return session.id;
  throw new ApiError("SESSION_CLOSED", `No counting session is running in this store. ${consequence}`);
}

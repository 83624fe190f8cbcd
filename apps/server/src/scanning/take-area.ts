import { sql } from "kysely";
import { sessionTakesScansOf } from "../auth/auth.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { explainMisplaced } from "./places.ts";

/** How a device names an area: by its code, and where the store has the code several times by its location. */
export interface NamedArea {
  readonly sessionId: string;
  readonly areaCode: string;
  readonly locationId?: string | undefined;
}

/** An area that no scan can enter until the transaction ends, and its session as it stands meanwhile. */
export interface TakenArea {
  readonly sessionId: string;
  readonly storeId: string;
  readonly sessionIsOver: boolean;
  readonly areaId: string;
  readonly status: "not_started" | "in_progress" | "closed";
  readonly pass: number;
}

/**
 * Locks the area that a device names, of a session whose row is held already. The session's status is read again under
 * the area's lock, because ending a session locks the areas last.
 * Throws NOT_FOUND, VALIDATION for a location of another store, AREA_AMBIGUOUS, or SESSION_CLOSED where the session is
 * over and the area is gone.
 */
export async function takeArea(
  transaction: Transaction,
  caller: Caller,
  session: HeldSession,
  named: NamedArea,
): Promise<TakenArea> {
  const areaId = await findAreaId(transaction, caller, session, named);
  const area = await transaction
    .selectFrom("areas")
    .select(["status", "pass"])
    .where("id", "=", areaId)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (area === undefined) throw notFound("The area");
  const { status } = await transaction
    .selectFrom("sessions")
    .select("status")
    .where("id", "=", session.id)
    .executeTakeFirstOrThrow();
  return {
    sessionId: session.id,
    storeId: session.storeId,
    sessionIsOver: status === "closed",
    areaId,
    ...area,
  };
}

/** A session that the caller may send scans to; its row can't go while the transaction lasts. */
export interface HeldSession {
  readonly id: string;
  readonly storeId: string;
  readonly status: "active" | "ending" | "closed";
}

/** Holds a session's row without keeping its catalogue from growing. Throws NOT_FOUND. */
export async function holdSession(
  transaction: Transaction,
  caller: Caller,
  sessionId: string,
): Promise<HeldSession> {
  const { rows } = await sql<HeldSession>`
    select session.id, session.store_id as "storeId", session.status from sessions session
    where session.id = ${sessionId} and ${sessionTakesScansOf(caller, "session")}
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
  throw await explainMisplaced(database, caller, named);
}

/** The areas of a store, deleted ones left out, that carry a code; at most one where the location is named. */
export async function areasNamed(
  database: Database,
  storeId: string,
  { areaCode, locationId }: Pick<NamedArea, "areaCode" | "locationId">,
): Promise<{ id: string; pass: number }[]> {
  const { rows } = await sql<{ id: string; pass: number }>`
    select area.id, area.pass from areas area
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
    "Several locations of this store have an area of this code. Say which location.",
  );
}

function sessionOver(): ApiError {
  return new ApiError(
    "SESSION_CLOSED",
    "This counting session has ended, so nothing in it can be changed from here.",
  );
}

/** Refuses what a session that is over, an earlier pass or a closed area does not allow any more. */
export function requireCounting(area: TakenArea, pass: number | undefined): void {
  if (area.sessionIsOver) throw sessionOver();
  if (pass !== undefined && pass < area.pass) {
    throw new ApiError("PASS_OVER", "This area was started again from zero since. Count it anew.");
  }
  if (pass !== undefined && pass > area.pass) {
    const message = "The area has not come to this pass yet.";
    throw new ApiError("VALIDATION", message, { details: [{ field: "pass", message }] });
  }
  if (area.status === "closed") {
    throw new ApiError("AREA_CLOSED", "This area is already finished. Only the administrator can reopen it.");
  }
}

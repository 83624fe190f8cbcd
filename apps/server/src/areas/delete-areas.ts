import { sql } from "kysely";
import { actorOf, areaName, recordAudit } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { findRunningSession, lockStore } from "../stores/stores.ts";
import { findArea, findLocation } from "./queries.ts";
import type { AreaServices } from "./services.ts";

/** Hides an area. @throws ApiError NOT_FOUND, AREA_HAS_SCANS or SECOND_COUNT_OPEN. */
export async function deleteArea(
  { database, events }: AreaServices,
  caller: Caller,
  id: string,
): Promise<void> {
  const area = await findArea(database, caller, id);
  await database.transaction().execute(async (transaction) => {
    const store = await lockStore(transaction, area.storeId, "to change");
    if (store === undefined) throw notFound("The area");
    const areas = await lockAreas(transaction, "id", id);
    const [locked] = areas;
    if (locked === undefined) throw notFound("The area");
    const sessionId = await refuseCounted(transaction, area.storeId, areas);
    await hideAreas(transaction, areas);
    const { code, name, status } = locked;
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "area.deleted",
      subject: { kind: "area", id, name: areaName(locked) },
      before: { code, name, status },
      after: null,
    });
  });
  events.publish({ type: "area", storeId: area.storeId, areaId: id });
}

/** Hides a location and its areas. @throws ApiError NOT_FOUND, AREA_HAS_SCANS or SECOND_COUNT_OPEN. */
export async function deleteLocation(
  { database, events }: AreaServices,
  caller: Caller,
  id: string,
): Promise<void> {
  const location = await findLocation(database, caller, id);
  await database.transaction().execute(async (transaction) => {
    const store = await lockStore(transaction, location.storeId, "to change");
    if (store === undefined) throw notFound("The location");
    const hidden = await transaction
      .updateTable("locations")
      .set({ deletedAt: new Date() })
      .where("id", "=", id)
      .where("deletedAt", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (hidden === undefined) throw notFound("The location");
    const areas = await lockAreas(transaction, "locationId", id);
    const sessionId = await refuseCounted(transaction, location.storeId, areas);
    await hideAreas(transaction, areas);
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "location.deleted",
      subject: { kind: "location", id, name: location.name },
      before: { name: location.name, store: location.storeName, areas: areas.map(areaName) },
      after: null,
    });
  });
  events.publish({ type: "store", storeId: location.storeId });
}

interface LockedArea {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly status: "not_started" | "in_progress" | "closed";
}

/** Locks the areas, so that no scan arrives between the search for scans and the hiding. */
function lockAreas(transaction: Transaction, column: "id" | "locationId", id: string): Promise<LockedArea[]> {
  return transaction
    .selectFrom("areas")
    .select(["id", "code", "name", "status"])
    .where(column, "=", id)
    .where("deletedAt", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
}

/**
 * Scans of every status count here, voided and late ones too: they belong to a count that is not over. So does an open second count, which
 * nobody could take or cancel any more. Returns the session that runs in the store; null when none does.
 */
async function refuseCounted(
  transaction: Transaction,
  storeId: string,
  areas: readonly LockedArea[],
): Promise<string | null> {
  const sessionId = await findRunningSession(transaction, storeId);
  if (sessionId === undefined) return null;
  const ids = areas.map(({ id }) => id);
  const { rows } = await sql<{ code: string; scanned: boolean; askedAgain: boolean }>`
    select area.code,
      exists (select from scans scan where scan.area_id = area.id and scan.session_id = ${sessionId}) as scanned,
      exists (select from second_counts attempt where attempt.area_id = area.id and attempt.session_id = ${sessionId}
        and attempt.ended_as is null) as asked_again
    from areas area where area.id = any(${ids}::uuid[])
    order by area.code`.execute(transaction);
  const codesThat = (kind: "scanned" | "askedAgain") =>
    rows
      .filter((row) => row[kind])
      .map(({ code }) => code)
      .join(", ");
  const [scanned, askedAgain] = [codesThat("scanned"), codesThat("askedAgain")];
  if (scanned !== "") {
    throw new ApiError(
      "AREA_HAS_SCANS",
      `Nothing was deleted, because the running counting session has scans in ${scanned}. End the session first.`,
    );
  }
  if (askedAgain !== "") {
    throw new ApiError(
      "SECOND_COUNT_OPEN",
      `Nothing was deleted, because a second count is open in ${askedAgain}. Have it finished, or cancel it under Sessions first.`,
    );
  }
  return sessionId;
}

/** At the time by the clock, not at the transaction's start: the session may have ended while this one waited for the store. */
async function hideAreas(transaction: Transaction, areas: readonly LockedArea[]): Promise<void> {
  const ids = areas.map(({ id }) => id);
  await sql`update areas set deleted_at = clock_timestamp() where id = any(${ids}::uuid[])`.execute(
    transaction,
  );
}

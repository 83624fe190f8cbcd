import type { Selectable } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { AreasTable, ScansTable } from "../database/tables.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import { lastPasses } from "./storing-queries.ts";

/** Where an accepted scan counts. `begins`: it is the first scan of the area's pass. */
export interface TargetArea {
  readonly areaId: string;
  readonly locationId: string;
  readonly pass: number;
  readonly begins: boolean;
}

type Area = Selectable<AreasTable>;
type ScanPlace = Pick<Selectable<ScansTable>, "session_id" | "store_id" | "area_id" | "pass">;

/**
 * Locks the scan's area and the one it is to count in, and says which pass counts there: the current one while the
 * session runs, else the last that the area had in the session. `areaId` null: the scan's own, deleted or not.
 * Throws NOT_FOUND, VALIDATION for an area of another store or one that the session never had.
 */
export async function takeTarget(
  transaction: Transaction,
  scan: ScanPlace,
  areaId: string | null,
): Promise<TargetArea> {
  const target = areaId ?? scan.area_id;
  const areas = await lockAreas(transaction, [scan.area_id, target]);
  const area = areas.find(({ id }) => id === target);
  if (area === undefined || (area.deleted_at !== null && area.id !== scan.area_id))
    throw notFound("The area");
  if (area.store_id !== scan.store_id) throw notOfTheSession();
  const { status } = await transaction
    .selectFrom("sessions")
    .select("status")
    .where("id", "=", scan.session_id)
    .executeTakeFirstOrThrow();
  const isRunning = status !== "closed";
  const pass = isRunning ? area.pass : await lastPassOf(transaction, scan, area);
  const begins = isRunning && area.status === "not_started";
  return { areaId: area.id, locationId: area.location_id, pass, begins };
}

function lockAreas(transaction: Transaction, ids: readonly string[]): Promise<Area[]> {
  return transaction
    .selectFrom("areas")
    .selectAll()
    .where("id", "in", [...new Set(ids)])
    .orderBy("id")
    .forUpdate()
    .execute();
}

async function lastPassOf(transaction: Transaction, scan: ScanPlace, area: Area): Promise<number> {
  const pass = (await lastPasses(transaction, scan.session_id, [area.id])).get(area.id);
  if (pass !== undefined) return pass;
  // A scan for an area that was added after its session ended, sent late: there is no other pass than its own.
  if (area.id === scan.area_id) return scan.pass;
  throw notOfTheSession();
}

function notOfTheSession(): ApiError {
  const message = "This area was not part of the scan's session.";
  return new ApiError("VALIDATION", message, { details: [{ field: "areaId", message }] });
}

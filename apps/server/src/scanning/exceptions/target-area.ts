import type { Selectable } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { ScansTable, Tables } from "../../database/tables.ts";
import { type ApiError, invalidField, notFound } from "../../kernel/api-error.ts";
import { lastPasses } from "../../passes/passes.ts";

/** Where an accepted scan counts. */
export interface TargetArea {
  readonly areaId: string;
  readonly locationId: string;
  readonly pass: number;
  /** Whether the scan counts in a running session, where it may be the first of the area's pass. */
  readonly isRunning: boolean;
}

type Area = Selectable<Tables["areas"]>;
type ScanIds = Pick<Selectable<ScansTable>, "sessionId" | "storeId" | "areaId" | "pass">;

/**
 * Locks the scan's area and the one it is to count in. Returns the pass that counts there: the current one while the
 * session runs, otherwise the last that the area had in the session. `areaId` null: the scan's own, deleted or not.
 * Throws NOT_FOUND, VALIDATION for an area of another store or one that the session never had.
 */
export async function lockTarget(
  transaction: Transaction,
  scan: ScanIds,
  areaId: string | null,
): Promise<TargetArea> {
  const target = areaId ?? scan.areaId;
  const areas = await lockAreas(transaction, [scan.areaId, target]);
  const area = areas.find(({ id }) => id === target);
  if (area === undefined || (area.deletedAt !== null && area.id !== scan.areaId)) throw notFound("The area");
  if (area.storeId !== scan.storeId) throw notOfTheSession();
  const { status } = await transaction
    .selectFrom("sessions")
    .select("status")
    .where("id", "=", scan.sessionId)
    .executeTakeFirstOrThrow();
  const isRunning = status !== "closed";
  const pass = isRunning ? area.pass : await lastPassOf(transaction, scan, area);
  return { areaId: area.id, locationId: area.locationId, pass, isRunning };
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

async function lastPassOf(transaction: Transaction, scan: ScanIds, area: Area): Promise<number> {
  const pass = (await lastPasses(transaction, scan.sessionId, [area.id])).get(area.id);
  if (pass !== undefined) return pass;
  // A late scan for an area that was added after its session ended: there is no pass other than its own.
  if (area.id === scan.areaId) return scan.pass;
  throw notOfTheSession();
}

function notOfTheSession(): ApiError {
  return invalidField("areaId", "This area was not part of the scan's session.");
}

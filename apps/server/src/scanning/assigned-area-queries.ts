import type { AreaAssignment } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { ApiError } from "../kernel/api-error.ts";
import type { Person } from "../kernel/caller.ts";
import { assignmentOf } from "../passes/passes.ts";
import { areaAssigned } from "./area-queries.ts";

interface AreaInSession {
  readonly sessionId: string;
  readonly areaId: string;
}

/**
 * Holds an area that is enforced to be others' against whoever opens it or declares its total: what they scan counts all the
 * same, but what the others counted is not theirs to void. @throws ApiError AREA_ASSIGNED.
 */
export async function requireAssigned(
  database: Database,
  person: Person,
  area: AreaInSession,
): Promise<void> {
  const refusal = await refusalOfOthers(database, person, area);
  if (refusal !== null) throw refusal;
}

/** AREA_ASSIGNED for whoever is not to open an area, declare its total or start it again; null for all others. */
export async function refusalOfOthers(
  database: Database,
  { role, userId }: Person,
  { sessionId, areaId }: AreaInSession,
  refuse = areaAssigned,
): Promise<ApiError | null> {
  if (role === "admin") return null;
  const place = { sessionId: sql`${sessionId}::uuid`, areaId: sql`${areaId}::uuid` };
  const { rows } = await sql<{ assigned: AreaAssignment | null }>`
    select ${assignmentOf(place, userId)} as assigned`.execute(database);
  const assigned = rows[0]?.assigned ?? null;
  return assigned?.enforced === true && !assigned.mine ? refuse(assigned.names) : null;
}

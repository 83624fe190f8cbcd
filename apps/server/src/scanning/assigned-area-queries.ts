import type { AreaAssignment } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { assignmentOf } from "../passes/passes.ts";
import { areaAssigned } from "./area-queries.ts";

/**
 * Holds an area that is enforced to be others' against whoever opens it, starts it again or declares its total: what they scan
 * counts all the same, but what the others counted is not theirs to void. @throws ApiError AREA_ASSIGNED.
 */
export async function requireAssigned(
  database: Database,
  { role, userId }: Caller,
  { sessionId, areaId }: { readonly sessionId: string; readonly areaId: string },
): Promise<void> {
  if (role === "admin") return;
  const place = { sessionId: sql`${sessionId}::uuid`, areaId: sql`${areaId}::uuid` };
  const { rows } = await sql<{ assigned: AreaAssignment | null }>`
    select ${assignmentOf(place, userId)} as assigned`.execute(database);
  const assigned = rows[0]?.assigned ?? null;
  if (assigned?.enforced === true && !assigned.mine) throw areaAssigned(assigned.names);
}

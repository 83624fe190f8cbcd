import type { CountingSession } from "@stocktake/contract";
import type { SessionRow } from "./queries.ts";

/** A session that is ending still counts: only its snapshot says that it ends. */
export function presentSession(row: SessionRow): CountingSession {
  return {
    _id: row.id,
    storeId: { _id: row.store_id, name: row.store_name },
    status: row.status === "closed" ? "closed" : "active",
    scope: row.scope,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    snapshot: { status: row.status === "ending" ? "ending" : "complete", items: row.items },
    openAreas: row.open_areas.map(({ id, code, name, status }) => ({ _id: id, code, name, status })),
  };
}

import { type CountingSession, naturalOrder } from "@stocktake/contract";
import type { OpenArea } from "../database/tables.ts";
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
    openAreas: presentOpenAreas(row.open_areas),
  };
}

function presentOpenAreas(areas: readonly OpenArea[]): CountingSession["openAreas"] {
  const order = naturalOrder();
  return areas
    .toSorted((left, right) => order(left.code, right.code))
    .map(({ id, code, name, status }) => ({ _id: id, code, name, status }));
}

import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { groupBy } from "../grouping/group-by.ts";
import type { ReportRow } from "../reports/report-rows.ts";
import type { SessionRow } from "../sessions/queries.ts";
import type { Direction } from "./stock-move.ts";

/** A SKU's stock as another session moved it, at some moment between the two: from the first send to the answer. */
interface Move {
  readonly item: string;
  readonly from: Date;
  readonly to: Date;
  readonly delta: number;
}

/** What other sessions of the Shopify location have moved, by inventory item. */
export type MovedByOthers = ReadonlyMap<string, readonly Move[]>;

interface FinishedChunk {
  readonly adjustment_id: string;
  readonly direction: Direction;
  readonly chunk: number;
  readonly from: Date;
  readonly to: Date;
}

/** What the deploys and rollbacks of other sessions of the Shopify location have moved since this one began. */
export async function readMovedByOthers(reader: Database, session: SessionRow): Promise<MovedByOthers> {
  const finished = new Map((await readFinished(reader, session)).map((chunk) => [keyOf(chunk), chunk]));
  const adjustments = [...new Set([...finished.values()].map((chunk) => chunk.adjustment_id))];
  if (adjustments.length === 0) return new Map();
  const rows = await reader
    .selectFrom("adjustment_rows")
    .select(["adjustment_id", "direction", "chunk", "inventory_item_id as item", "delta"])
    .where("adjustment_id", "in", adjustments)
    .where("state", "=", "confirmed")
    .execute();
  const moves = rows.flatMap((row): Move[] => {
    const chunk = finished.get(keyOf(row));
    return chunk === undefined ? [] : [{ item: row.item, from: chunk.from, to: chunk.to, delta: row.delta }];
  });
  return groupBy(moves, ({ item }) => item);
}

type ChunkKey = Pick<FinishedChunk, "adjustment_id" | "direction" | "chunk">;

function keyOf({ adjustment_id, direction, chunk }: ChunkKey): string {
  return `${adjustment_id} ${direction} ${chunk}`;
}

/** Some hundreds at most. Joining them with their rows here and not in SQL takes no luck with a plan. */
async function readFinished(reader: Database, session: SessionRow): Promise<FinishedChunk[]> {
  const { rows } = await sql<FinishedChunk>`
    select chunk.adjustment_id, chunk.direction, chunk.chunk,
      min(least(chunk.sent_at, chunk.finished_at)) as "from", max(chunk.finished_at) as "to"
    from adjustment_chunks chunk
    join adjustments adjustment on adjustment.id = chunk.adjustment_id
    join sessions other on other.id = adjustment.session_id
    where other.id <> ${session.id} and other.shop_domain = ${session.shop_domain}
      and other.shopify_location_id = ${session.shopify_location_id}
      and chunk.finished_at > ${session.started_at}
    group by chunk.adjustment_id, chunk.direction, chunk.chunk`.execute(reader);
  return rows;
}

/**
 * How much of a row's variance others have moved since the moment that it speaks of: they found the same difference.
 * Null where they moved the stock at that very moment, so that nobody can say whether the variance knows of it.
 */
export function movedSince(row: ReportRow, session: SessionRow, moved: MovedByOthers): number | null {
  const moment = momentOf(row, session);
  const later = (moved.get(row.inventoryItemId) ?? []).filter(({ to }) => to.getTime() > moment);
  if (later.some(({ from }) => from.getTime() <= moment)) return null;
  return later.reduce((sum, { delta }) => sum + delta, 0);
}

/** When stock was read for a row's variance, in milliseconds: at the end, or when it was counted. */
function momentOf({ manual, lastCountedAt }: ReportRow, { basis, ended_at }: SessionRow): number {
  const end = ended_at?.getTime() ?? Number.POSITIVE_INFINITY;
  if (basis === "end" || manual || lastCountedAt === null) return end;
  return Math.min(lastCountedAt.getTime(), end);
}

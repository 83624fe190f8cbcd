import { groupBy } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { AdjustmentRowsTable, SessionsTable } from "../database/tables.ts";

/** A SKU's stock as another session moved it, at some moment between the two: from the first send to the answer. */
export interface Move {
  readonly item: string;
  readonly adjustmentId: string;
  readonly direction: AdjustmentRowsTable["direction"];
  readonly from: number;
  readonly to: number;
  /** Null where it is unclear whether it was moved. */
  readonly delta: number | null;
}

/** What other sessions of the Shopify location have moved, by inventory item. */
export type MovedByOthers = ReadonlyMap<string, readonly Move[]>;

type Session = Pick<
  Selectable<SessionsTable>,
  "id" | "shopDomain" | "shopifyLocationId" | "startedAt" | "endedAt" | "ledgerAtStart" | "ledgerAtEnd"
>;

interface FinishedChunk {
  readonly adjustmentId: string;
  readonly direction: AdjustmentRowsTable["direction"];
  readonly chunk: number;
  readonly from: Date;
  readonly to: Date;
}

interface Wanted {
  /** Null: of every item. */
  readonly inventoryItemId: string | null;
  /** When this session's deploy was asked for: what others have moved since then it knows nothing of. Null where it is not deployed. */
  readonly deployedAt: Date | null;
}

/** What the deploys and rollbacks of other sessions of the Shopify location have moved since this one began. */
export async function readMovedByOthers(
  reader: Database,
  session: Session,
  { inventoryItemId, deployedAt }: Wanted,
): Promise<MovedByOthers> {
  // One session moves stock at a time, so that none of these is under way while a deploy is asked for.
  const chunks = (await readFinished(reader, session)).filter(
    ({ from }) => deployedAt === null || from < deployedAt,
  );
  const finished = new Map(chunks.map((chunk) => [keyOf(chunk), chunk]));
  const adjustments = [...new Set([...finished.values()].map((chunk) => chunk.adjustmentId))];
  if (adjustments.length === 0) return new Map();
  const rows = await reader
    .selectFrom("adjustmentRows as row")
    .leftJoin("stockLedger as booked", (join) =>
      join
        .onRef("booked.adjustmentId", "=", "row.adjustmentId")
        .onRef("booked.direction", "=", "row.direction")
        .onRef("booked.sku", "=", "row.sku"),
    )
    .select(["row.adjustmentId", "row.direction", "row.chunk", "row.inventoryItemId as item", "row.delta"])
    .select(["row.state", "booked.id as booking"])
    .where("row.adjustmentId", "in", adjustments)
    .where("row.state", "in", ["confirmed", "unclear"])
    .$if(inventoryItemId !== null, (query) => query.where("row.inventoryItemId", "=", inventoryItemId ?? ""))
    .execute();
  const moves = rows.flatMap(({ item, delta, state, booking, ...row }): Move[] => {
    const chunk = finished.get(keyOf(row));
    if (chunk === undefined || isBookedBy(booking, session.ledgerAtStart)) return [];
    const latest = isBookedBy(booking, session.ledgerAtEnd)
      ? justBefore(session.endedAt)
      : Number.POSITIVE_INFINITY;
    const [from, to] = [Math.min(chunk.from.getTime(), latest), Math.min(chunk.to.getTime(), latest)];
    const { adjustmentId, direction } = row;
    return [{ item, adjustmentId, direction, from, to, delta: state === "confirmed" ? delta : null }];
  });
  return groupBy(moves, ({ item }) => item);
}

/** Whether it was booked by then, whatever the clock says of it: one that was wrong may have dated it later. */
function isBookedBy(booking: number | null, last: number | null): boolean {
  return booking !== null && last !== null && booking <= last;
}

function justBefore(moment: Date | null): number {
  return moment === null ? Number.POSITIVE_INFINITY : moment.getTime() - 1;
}

type ChunkKey = Pick<FinishedChunk, "adjustmentId" | "direction" | "chunk">;

function keyOf({ adjustmentId, direction, chunk }: ChunkKey): string {
  return `${adjustmentId} ${direction} ${chunk}`;
}

/** Some hundreds at most. Joined with their rows here and not in SQL, where the planner may choose badly. */
async function readFinished(reader: Database, session: Session): Promise<FinishedChunk[]> {
  const { rows } = await sql<FinishedChunk>`
    select chunk.adjustment_id, chunk.direction, chunk.chunk,
      min(least(chunk.sent_at, chunk.finished_at)) as "from", max(chunk.finished_at) as "to"
    from adjustment_chunks chunk
    join adjustments adjustment on adjustment.id = chunk.adjustment_id
    join sessions other on other.id = adjustment.session_id
    where other.id <> ${session.id} and other.shop_domain = ${session.shopDomain}
      and other.shopify_location_id = ${session.shopifyLocationId}
      and chunk.finished_at > ${session.startedAt}
    group by chunk.adjustment_id, chunk.direction, chunk.chunk`.execute(reader);
  return rows;
}

import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { groupBy } from "../../kernel/group-by.ts";
import {
  countingTimeOf,
  type ReportContext,
  type ReportRow,
  readingsAround,
  readingsOf,
} from "../../reports/reports.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import type { Direction } from "../queries.ts";

/** A SKU's stock as another session moved it, at some moment between the two: from the first send to the answer. */
interface Move {
  readonly item: string;
  readonly from: number;
  readonly to: number;
  /** Null where it is unclear whether it was moved. */
  readonly delta: number | null;
}

/** What other sessions of the Shopify location have moved, by inventory item. */
export type MovedByOthers = ReadonlyMap<string, readonly Move[]>;

interface FinishedChunk {
  readonly adjustmentId: string;
  readonly direction: Direction;
  readonly chunk: number;
  readonly from: Date;
  readonly to: Date;
}

/** What the deploys and rollbacks of other sessions of the Shopify location have moved since this one began. */
export async function readMovedByOthers(reader: Database, session: SessionRow): Promise<MovedByOthers> {
  const finished = new Map((await readFinished(reader, session)).map((chunk) => [keyOf(chunk), chunk]));
  const adjustments = [...new Set([...finished.values()].map((chunk) => chunk.adjustmentId))];
  if (adjustments.length === 0) return new Map();
  const rows = await reader
    .selectFrom("adjustmentRows")
    .select(["adjustmentId", "direction", "chunk", "inventoryItemId as item", "delta", "state"])
    .where("adjustmentId", "in", adjustments)
    .where("state", "in", ["confirmed", "unclear"])
    .execute();
  const moves = rows.flatMap(({ item, delta, state, ...row }): Move[] => {
    const chunk = finished.get(keyOf(row));
    if (chunk === undefined) return [];
    const [from, to] = [chunk.from.getTime(), chunk.to.getTime()];
    return [{ item, from, to, delta: state === "confirmed" ? delta : null }];
  });
  return groupBy(moves, ({ item }) => item);
}

type ChunkKey = Pick<FinishedChunk, "adjustmentId" | "direction" | "chunk">;

function keyOf({ adjustmentId, direction, chunk }: ChunkKey): string {
  return `${adjustmentId} ${direction} ${chunk}`;
}

/** Some hundreds at most. Joined with their rows here and not in SQL, where the planner may choose badly. */
async function readFinished(reader: Database, session: SessionRow): Promise<FinishedChunk[]> {
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

/** When stock was read for a row's variance, in milliseconds. */
interface ReadingTime {
  /** When it was counted: at the end, or by scans. */
  readonly first: number;
  readonly last: number;
  /** The readings that tell what was on hand then: the last one before, and the first one after. */
  readonly before: number;
  readonly after: number;
}

/**
 * How much of a row's variance others have moved since the moment that the variance is of: they found the same difference.
 * Null where nobody can tell whether the variance includes it: where they moved the stock at that very moment, or between
 * the readings around it, which are equal where two movements cancelled each other out, and where it is unclear whether
 * they have moved it since.
 */
export function movedSince(row: ReportRow, report: Compared, moved: MovedByOthers): number | null {
  const time = readingTimeOf(row, report);
  const perhaps = (moved.get(row.inventoryItemId) ?? []).filter(
    ({ from, to }) => from >= time.before || to > time.first,
  );
  if (perhaps.some(({ from }) => from < time.after || from <= time.last)) return null;
  return perhaps.reduce<number | null>(
    (sum, { delta }) => (sum === null || delta === null ? null : sum + delta),
    0,
  );
}

/** A session, and what its report goes by. */
interface Compared {
  readonly session: SessionRow;
  readonly context: ReportContext;
}

function readingTimeOf(row: ReportRow, { session, context }: Compared): ReadingTime {
  const time = session.basis === "count" ? countingTimeOf(row, context) : null;
  const end = session.endedAt?.getTime() ?? Number.POSITIVE_INFINITY;
  if (time === null) return { first: end, last: end, before: end, after: end };
  const around = readingsAround(time, readingsOf(row, context));
  const [before = time.first, after = time.last] = [around.at(0)?.at, around.at(-1)?.at];
  return { ...time, before, after };
}

import { MoveAction, type MoveEvent } from "@stocktake/contract";
import { sql } from "kysely";
import * as z from "zod/mini";
import type { Database } from "../../database/pool.ts";
import { NumberPosition, type Page, type PageRequest, readPage } from "../../kernel/paging.ts";

/** What the audit log has of a move; whatever it lacks, as entries of old do, is 0 or unknown. */
const MoveFacts = z.object({
  items: z._default(z.int(), 0),
  units: z._default(z.int(), 0),
  confirmed: z._default(z.int(), 0),
  confirmedUnits: z._default(z.int(), 0),
  unclear: z._default(z.int(), 0),
  notMoved: z._default(z.int(), 0),
  note: z._default(z.nullable(z.string()), null),
  error: z._default(z.nullable(z.string()), null),
  state: z._default(z.nullable(z.string()), null),
});

function movesOf(reader: Database, sessionId: string) {
  return reader
    .selectFrom("auditEntries")
    .where("chain", "=", sessionId)
    .where("action", "in", MoveAction.options);
}

async function readMoves(reader: Database, sessionId: string, before: number | null, count: number) {
  const rows = await movesOf(reader, sessionId)
    .select(["position", "at", "actorKind", "actorName", "action", "subjectId", "subjectName", "after"])
    // A cursor of another list may be beyond what positions can be.
    .$if(before !== null, (query) => query.where("position", "<", sql<number>`${before}::bigint`))
    .orderBy("position", "desc")
    .limit(count)
    .execute();
  return rows.map(({ position, ...row }) => ({ ...row, position: Number(position) }));
}

type MoveRow = Awaited<ReturnType<typeof readMoves>>[number];

/** What happened to the session's deploys and rollbacks, newest first: as the audit log has it, which nothing changes. */
export async function listMoveEventsOf(
  reader: Database,
  sessionId: string,
  page: PageRequest,
): Promise<Page<MoveEvent>> {
  const { items, ...rest } = await readPage(page, {
    position: NumberPosition,
    positionOf: ({ position }: MoveRow) => position,
    read: (before, count) => readMoves(reader, sessionId, before, count),
    async count() {
      const { moves } = await movesOf(reader, sessionId)
        .select(({ fn }) => fn.countAll<number>().as("moves"))
        .executeTakeFirstOrThrow();
      return Number(moves);
    },
  });
  return { ...rest, items: items.map(present) };
}

function present({
  position,
  at,
  actorKind,
  actorName,
  action,
  subjectId,
  subjectName,
  after,
}: MoveRow): MoveEvent {
  const facts = z.parse(MoveFacts, after ?? {});
  return {
    _id: String(position),
    at: at.toISOString(),
    action: z.parse(MoveAction, action),
    by: actorKind === "system" ? null : { username: actorName },
    items: facts.items,
    units: facts.units,
    moved: facts.confirmed,
    movedUnits: facts.confirmedUnits,
    unclear: facts.unclear,
    notMoved: facts.notMoved,
    note: facts.error ?? facts.note,
    settled:
      action === "row.settled" ? { sku: subjectId ?? subjectName, moved: facts.state === "confirmed" } : null,
  };
}

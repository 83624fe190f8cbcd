import { isOfPaper, limits } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { isArchived } from "../../sessions/sessions.ts";
import { type Round, settleRepeats } from "./insert-round.ts";
import type { ClassifiedScan } from "./queries.ts";

/** Whether there is room for a scan as it is to be stored; asked once of each, in their order, since it takes the room. */
type TakeRoom = (scan: ClassifiedScan) => boolean;

/**
 * The room for the new scans of a round without a product, unresolved or late: until as many wait for the administrator as a session
 * and a sender may leave there, those of second counts that are open among them. A scan of a known product always has room, and so has
 * one that counts nothing. It is the sender who counts, not who is named as having scanned, so that nobody can use up another's room. Of an
 * archived session no product is known, so that to refuse would be untrue of most: those find theirs when it is back, and until then only
 * how fast a login may send is limited.
 */
export async function openRoom(transaction: Transaction, round: Round): Promise<TakeRoom> {
  const candidates = round.scans.filter(needsRoom);
  if (candidates.length === 0) return () => true;
  const waiting = await countWaiting(transaction, round.session.id);
  if (candidates.every(roomBeside(waiting))) return () => true;
  if (round.session.status === "closed" && (await isArchived(transaction, round.session.id)))
    return () => true;
  // A repeat of what is stored needs no room.
  const repeats = new Set(
    Array.from((await settleRepeats(transaction, round, candidates)).keys(), ({ incoming }) => incoming),
  );
  const reserveRoom = roomBeside(waiting);
  return (scan) => !needsRoom(scan) || repeats.has(scan.incoming) || reserveRoom(scan);
}

function needsRoom({ classification: { sku, status } }: ClassifiedScan): boolean {
  return sku === null && status !== "voided";
}

interface Waiting {
  readonly total: number;
  readonly bySender: ReadonlyMap<string, number>;
}

async function countWaiting(database: Database, sessionId: string): Promise<Waiting> {
  const { rows } = await sql<{ sentBy: string; waiting: number }>`
    select sent_by, count(*)::integer as waiting from (
      select sent_by from scans
      where session_id = ${sessionId} and status in ('unresolved', 'late') and sku is null
      union all
      select scan.sent_by from scans scan
      join second_counts attempt using (session_id, area_id, pass)
      where scan.session_id = ${sessionId} and scan.status = 'compared' and scan.sku is null
        and attempt.ended_as is null) unnamed
    group by sent_by`.execute(database);
  return {
    total: rows.reduce((sum, { waiting }) => sum + waiting, 0),
    bySender: new Map(rows.map(({ sentBy, waiting }) => [sentBy, waiting])),
  };
}

function roomBeside({ total, bySender }: Waiting): TakeRoom {
  const taken = { total, bySender: new Map(bySender) };
  return ({ incoming }) => {
    const { sentBy } = incoming;
    const own = taken.bySender.get(sentBy.userId) ?? 0;
    // The administrator sends on what devices of others had kept. Paper of theirs must leave room for who counts.
    const isSentOn = sentBy.role === "admin" && !isOfPaper(incoming);
    const hasRoom = own < limits.unresolvedPerPerson || isSentOn;
    if (!hasRoom || taken.total >= limits.unresolvedPerSession) return false;
    taken.total += 1;
    taken.bySender.set(sentBy.userId, own + 1);
    return true;
  };
}

/** So many scans without a product somebody can still bring to a session from paper. */
export async function roomOnPaper(database: Database, sessionId: string, userId: string): Promise<number> {
  const { total, bySender } = await countWaiting(database, sessionId);
  const own = limits.unresolvedPerPerson - (bySender.get(userId) ?? 0);
  return Math.max(0, Math.min(own, limits.unresolvedPerSession - total));
}

/** The refusal of a scan without room: final, so that it is set aside on its device and what follows it is sent. */
export function tooManyUnresolved(): ApiError {
  return new ApiError(
    "TOO_MANY_UNRESOLVED",
    "This code fits no product, and too many such scans wait for the administrator already. It was not stored; it is " +
      "kept on the device. Scans of known products still count. Once the administrator has decided about some, try again.",
  );
}

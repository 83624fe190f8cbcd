import { limits } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { isOfPaper } from "./incoming-scan.ts";
import { type Round, settleRepeats } from "./insert-round.ts";
import type { ClassifiedScan } from "./queries.ts";

/**
 * The new scans of a round that there is no room for: those without a product, unresolved or late, once as many wait for
 * the administrator as a session and a sender may leave there, those of second counts that are open among them. A scan of a known
 * product always has room. It is the sender who counts, not who is named as having scanned, so that nobody can use up another's room.
 */
export async function scansWithoutRoom(
  transaction: Transaction,
  round: Round,
): Promise<ReadonlySet<ClassifiedScan>> {
  const candidates = round.scans.filter(
    ({ classification: { sku, status } }) => sku === null && status !== "voided",
  );
  if (candidates.length === 0) return new Set();
  const waiting = await countWaiting(transaction, round.session.id);
  if (withoutRoom(waiting, candidates).length === 0) return new Set();
  // A repeat of what is stored needs no room.
  const repeats = await settleRepeats(transaction, round, candidates);
  return new Set(
    withoutRoom(
      waiting,
      candidates.filter((scan) => !repeats.has(scan)),
    ),
  );
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

function withoutRoom({ total, bySender }: Waiting, scans: readonly ClassifiedScan[]): ClassifiedScan[] {
  const taken = { total, bySender: new Map(bySender) };
  return scans.filter(({ incoming }) => {
    const { sentBy } = incoming;
    const own = taken.bySender.get(sentBy.userId) ?? 0;
    // The administrator sends on what devices of others had kept. Paper of theirs must leave room for who counts.
    const isSentOn = sentBy.role === "admin" && !isOfPaper(incoming);
    const hasRoom = own < limits.unresolvedPerPerson || isSentOn;
    if (!hasRoom || taken.total >= limits.unresolvedPerSession) return true;
    taken.total += 1;
    taken.bySender.set(sentBy.userId, own + 1);
    return false;
  });
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

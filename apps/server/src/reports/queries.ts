import type { CountAdjustment } from "@stocktake/contract";
import { sql } from "kysely";
import { readOneMoment } from "../database/one-moment.ts";
import type { Database, Transaction } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { NumberPosition, type Page, type PageRequest, readPage } from "../kernel/paging.ts";
import { findSession, type SessionRow } from "../sessions/sessions.ts";
import { among, type Skus } from "./counted-stock-queries.ts";

function changesOf(reader: Database, sessionId: string, skus: Skus) {
  return reader
    .selectFrom("countAdjustments as change")
    .where("change.sessionId", "=", sessionId)
    .where(among(sql`change.sku`, skus));
}

/** A page of the counts of an ended session that were set by hand, of some SKUs or of all, newest first. */
export function listCountChanges(
  reader: Database,
  sessionId: string,
  skus: Skus,
  page: PageRequest,
): Promise<Page<CountAdjustment>> {
  return readPage(page, {
    position: NumberPosition,
    positionOf: ({ _id }) => Number(_id),
    read: (before, count) => listCountHistory(reader, sessionId, skus, { before, count }),
    async count() {
      const { changes } = await changesOf(reader, sessionId, skus)
        .select(({ fn }) => fn.countAll<number>().as("changes"))
        .executeTakeFirstOrThrow();
      return Number(changes);
    },
  });
}

/** Those counts, or up to `count` of them, made before the one with the id `before`. */
export async function listCountHistory(
  reader: Database,
  sessionId: string,
  skus: Skus,
  { before = null, count = null }: { readonly before?: number | null; readonly count?: number | null } = {},
): Promise<CountAdjustment[]> {
  const rows = await changesOf(reader, sessionId, skus)
    .leftJoin("users", "users.id", "change.userId")
    .select(["change.id", "change.sku", "change.previousCount", "change.newCount", "change.reason"])
    .select(["change.createdAt", "users.username"])
    .$if(before !== null, (query) => query.where("change.id", "<", before ?? 0))
    .orderBy("change.id", "desc")
    .$if(count !== null, (query) => query.limit(count ?? 0))
    .execute();
  return rows.map((row) => ({
    _id: String(row.id),
    sku: row.sku,
    previousCount: row.previousCount,
    newCount: row.newCount,
    reason: row.reason,
    adjustedAt: row.createdAt.toISOString(),
    adjustedBy: row.username === null ? null : { username: row.username },
  }));
}

/** For sorting and grouping the stock of a whole shop; the server's own default is made for small questions. */
const memoryForAStatement = "64MB";

/** Reads at one moment, whatever is changed meanwhile, and with room for a report's statements. Nothing can be written. */
export function readAtOneMoment<Result>(
  database: Database,
  read: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return readOneMoment(database, async (transaction) => {
    await sql`
      select set_config('work_mem', ${memoryForAStatement}, true),
        -- Compiling these statements takes longer than running them,
        set_config('jit', 'off', true),
        -- and helpers would each build the same table of sums, while the other processors are the counters'.
        set_config('max_parallel_workers_per_gather', '0', true)`.execute(transaction);
    return read(transaction);
  });
}

/**
 * Until the transaction ends, tables are joined as a whole. PostgreSQL has no statistics yet of a session that has just begun or of lists
 * that were just made: it takes its hundred thousand items for one, and looks each of them up in what it would read at once.
 */
export async function joinAsAWhole(transaction: Database): Promise<void> {
  await sql`select set_config('enable_nestloop', 'off', true)`.execute(transaction);
}

/** Reads of a whole session at one moment, its tables joined as a whole. @throws ApiError NOT_FOUND. */
export function readOfSession<Result>(
  database: Database,
  caller: Caller,
  sessionId: string,
  read: (reader: Transaction, session: SessionRow) => Promise<Result>,
): Promise<Result> {
  return readAtOneMoment(database, async (reader) => {
    const session = await findSession(reader, caller, sessionId);
    await joinAsAWhole(reader);
    return read(reader, session);
  });
}

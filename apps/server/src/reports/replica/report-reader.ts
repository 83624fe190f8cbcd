import pg from "pg";
import { messageOf } from "../../database/errors.ts";
import type { DatabaseLogger } from "../../database/logger.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import { storageFailure } from "../../kernel/storage-failure.ts";
import type { Tallies } from "../../kernel/tallies.ts";
import { readAtOneMoment } from "../queries.ts";
import { holdsMark, writeMark } from "./mark-queries.ts";

/**
 * Reads a report at one moment, no earlier than the call: of the replica where there is one, else of the database. `read` may be called
 * twice, the second time of the database, after the replica has broken the first reading off. Rejects with what `read` throws.
 */
export type ReportReader = <Result>(read: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

interface ReaderServices {
  readonly database: Database;
  /** Follows the database; null where none does. */
  readonly replica: Database | null;
  readonly tallies: Pick<Tallies, "reports">;
  readonly clock: Pick<Clock, "steady" | "sleep">;
  readonly logger: DatabaseLogger;
}

/** How far a replica may be behind before it is left alone; a report that takes a second longer is still waited for. */
const waitMs = 1_000;
const lookAgainMs = 10;
/** By then a replica that can be read has begun to be, a new connection included. */
const beginWithinMs = 3_500;
/** A replica that failed costs the next readers nothing for so long. */
const leftAloneMs = 30_000;

/** A standby ends a statement that stands in the way of what it has to apply (PostgreSQL, "Handling Query Conflicts"). */
const conflictWithRecovery = "40001";

interface Wanted extends Pick<ReaderServices, "clock"> {
  readonly replica: Database;
  readonly mark: string;
}

class ReplicaLateError extends Error {
  override readonly name = "ReplicaLateError";
}

/**
 * Reads of the replica at a moment that holds the mark. That this very moment holds it proves more than a position in the log: also of a
 * replica that has gone another way since a failover, or of several behind one address. What was read is returned also where the
 * transaction can't be ended any more: nothing was written.
 * @throws ReplicaLateError, what `read` throws, and the error of a replica that can't be read
 */
async function readOnceThere<Result>(
  { replica, mark, clock }: Wanted,
  read: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const asked = clock.steady();
  for (;;) {
    const results: Result[] = [];
    const ended = readAtOneMoment(replica, async (transaction) => {
      if (await holdsMark(transaction, mark)) results.push(await read(transaction));
    });
    await ended.catch((error: unknown) => {
      if (results.length === 0) throw error;
    });
    for (const result of results) return result;
    if (clock.steady() - asked >= waitMs) throw new ReplicaLateError(`it is more than ${waitMs} ms behind`);
    await clock.sleep(lookAgainMs);
  }
}

/** In milliseconds, how long the replica takes to show what is stored now. Rejects where it is too far behind or can't be read. */
export async function timeToReplica(
  database: Database,
  replica: Database,
  clock: Wanted["clock"],
): Promise<number> {
  const mark = await writeMark(database);
  const stored = clock.steady();
  return beginInTime({ replica, mark, clock }, async () => clock.steady() - stored);
}

/** As `readOnceThere`, of a replica that may say nothing at all: then reading never begins. */
async function beginInTime<Result>(
  wanted: Wanted,
  read: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const begun = new AbortController();
  let givenUp = false;
  const reading = readOnceThere(wanted, (transaction) => {
    if (givenUp) throw new ReplicaLateError("it responded too late");
    begun.abort();
    return read(transaction);
  });
  const late = wanted.clock.sleep(beginWithinMs, begun.signal).then(
    () => {
      givenUp = true;
      throw new ReplicaLateError("it does not respond");
    },
    () => reading,
  );
  try {
    return await Promise.race([reading, late]);
  } finally {
    begun.abort();
  }
}

export function createReportReader({
  database,
  replica,
  tallies,
  clock,
  logger,
}: ReaderServices): ReportReader {
  let leftAloneUntil = Number.NEGATIVE_INFINITY;

  function leaveAlone(error: unknown): void {
    leftAloneUntil = clock.steady() + leftAloneMs;
    logger.warn(
      `The replica for reports was not read: ${messageOf(error)}. Reports come from the database itself, and are right; the replica is ` +
        `tried again in ${leftAloneMs / 1_000} s.`,
    );
  }

  return async (read) => {
    if (replica !== null && clock.steady() >= leftAloneUntil) {
      let begun = false;
      try {
        const mark = await writeMark(database);
        const result = await beginInTime({ replica, mark, clock }, (transaction) => {
          begun = true;
          return read(transaction);
        });
        tallies.reports.add("replica");
        return result;
      } catch (error) {
        // What the reading itself throws would come of the database too.
        if (begun && !isOfReplica(error)) throw error;
        leaveAlone(error);
      }
    }
    const result = await readAtOneMoment(database, read);
    tallies.reports.add("database");
    return result;
  };
}

/** Whether the replica has broken a reading off: by a conflict with what it had to apply, or because it is gone. */
function isOfReplica(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && error.code === conflictWithRecovery) return true;
  return error instanceof Error && !(error instanceof ApiError) && storageFailure(error) !== null;
}

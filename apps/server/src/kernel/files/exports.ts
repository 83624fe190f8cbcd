import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../api-error.ts";

/** Reads in one transaction, so that all of a file is of one moment. */
type Reader = <Result>(read: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

/** Of the pool's connections the counters need most, whoever reads slowly. */
const exportsAtOnce = 4;

/** Opens the lines of a file while they are read from the database. @throws ApiError OVERLOADED, and what `open` throws. */
export type Exports = (open: (transaction: Transaction) => Promise<Readable>) => Promise<Readable>;

/** Exports so many files at a time; each has a connection of the pool until its reader is done with it. */
export function createExports(reader: Reader): Exports {
  let running = 0;
  return (open) =>
    new Promise((resolve, reject) => {
      if (running >= exportsAtOnce) throw tooManyExports();
      running += 1;
      exportLines(reader, open, resolve)
        // Once there are lines this changes nothing any more.
        .catch(reject)
        .finally(() => {
          running -= 1;
        });
    });
}

function tooManyExports(): ApiError {
  return new ApiError(
    "OVERLOADED",
    "Other exports are still being downloaded. Nothing was changed. Try again in a minute.",
    { retryAfterSeconds: 60 },
  );
}

/**
 * The transaction lasts until the last line was taken or the lines are destroyed, as they are when a reader goes away; one
 * who reads nothing for a minute loses it, and the file breaks off.
 */
function exportLines(
  reader: Reader,
  open: (transaction: Transaction) => Promise<Readable>,
  begin: (lines: Readable) => void,
): Promise<void> {
  return reader(async (transaction) => {
    const lines = await open(transaction);
    begin(lines);
    // Their reader gets every error, and they are not opened once more for one.
    await finished(lines).catch(() => undefined);
  });
}

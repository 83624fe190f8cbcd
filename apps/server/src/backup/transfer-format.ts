import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { systemCode } from "../database/errors.ts";

// A backup file is gzip over lines: a header, then for each table a line that names it, its rows in COPY's text format
// and a line `\.`, and at last a trailer, without which the file is not whole.

export const backupFormat = "stocktake-backup";
export const formatVersion = 1;

/** Ends a table's rows. COPY's text format escapes backslashes, so no row looks like this. */
export const endOfRows = "\\.";

export const headerSchema = z.object({
  format: z.literal(backupFormat),
  formatVersion: z.number(),
  /** ISO 8601. */
  madeAt: z.string(),
  /** The schema that the rows fit. */
  migrations: z.array(z.object({ version: z.number(), name: z.string(), checksum: z.string() })),
});
export type BackupHeader = z.infer<typeof headerSchema>;

export const sectionSchema = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()) }),
  z.object({
    /** The number of rows of each table. */
    rows: z.record(z.string(), z.number()),
    /** `value` is a bigint in decimal digits. */
    sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  }),
]);
export type TableSection = Extract<z.infer<typeof sectionSchema>, { table: string }>;
export type BackupTrailer = Exclude<z.infer<typeof sectionSchema>, TableSection>;

/** A backup could not be made or restored. The message is for the person at the shell. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

/** Whatever cannot be read as a backup, for a reason. */
export function damaged(why: string, cause?: unknown): TransferError {
  return new TransferError(
    `The file is not a whole Stocktake backup (${why}). Nothing was restored. Use another copy of it.`,
    { cause },
  );
}

const newlineByte = 10;
const endOfRowsLine = Buffer.from(`${endOfRows}\n`);
const batchBytes = 64 * 1024;

/** Lines out of a stream of bytes. They are cut at \n alone: rows may hold every other separator there is. */
export class LineReader {
  readonly #source: AsyncIterator<Buffer>;
  readonly #damaged: typeof damaged;
  #rest: Buffer = Buffer.alloc(0);

  /** `whatIsDamaged` makes the error for a file that can't be read. */
  constructor(source: AsyncIterable<Buffer>, whatIsDamaged: typeof damaged = damaged) {
    this.#source = source[Symbol.asyncIterator]();
    this.#damaged = whatIsDamaged;
  }

  /** The next line without its end, or undefined after the last. Throws TransferError on damage. */
  async next(): Promise<string | undefined> {
    return (await this.#nextBytes())?.subarray(0, -1).toString("utf8");
  }

  /** A table's rows in batches, up to the line that ends them. Throws TransferError where that line is missing. */
  async *rows(): AsyncGenerator<Buffer[]> {
    let batch: Buffer[] = [];
    let size = 0;
    for (let line = await this.#nextRow(); line !== undefined; line = await this.#nextRow()) {
      batch.push(line);
      size += line.length;
      if (size < batchBytes) continue;
      yield batch;
      batch = [];
      size = 0;
    }
    if (batch.length > 0) yield batch;
  }

  async #nextRow(): Promise<Buffer | undefined> {
    const line = await this.#nextBytes();
    if (line === undefined) throw this.#damaged("it breaks off within a table");
    return line.equals(endOfRowsLine) ? undefined : line;
  }

  async #nextBytes(): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let from = this.#rest; ; ) {
      const end = from.indexOf(newlineByte) + 1;
      if (end > 0) {
        this.#rest = from.subarray(end);
        return Buffer.concat([...parts, from.subarray(0, end)]);
      }
      parts.push(from);
      const more = await this.#source.next().catch((error) => {
        throw systemCode(error)?.startsWith("Z_") ? this.#damaged("its compression is broken", error) : error;
      });
      if (more.done) return undefined;
      from = more.value;
    }
  }
}

/** Reads a packed file by its lines, and closes it in any case. `whatIsDamaged`: see `LineReader`. */
export async function withLines<Result>(
  file: string,
  read: (lines: LineReader) => Promise<Result>,
  whatIsDamaged?: typeof damaged,
): Promise<Result> {
  const source = createReadStream(file);
  const unpacked = createGunzip();
  source.on("error", (error) => unpacked.destroy(error)).pipe(unpacked);
  try {
    return await read(new LineReader(unpacked, whatIsDamaged));
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

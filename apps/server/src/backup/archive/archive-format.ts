import { createHash, type Hash } from "node:crypto";
import { z } from "zod";
import { type LineReader, TransferError, withLines } from "../transfer-format.ts";

// An archive is gzip over lines: a header, then for each table a line that names it, its rows in COPY's text format and a line `\.`,
// and at last the manifest with the SHA-256 of all of that. The manifest's own SHA-256 is in the database and in the audit log.

const archiveFormat = "stocktake-session-archive";
const formatVersion = 1;

const headerSchema = z.object({
  format: z.literal(archiveFormat),
  formatVersion: z.number(),
  /** ISO 8601, as all times here. */
  madeAt: z.string(),
  /** Names the installation without giving its key away; a restore keeps it. */
  installation: z.string(),
  session: z.object({
    id: z.string(),
    store: z.string(),
    name: z.string().nullable(),
    startedAt: z.string(),
    endedAt: z.string(),
  }),
  /** The schema that the rows fit. */
  migrations: z.array(z.object({ version: z.number(), name: z.string(), checksum: z.string() })),
});
export type ArchiveHeader = z.infer<typeof headerSchema>;

const contentsSchema = z.object({ rows: z.number(), sha256: z.string() });
/** How many rows a table of the archive has, and the SHA-256 of them as they are written in it. */
export type Contents = z.infer<typeof contentsSchema>;

const manifestSchema = z.object({
  /** The SHA-256 of the header's line. */
  header: z.string(),
  tables: z.record(z.string(), contentsSchema),
  /** The session's chain of the audit log when it was archived; its entries are in the file too. */
  audit: z.object({ length: z.number(), lastHash: z.string().nullable() }),
});
export type ArchiveManifest = z.infer<typeof manifestSchema>;

const sectionSchema = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()), key: z.array(z.string()) }),
  z.object({ manifest: manifestSchema }),
]);
/** A table's part: what its rows are made of, and what they are in the order of, as it was when it was written. */
export type ArchiveSection = Extract<z.infer<typeof sectionSchema>, { table: string }>;

export interface WholeArchive {
  readonly header: ArchiveHeader;
  readonly manifest: ArchiveManifest;
  readonly manifestHash: string;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A line of an archive, without its end. */
export function headerLine(header: Omit<ArchiveHeader, "format" | "formatVersion">): string {
  return JSON.stringify({ format: archiveFormat, formatVersion, ...header });
}

export function sectionLine(section: ArchiveSection): string {
  return JSON.stringify(section);
}

export function manifestLine(manifest: ArchiveManifest): string {
  return JSON.stringify({ manifest });
}

/** Counts and hashes the rows that pass. */
export class ContentsCount {
  readonly #hash: Hash = createHash("sha256");
  #rows = 0;

  add(bytes: Buffer): void {
    this.#hash.update(bytes);
    for (let at = bytes.indexOf("\n"); at !== -1; at = bytes.indexOf("\n", at + 1)) this.#rows += 1;
  }

  /** Call it once, at the end. */
  contents(): Contents {
    return { rows: this.#rows, sha256: this.#hash.digest("hex") };
  }
}

/** What to do with a table's rows; it has to take them all. */
export type TakeRows = (section: ArchiveSection, rows: AsyncGenerator<Buffer>) => Promise<void>;

const passOver: TakeRows = async (_section, rows) => {
  for await (const _batch of rows);
};

/**
 * Reads an archive from its first byte to its last and compares everything with its manifest.
 * @throws TransferError that names what is not as the manifest says.
 */
export async function readArchive(file: string, take: TakeRows = passOver): Promise<WholeArchive> {
  // Where the reading is, to say where the file is damaged.
  let table: string | null = null;
  const cut = (why: string, cause?: unknown) =>
    damaged(file, table === null ? why : `${why}, in table ${table}`, cause);
  const read = async (lines: LineReader): Promise<WholeArchive> => {
    const first = await lines.next();
    const header = headerOf(file, first);
    const found = new Map<string, Contents>();
    for (;;) {
      const line = await lines.next();
      const section = sectionSchema.safeParse(parseJson(file, line));
      if (!section.success) throw damaged(file, "a part of it is unreadable");
      if ("manifest" in section.data) {
        table = null;
        if ((await lines.next()) !== undefined) throw damaged(file, "something follows its end");
        requireEqual(file, section.data.manifest, { header: sha256(first ?? ""), tables: found });
        return { header, manifest: section.data.manifest, manifestHash: sha256(line ?? "") };
      }
      table = section.data.table;
      const count = new ContentsCount();
      await take(section.data, counted(lines, count));
      found.set(section.data.table, count.contents());
    }
  };
  return withLines(file, read, cut);
}

async function* counted(lines: LineReader, count: ContentsCount): AsyncGenerator<Buffer> {
  for await (const batch of lines.rows()) {
    const bytes = Buffer.concat(batch);
    count.add(bytes);
    yield bytes;
  }
}

function headerOf(file: string, line: string | undefined): ArchiveHeader {
  const header = headerSchema.safeParse(parseJson(file, line));
  if (!header.success) throw damaged(file, "it does not begin like one");
  if (header.data.formatVersion <= formatVersion) return header.data;
  throw new TransferError(
    `${file} was written by a newer release of Stocktake. Nothing was changed. Bring it back with that release.`,
  );
}

function parseJson(file: string, line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? "");
  } catch (error) {
    throw damaged(
      file,
      line === undefined ? "it breaks off before its end" : "a line of its own is unreadable",
      error,
    );
  }
}

function requireEqual(
  file: string,
  manifest: ArchiveManifest,
  found: { readonly header: string; readonly tables: ReadonlyMap<string, Contents> },
): void {
  if (manifest.header !== found.header) throw damaged(file, "its first line was changed");
  const names = new Set([...Object.keys(manifest.tables), ...found.tables.keys()]);
  for (const name of names) {
    const [said, is] = [manifest.tables[name], found.tables.get(name)];
    if (said?.rows !== is?.rows) {
      throw damaged(file, `table ${name} has ${is?.rows ?? 0} rows in it, not ${said?.rows ?? 0}`);
    }
    if (said?.sha256 !== is?.sha256) throw damaged(file, `the rows of table ${name} were changed`);
  }
}

function damaged(file: string, why: string, cause?: unknown): TransferError {
  return new TransferError(
    `${file} is not a whole archive of a session: ${why}. Nothing was changed. Use another copy of it.`,
    { cause },
  );
}

import { lstat, open } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyToStdout } from "pg-copy-streams";
import { systemCode } from "../../database/errors.ts";
import { writeWhole } from "../new-file.ts";
import { endOfRows, TransferError } from "../transfer-format.ts";
import {
  type ArchiveHeader,
  type ArchiveManifest,
  type ArchiveSection,
  type Contents,
  ContentsCount,
  headerLine,
  manifestLine,
  readArchive,
  sectionLine,
  sha256,
  type WholeArchive,
} from "./archive-format.ts";
import { type ArchivedTable, copyOut, listed } from "./archived-tables.ts";

/** What an archive is written of, in the transaction that `client` is in. */
export interface ArchivedSession {
  readonly header: Omit<ArchiveHeader, "format" | "formatVersion">;
  readonly tables: readonly ArchivedTable[];
  readonly audit: ArchiveManifest["audit"];
}

/**
 * Writes the archive, has it on the disk and reads it back before it gets its name: whatever has the name is whole. Only its owner may
 * read it. @throws TransferError where a file has the name already, or where what is on the disk is not what was written.
 */
export async function writeArchive(
  client: pg.Client,
  session: ArchivedSession,
  file: string,
): Promise<WholeArchive> {
  const written = await writeWhole(file, async ({ path, handle }) => {
    await requireFree(file);
    await pipeline(
      Readable.from(archiveOf(client, session)),
      createGzip(),
      // Flushed before it is closed: the rows are deleted in the belief that they are here.
      handle.createWriteStream({ flush: true }),
    );
    return readArchive(path);
  });
  await flushFolder(dirname(file));
  return written;
}

/**
 * An archive is never written over, not even one of the same session: a backup may be restored that names the file that is there, whose rows
 * are nowhere else then. Whoever writes archives has claimed the name by now.
 */
async function requireFree(file: string): Promise<void> {
  try {
    await lstat(file);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw error;
  }
  throw new TransferError(
    `${file} is there already and stays as it is: if it is an archive, a server that is restored from a backup may need it. ` +
      "Nothing was changed. Name another file.",
  );
}

/** A new name is safe from a power cut once its folder is on the disk; Windows opens no folders and needs none of this. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* archiveOf(
  client: pg.Client,
  { header, tables, audit }: ArchivedSession,
): AsyncGenerator<string | Buffer> {
  const first = headerLine(header);
  yield `${first}\n`;
  const contents: Record<string, Contents> = {};
  for (const table of tables) {
    const { name, columns, key } = table;
    yield `${sectionLine({ table: name, columns: [...columns], key: [...key] })}\n`;
    contents[table.name] = yield* rowsOf(client, copyOut(table, header.session.id));
  }
  yield `${sectionLine(auditSection)}\n`;
  contents[auditSection.table] = yield* rowsOf(
    client,
    copyAudit(header.session.id, { ...auditSection, length: audit.length }),
  );
  yield `${manifestLine({ header: sha256(first), tables: contents, audit })}\n`;
}

async function* rowsOf(client: pg.Client, statement: string): AsyncGenerator<string | Buffer, Contents> {
  const count = new ContentsCount();
  for await (const chunk of client.query(copyToStdout(statement))) {
    count.add(chunk);
    yield chunk;
  }
  yield `${endOfRows}\n`;
  return count.contents();
}

/** How many rows a statement copies out, and their SHA-256. */
async function contentsOf(client: pg.Client, statement: string): Promise<Contents> {
  const count = new ContentsCount();
  for await (const chunk of client.query(copyToStdout(statement))) count.add(chunk);
  return count.contents();
}

/** The session's entries of the audit log. They stay in the database too, where nothing is ever taken out of a chain. */
export const auditSection: ArchiveSection = {
  table: "audit_entries",
  columns: [
    ...["position", "at", "actor_kind", "actor_id", "actor_name", "action", "subject_kind", "subject_id"],
    ...["subject_name", "before", "after", "previous_hash", "hash"],
  ],
  key: ["position"],
};

/** The statement that copies the first entries of a session's chain out. */
export function copyAudit(
  sessionId: string,
  { columns, length }: Pick<ArchiveSection, "columns"> & { readonly length: number },
): string {
  return `COPY (SELECT ${listed(columns)} FROM audit_entries
    WHERE chain = ${pg.escapeLiteral(sessionId)} AND position <= ${Math.trunc(length)} ORDER BY position) TO STDOUT`;
}

/** Compares what the database holds with what an archive says. @throws TransferError that names the table. */
export async function requireContents(
  client: pg.Client,
  {
    statement,
    table,
    contents,
  }: { readonly statement: string; readonly table: string; readonly contents: Contents | undefined },
): Promise<void> {
  const found = await contentsOf(client, statement);
  if (found.rows === contents?.rows && found.sha256 === contents.sha256) return;
  throw new TransferError(
    `The rows of table ${table} in the database would not be those of the archive. Nothing was changed. ` +
      "Keep the file, and ask for help with the log of this command.",
  );
}

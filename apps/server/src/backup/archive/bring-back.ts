import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFromStdin } from "pg-copy-streams";
import { recordAudit, sessionSubject, shellActor } from "../../audit/audit.ts";
import type { DatabaseConnection } from "../../database/connection.ts";
import { messageOf } from "../../database/errors.ts";
import type { AppliedMigration } from "../../database/migrate.ts";
import { TransferError } from "../transfer-format.ts";
import { copyTarget } from "../transfer-schema.ts";
import {
  type ArchiveHeader,
  type ArchiveSection,
  readArchive,
  sha256,
  type TakeRows,
  type WholeArchive,
} from "./archive-format.ts";
import { findArchive, holdForArchive, listSessions, readInstallation } from "./archive-queries.ts";
import { type ArchiveWork, inArchiveTransaction } from "./archive-work.ts";
import { type ArchivedTable, copyOut, readArchivedTables } from "./archived-tables.ts";
import { putBackLater, setLaterAside } from "./came-since.ts";
import { leavesArchivesAsTheyAre } from "./older-schemas.ts";
import type { ListedSession } from "./what-speaks-against.ts";
import { auditSection, copyAudit, requireContents } from "./write-archive.ts";

export type BroughtBack =
  | { readonly kind: "already"; readonly session: ListedSession }
  | {
      readonly kind: "brought_back";
      readonly session: ListedSession;
      readonly rows: number;
      /** Scans that came while it was archived, and those of them that the archive held already. */
      readonly scansSince: number;
      readonly repeats: number;
    };

/**
 * Puts the rows of an archive back where they were, while the server goes on: after every checksum of the file was right, all or
 * nothing, and compared with the file once more before it counts. @throws TransferError with what is in the way.
 */
export async function bringBack(connection: DatabaseConnection, file: string): Promise<BroughtBack> {
  const archive = await readArchive(file);
  const oneMoment = { isolation: "repeatable read", schemaIsHeld: false } as const;
  return inArchiveTransaction(connection, oneMoment, async (work) => {
    const session = await requireSession(work, archive.header);
    const kept = await findArchive(work.transaction, session.id);
    if (kept === undefined) return { kind: "already", session };
    if (kept.manifestHash !== archive.manifestHash) throw anotherFile(file, kept);
    requireFittingSchema(file, archive.header, work.migrations);
    await holdForArchive(work.transaction, session.id);
    const tables = await readArchivedTables(work.client);
    const since = await setLaterAside(work.client, tables, session.id);
    await copyBack(work.client, { file, tables, archive });
    await requireEmpty(work.client, tables, archive);
    const repeats = await putBackLater(work, since);
    await forget(work, { session, archive, fileName: basename(file), scansSince: since.scans });
    const rows = tables.reduce((sum, { name }) => sum + (archive.manifest.tables[name]?.rows ?? 0), 0);
    return { kind: "brought_back", session, rows, scansSince: since.scans, repeats };
  });
}

async function requireSession(
  { transaction }: ArchiveWork,
  { installation, session: { id, store } }: ArchiveHeader,
): Promise<ListedSession> {
  if ((await readInstallation(transaction)) !== installation) {
    throw new TransferError(
      `This archive is of another installation of Stocktake (a session of ${store}). Nothing was changed. ` +
        "Bring it back on the server that it is of, or on one restored from a backup of that.",
    );
  }
  const session = (await listSessions(transaction)).find((each) => each.id === id);
  if (session !== undefined) return session;
  throw new TransferError(
    `This database has no session ${id}: it was restored from a backup of before that session. Nothing was changed. ` +
      "Bring it back on a server restored from a later backup.",
  );
}

function anotherFile(
  file: string,
  kept: { readonly fileName: string; readonly archivedAt: Date },
): TransferError {
  return new TransferError(
    `${file} is an archive of this session, but not the one of ${kept.archivedAt.toISOString()}, whose file was called ` +
      `${kept.fileName}. Nothing was changed. Bring that one back.`,
  );
}

/** Rows of an earlier schema are as good where no migration since has touched them. */
function requireFittingSchema(
  file: string,
  { migrations }: ArchiveHeader,
  applied: readonly AppliedMigration[],
): void {
  const isOfOurs = migrations.every(({ checksum }, index) => applied[index]?.checksum === checksum);
  if (!isOfOurs) {
    throw new TransferError(
      `${file} was written by a newer release of Stocktake, or by another build of it. Nothing was changed. ` +
        "Update to the release that wrote it, and bring it back then.",
    );
  }
  const changing = applied.slice(migrations.length).find(({ version }) => !leavesArchivesAsTheyAre(version));
  if (changing === undefined) return;
  throw new TransferError(
    `${file} is of an earlier release, and ${changing.name} has changed its tables since. Nothing was changed. ` +
      "Restore a backup of the time of the archive into an empty folder with the release of that time, bring it back there, " +
      "and see its report there.",
  );
}

interface ToCopy {
  readonly file: string;
  readonly tables: readonly ArchivedTable[];
  readonly archive: WholeArchive;
}

/**
 * Copies the rows, and compares what was written with what was archived, in the columns and the order of the archive: a table may have
 * others by now. What the session has most of is compared before anything of areas is held, so that counting goes on there meanwhile.
 */
async function copyBack(client: pg.Client, { file, tables, archive }: ToCopy): Promise<void> {
  const written: ArchiveSection[] = [];
  const compare = async () => {
    for (const section of written.splice(0)) await requireAsArchived(client, section, archive);
  };
  const take: TakeRows = async (section, rows) => {
    if (section.table === auditSection.table) {
      for await (const _batch of rows);
    } else {
      const table = tables.find(({ name }) => name === section.table);
      if (table === undefined || !section.columns.every((column) => table.columns.includes(column))) {
        throw new TransferError(
          `Table ${section.table} of ${file} does not fit this release. Nothing was changed.`,
        );
      }
      if (table.holdsOthers) await compare();
      await copyIn(client, section, rows);
    }
    written.push(section);
  };
  // Read a second time: whatever has changed in the file since the first is found here, and all of it is taken back.
  const again = await readArchive(file, take);
  if (again.manifestHash !== archive.manifestHash) {
    throw new TransferError(`${file} was changed while it was read. Nothing was changed in the database.`);
  }
  await compare();
}

async function copyIn(
  client: pg.Client,
  { table, columns }: ArchiveSection,
  rows: AsyncGenerator<Buffer>,
): Promise<void> {
  const input = client.query(copyFromStdin(`COPY ${copyTarget({ name: table, columns })} FROM STDIN`));
  await pipeline(Readable.from(rows), input).catch((error) => {
    if (error instanceof TransferError) throw error;
    throw new TransferError(
      `The rows of table ${table} can't be put back: ${messageOf(error)}. Nothing was changed.`,
      {
        cause: error,
      },
    );
  });
}

/** What was written must be what is read again: rows, and the session's entries of the audit log up to its archiving. */
async function requireAsArchived(
  client: pg.Client,
  { table, columns, key }: ArchiveSection,
  { header, manifest }: WholeArchive,
): Promise<void> {
  const { id } = header.session;
  const statement =
    table === auditSection.table
      ? copyAudit(id, { columns, length: manifest.audit.length })
      : copyOut({ name: table, columns, key }, id);
  await requireContents(client, { statement, table, contents: manifest.tables[table] });
}

/** A table that came after the archive has nothing of its session. */
async function requireEmpty(
  client: pg.Client,
  tables: readonly ArchivedTable[],
  { header, manifest }: WholeArchive,
): Promise<void> {
  for (const table of tables.filter(({ name }) => manifest.tables[name] === undefined)) {
    const none = { rows: 0, sha256: sha256("") };
    const statement = copyOut(table, header.session.id);
    await requireContents(client, { statement, table: table.name, contents: none });
  }
}

interface ToForget {
  readonly session: ListedSession;
  readonly archive: WholeArchive;
  readonly fileName: string;
  readonly scansSince: number;
}

async function forget(
  { transaction }: ArchiveWork,
  { session, archive, fileName, scansSince }: ToForget,
): Promise<void> {
  // With it goes what was kept for other sessions' figures, which read the rows again.
  await transaction.deleteFrom("sessionArchives").where("sessionId", "=", session.id).execute();
  await recordAudit(transaction, {
    sessionId: session.id,
    actor: shellActor,
    action: "session.brought_back",
    subject: await sessionSubject(transaction, session.id),
    before: { file: fileName, manifestHash: archive.manifestHash },
    after: { scansSince },
  });
}

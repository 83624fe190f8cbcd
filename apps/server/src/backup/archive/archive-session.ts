import { rm } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { recordAudit, sessionSubject, shellActor, verifyChain } from "../../audit/audit.ts";
import type { DatabaseConnection } from "../../database/connection.ts";
import { messageOf } from "../../database/errors.ts";
import type { Transaction } from "../../database/pool.ts";
import { keepCounts } from "../../reports/reports.ts";
import { TransferError } from "../transfer-format.ts";
import type { ArchiveManifest, WholeArchive } from "./archive-format.ts";
import { findArchive, findSessionBy, holdForArchive, readInstallation } from "./archive-queries.ts";
import { type ArchiveWork, inArchiveTransaction } from "./archive-work.ts";
import { type ArchivedTable, readArchivedTables } from "./archived-tables.ts";
import { type ListedSession, whatSpeaksAgainst } from "./what-speaks-against.ts";
import { writeArchive } from "./write-archive.ts";

export type Archived =
  | {
      readonly kind: "archived";
      readonly session: ListedSession;
      readonly tables: number;
      readonly rows: number;
    }
  | { readonly kind: "already"; readonly session: ListedSession; readonly file: string; readonly at: Date };

interface ToArchive {
  /** Its ID, or the end of it. */
  readonly session: string;
  readonly file: string;
}

/**
 * Puts a session that has ended into a file, while the server goes on. Its rows are deleted once the file is on the disk and was read
 * back, by the transaction that has read them: what comes meanwhile stays. Cut off at any moment it leaves the rows, the file, or both; where
 * it fails and the rows are certain to stay, the file goes, so that the same command can be given again.
 * @throws TransferError with what speaks against it, or what is in the way; then nothing was changed.
 */
export function archiveSession(connection: DatabaseConnection, wanted: ToArchive): Promise<Archived> {
  const holding = { isolation: "read committed", schemaIsHeld: false } as const;
  return inArchiveTransaction(connection, holding, async ({ transaction: hold }) => {
    const { id } = await findSessionBy(hold, wanted.session);
    // Before the snapshot: a deploy or a count by hand that is under way is in it, and none begins until the rows are gone.
    await holdForArchive(hold, id);
    const oneMoment = { isolation: "repeatable read", schemaIsHeld: true } as const;
    const reached: Reached = { hasFile: false, commit: false };
    const file = resolve(wanted.file);
    try {
      return await inArchiveTransaction(connection, oneMoment, async (work) => {
        const done = await archiveHeld(work, id, { file, reached });
        // A hold whose connection was lost meanwhile holds nothing: then this fails, and the rows stay.
        await sql`select 1`.execute(hold);
        reached.commit = true;
        return done;
      });
    } catch (error) {
      if (reached.hasFile) await takeBack(file, reached, error);
      throw error;
    }
  });
}

/** How far an archive has come. */
interface Reached {
  /** The file has its name. */
  hasFile: boolean;
  commit: boolean;
}

/**
 * Removes the file where the rows are certain to stay: no commit was asked for, or the database refused it. @throws TransferError where
 * that is not certain: the file may hold all that is left.
 */
async function takeBack(file: string, { commit }: Reached, error: unknown): Promise<void> {
  if (!commit || error instanceof TransferError) return rm(file, { force: true });
  throw new TransferError(
    `The archive failed at its very end: ${messageOf(error)}. It was done wholly or not at all, so ${file} is kept. Run the command ` +
      "again with another file: it says that the session was archived already, or archives it into that one.",
    { cause: error },
  );
}

async function archiveHeld(
  work: ArchiveWork,
  id: string,
  { file, reached }: { readonly file: string; readonly reached: Reached },
): Promise<Archived> {
  const session = await findSessionBy(work.transaction, id);
  const archive = await findArchive(work.transaction, id);
  if (archive !== undefined)
    return { kind: "already", session, file: archive.fileName, at: archive.archivedAt };
  await requireNothingAgainst(work.transaction, session);
  const tables = await readArchivedTables(work.client);
  const written = await writeOut(work, { session, tables, file });
  reached.hasFile = true;
  await putAway(work, { session, tables, written, file });
  const rows = tables.reduce((sum, { name }) => sum + (written.manifest.tables[name]?.rows ?? 0), 0);
  return { kind: "archived", session, tables: tables.length, rows };
}

async function requireNothingAgainst(transaction: Transaction, session: ListedSession): Promise<void> {
  const reasons = await whatSpeaksAgainst(transaction, session);
  if (reasons.length === 0) return;
  throw new TransferError(
    `This session can't be archived now. Nothing was changed.\n${reasons.map((reason) => `- ${reason}`).join("\n")}`,
  );
}

interface InHand {
  readonly session: ListedSession;
  readonly tables: readonly ArchivedTable[];
  readonly file: string;
}

async function writeOut(
  { transaction, client, migrations }: ArchiveWork,
  { session, tables, file }: InHand,
): Promise<WholeArchive> {
  const { id, store, name, startedAt, endedAt } = session;
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(transaction);
  const header = {
    madeAt: (rows[0]?.now ?? startedAt).toISOString(),
    installation: await readInstallation(transaction),
    session: {
      ...{ id, store, name, startedAt: startedAt.toISOString() },
      endedAt: (endedAt ?? startedAt).toISOString(),
    },
    migrations: migrations.map(({ version, name: step, checksum }) => ({ version, name: step, checksum })),
  };
  return writeArchive(client, { header, tables, audit: await readChain(transaction, id) }, file);
}

/** @throws TransferError where the session's chain is broken: an archive would hide it. */
async function readChain(transaction: Transaction, sessionId: string): Promise<ArchiveManifest["audit"]> {
  const verdict = await verifyChain(transaction, sessionId);
  if (verdict.intact) return { length: verdict.length, lastHash: verdict.lastHash };
  throw new TransferError(
    `The session's audit log is broken at entry ${verdict.position}: ${verdict.why}. Nothing was changed. ` +
      "See what verify-audit says first.",
  );
}

async function putAway(
  { transaction, client }: ArchiveWork,
  { session, tables, written, file }: InHand & { readonly written: WholeArchive },
): Promise<void> {
  const { manifest, manifestHash } = written;
  const fileName = basename(file);
  await sql`
    insert into session_archives (session_id, file_name, manifest_hash, units, skus)
    values (${session.id}, ${fileName}, ${manifestHash}, 0, 0)`.execute(transaction);
  await keepCounts(transaction, session.id);
  await sql`
    update session_archives
    set units = (select coalesce(sum(quantity), 0) from scan_totals where session_id = ${session.id} and quantity > 0),
      skus = (select count(*) from archived_counts where session_id = ${session.id} and counted is not null)
    where session_id = ${session.id}`.execute(transaction);
  for (const { name } of tables.toReversed()) {
    const { rowCount } = await client.query(
      `DELETE FROM ${pg.escapeIdentifier(name)} WHERE session_id = $1`,
      [session.id],
    );
    if (rowCount !== manifest.tables[name]?.rows) {
      throw new TransferError(`The rows of table ${name} are not those of the file. Nothing was deleted.`);
    }
  }
  await recordAudit(transaction, {
    sessionId: session.id,
    actor: shellActor,
    action: "session.archived",
    subject: await sessionSubject(transaction, session.id),
    before: null,
    after: {
      file: fileName,
      manifestHash,
      rows: Object.fromEntries(tables.map(({ name }) => [name, manifest.tables[name]?.rows ?? 0])),
      auditEntries: manifest.audit.length,
      auditHash: manifest.audit.lastHash,
    },
  });
}

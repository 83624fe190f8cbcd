import type pg from "pg";
import type { DatabaseConnection } from "../../database/connection.ts";
import { messageOf, systemCode } from "../../database/errors.ts";
import { type AppliedMigration, readMigrations } from "../../database/migrate.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import { openOneConnection } from "../../database/pool.ts";
import { TransferError } from "../transfer-format.ts";
import { portableForms, readAppliedMigrations } from "../transfer-schema.ts";

/** One transaction in which rows are copied as well: `client` is in it too. */
export interface ArchiveWork {
  readonly transaction: Transaction;
  readonly client: pg.Client;
  /** The database's schema, which is this release's. */
  readonly migrations: readonly AppliedMigration[];
}

const serialisationFailure = "40001";

/**
 * Does all of the work or nothing, as of one moment and without limits of time. @throws TransferError where the database is of another
 * release, or where somebody changed the session meanwhile.
 */
export async function inOneMoment<Result>(
  connection: DatabaseConnection,
  work: (of: ArchiveWork) => Promise<Result>,
): Promise<Result> {
  return onOneConnection(connection, "repeatable read", work);
}

/**
 * Holds rows by a transaction of its own while `work` goes on elsewhere: a snapshot that is taken once they are held has what those have
 * done who held them before. @throws as `inOneMoment`.
 */
export async function whileHolding<Result>(
  connection: DatabaseConnection,
  work: (of: ArchiveWork) => Promise<Result>,
): Promise<Result> {
  return onOneConnection(connection, "read committed", work);
}

type Isolation = "repeatable read" | "read committed";

async function onOneConnection<Result>(
  connection: DatabaseConnection,
  isolation: Isolation,
  work: (of: ArchiveWork) => Promise<Result>,
): Promise<Result> {
  const { database, client, close } = await openOneConnection(connection, "stocktake-archive");
  try {
    return await withinTransaction(database, client, { isolation, work });
  } catch (error) {
    if (systemCode(error) !== serialisationFailure) throw error;
    throw new TransferError(
      `Somebody changed the session meanwhile (${messageOf(error)}). Nothing was changed. Run the command again.`,
      { cause: error },
    );
  } finally {
    await close();
  }
}

function withinTransaction<Result>(
  database: Database,
  client: pg.Client,
  { isolation, work }: { readonly isolation: Isolation; readonly work: (of: ArchiveWork) => Promise<Result> },
): Promise<Result> {
  return database
    .transaction()
    .setIsolationLevel(isolation)
    .execute(async (transaction) => {
      await client.query(
        `${portableForms}; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`,
      );
      return work({ transaction, client, migrations: await requireOwnSchema(client) });
    });
}

/** Rows of another schema would be copied in another form than this release reads. */
async function requireOwnSchema(client: pg.Client): Promise<AppliedMigration[]> {
  const [applied, known] = [await readAppliedMigrations(client), await readMigrations()];
  const isOwn =
    applied.length === known.length &&
    applied.every(({ checksum }, index) => known[index]?.checksum === checksum);
  if (isOwn) return applied;
  throw new TransferError(
    "This database is of another release of Stocktake. Nothing was changed. Use that release's command, or start " +
      "this release's server once.",
  );
}

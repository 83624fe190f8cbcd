import type pg from "pg";
import type { DatabaseConnection } from "../../database/connection.ts";
import { messageOf, systemCode } from "../../database/errors.ts";
import { type AppliedMigration, holdSchema, readMigrations } from "../../database/migrate.ts";
import type { Transaction } from "../../database/pool.ts";
import { openOneConnection } from "../../database/pool.ts";
import { emptyDatabase } from "../database-command.ts";
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

interface Kind {
  /** "read committed" to hold rows while the work goes on elsewhere; a snapshot that is taken later has what was done by then. */
  readonly isolation: "repeatable read" | "read committed";
  /** Whether a transaction around this one lets nobody migrate: to ask for it again would wait for a migration that waits for that. */
  readonly schemaIsHeld: boolean;
}

/**
 * Does all of the work or nothing, in one transaction without limits of time, while nobody migrates. @throws TransferError where the database
 * is of another release, or where somebody changed the session meanwhile.
 */
export async function inArchiveTransaction<Result>(
  connection: DatabaseConnection,
  { isolation, schemaIsHeld }: Kind,
  work: (of: ArchiveWork) => Promise<Result>,
): Promise<Result> {
  const { database, client, close } = await openOneConnection(connection, "stocktake-archive");
  try {
    // Before the transaction, whose first statement takes its snapshot.
    if (!schemaIsHeld) await holdSchema(client);
    return await database
      .transaction()
      .setIsolationLevel(isolation)
      .execute(async (transaction) => {
        await client.query(
          `${portableForms}; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`,
        );
        return work({ transaction, client, migrations: await requireOwnSchema(client) });
      });
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

/** Rows of another schema would be copied in another form than this release reads. */
async function requireOwnSchema(client: pg.Client): Promise<AppliedMigration[]> {
  const [applied, known] = [await readAppliedMigrations(client), await readMigrations()];
  const isOwn =
    applied.length === known.length &&
    applied.every(({ checksum }, index) => known[index]?.checksum === checksum);
  if (isOwn) return applied;
  if (applied.length === 0) {
    throw emptyDatabase();
  }
  throw new TransferError(
    "This database is of another release of Stocktake. Nothing was changed. Use that release's command, or start " +
      "this release's server once.",
  );
}

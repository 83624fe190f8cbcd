import { sql } from "kysely";
import type { DatabaseConnection } from "../database/connection.ts";
import { migrate } from "../database/migrate.ts";
import { openOneConnection, type Transaction } from "../database/pool.ts";
import { startAlone } from "../database/starting.ts";
import { emptyDatabase } from "./database-command.ts";
import { beginNewEpoch } from "./new-epoch.ts";
import { TransferError } from "./transfer-format.ts";
import { readAppliedMigrations } from "./transfer-schema.ts";

interface Mark {
  /** The moment that the database went back to, as the operator names it. */
  readonly to: Date;
  /** Behind a pooler, whose connections outlive the servers that used them. */
  readonly pooled: boolean;
}

/** What marking came to; `already`: it had been done for that moment, and nothing was changed. */
export type Marked =
  | { readonly kind: "already"; readonly at: Date }
  | {
      readonly kind: "done";
      /** From here on nobody knows what happened: the given moment, or the last thing that the database knows where that is earlier. */
      readonly from: Date;
      readonly lastKnown: Date;
      /** How many sessions are held. */
      readonly sessions: number;
      /** How many deploys and rollbacks were under way, and are ended. */
      readonly moves: number;
    };

/**
 * Does to a database that went back by other means (a provider's point-in-time recovery, a snapshot of the machine, a copied
 * data folder, an asynchronous standby) what a restore does to one that it fills. No server may run on it: one that has
 * begun on the epoch of before goes on naming it to devices, and moves stock until it meets the fence at its next
 * connection. None starts meanwhile. @throws TransferError where nothing was changed, MigrationError.
 */
export function markRestored(connection: DatabaseConnection, mark: Mark): Promise<Marked> {
  return startAlone(connection, async () => {
    await requireStopped(connection, mark);
    await migrate(connection, { mayShare: true });
    const { database, client, close } = await openOneConnection(connection, "stocktake-mark-restored");
    try {
      return await database.transaction().execute(async (transaction): Promise<Marked> => {
        const known = await readKnown(transaction);
        requireSensible(mark, known);
        const earlier = await findEarlier(transaction, mark.to);
        if (earlier !== undefined) return { kind: "already", at: earlier };
        // A moment that is told too late would pass what moved before it as unmoved.
        const from = new Date(Math.min(mark.to.getTime(), known.lastKnown.getTime()));
        const epoch = { madeAt: from.toISOString(), wentBackTo: mark.to.toISOString() };
        const held = await beginNewEpoch(client, epoch);
        return { kind: "done", from, lastKnown: known.lastKnown, ...held };
      });
    } finally {
      await close();
    }
  });
}

/** Before a migration, which would make tables in an empty database. */
async function requireStopped(connection: DatabaseConnection, { pooled }: Mark): Promise<void> {
  const { database, client, close } = await openOneConnection(connection, "stocktake-mark-restored");
  try {
    if ((await readAppliedMigrations(client)).length === 0) {
      throw emptyDatabase();
    }
    const names = pooled ? ["stocktake-listen"] : ["stocktake-listen", "stocktake"];
    const { rows } = await sql<{ connections: number }>`
      select count(*)::int as connections from pg_stat_activity
      where datname = current_database() and application_name = any(${names})`.execute(database);
    if (rows[0]?.connections === 0) return;
    throw new TransferError(
      "A Stocktake server is still connected to this database. Nothing was changed. Stop every server of it, run this again, " +
        "and start them then: one that goes on would move stock by what the database no longer knows.",
    );
  } finally {
    await close();
  }
}

interface Known {
  readonly now: Date;
  readonly madeAt: Date;
  /** When the newest of what servers record all the time was recorded. */
  readonly lastKnown: Date;
}

async function readKnown(transaction: Transaction): Promise<Known> {
  const { rows } = await sql<Known>`
    select now() as now, created_at as made_at, greatest(created_at, catalogue_read_at,
      (select max(at) from audit_entries), (select max(stock_read_at) from sessions)) as last_known
    from installation for update`.execute(transaction);
  const [known] = rows;
  if (known === undefined) throw new Error("The installation has no row.");
  return known;
}

function requireSensible({ to }: Mark, { now, madeAt }: Known): void {
  if (to > now) {
    throw new TransferError(
      `${to.toISOString()} is in the future: by the database's clock it is ${now.toISOString()}. Nothing was changed. Name ` +
        "the moment that the database went back to, with its time zone (Z for UTC).",
    );
  }
  if (to < madeAt) {
    throw new TransferError(
      `${to.toISOString()} is before this database was made, which was at ${madeAt.toISOString()}. Nothing was changed.`,
    );
  }
}

/** When the same moment was named before; its entry of the audit log goes back with the database where that goes back once more. */
async function findEarlier(transaction: Transaction, to: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select at from audit_entries
    where chain = 'general' and action = 'installation.restored' and after ->> 'wentBackTo' = ${to.toISOString()}
    limit 1`.execute(transaction);
  return rows[0]?.at;
}

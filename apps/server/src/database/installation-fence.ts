import type pg from "pg";
import { DatabaseStartError } from "./errors.ts";

/** Holds a server to the installation that it has begun on. */
export interface InstallationFence {
  /** For each new connection of a pool: refuses it where the database is another installation's, or a restored one. */
  verify(client: pg.PoolClient, done: (error?: Error) => void): void;
  /** The same for a connection that lasts: when it is made, and from time to time. Throws where it leads elsewhere, or can't tell. */
  check(client: pg.ClientBase): Promise<void>;
  /** Resolves once that has happened: the server then has to begin anew. */
  readonly replaced: Promise<DatabaseStartError>;
}

const undefinedTable = "42P01";

/**
 * A restore gives the installation a new epoch, by which devices learn that what they were answered may be gone. It needs an
 * empty database, and a database is dropped only once nobody is connected: so a server that a restore has passed by finds
 * out at its next connection, before anything is read or written over that. A pooler holds the pool's connections whatever
 * happens behind it, and a database that is emptied where it stands breaks none: there the connection that listens, which
 * leads to PostgreSQL itself, finds out when it is made again, or with its heartbeat.
 */
export function createInstallationFence(): InstallationFence {
  let begunOn: string | null = null;
  let tell = (_error: DatabaseStartError) => {};
  const replaced = new Promise<DatabaseStartError>((resolve) => {
    tell = resolve;
  });

  async function check(client: pg.ClientBase): Promise<void> {
    const epoch = await readEpoch(client);
    begunOn ??= epoch;
    if (epoch === begunOn) return;
    const error = anotherInstallation();
    tell(error);
    throw error;
  }

  return {
    verify: (client, done) => {
      check(client).then(() => done(), done);
    },
    check,
    replaced,
  };
}

/** Null where there is no installation (yet): a restore that is under way shows itself when it is complete. */
async function readEpoch(client: pg.ClientBase): Promise<string | null> {
  try {
    const { rows } = await client.query<{ epoch: string }>("SELECT epoch FROM installation");
    return rows[0]?.epoch ?? null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === undefinedTable) return null;
    throw error;
  }
}

function anotherInstallation(): DatabaseStartError {
  return new DatabaseStartError(
    "REPLACED",
    "The database was replaced while this server ran: by a backup that was restored, or by another installation. This server " +
      "goes no further on it. Start the server again; it then works on the database that is there now. Where it says so at " +
      "every start, DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.",
  );
}

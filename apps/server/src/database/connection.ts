/**
 * Where a PostgreSQL database is reached: the parts of a connection (host may be a folder, then the Unix socket in
 * it is used), or an address such as `postgres://user:password@host/database`.
 */
export type DatabaseConnection = ConnectionParts | { readonly connectionString: string };

export interface ConnectionParts {
  readonly host: string;
  readonly port?: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

/** The same server and login, another database. */
export function withDatabase(connection: DatabaseConnection, database: string): DatabaseConnection {
  if (!("connectionString" in connection)) return { ...connection, database };
  const address = new URL(connection.connectionString);
  address.pathname = `/${encodeURIComponent(database)}`;
  return { connectionString: address.href };
}

/** The one role that owns the embedded database. */
export const databaseUser = "stocktake";

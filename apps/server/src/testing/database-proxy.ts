import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionParts, DatabaseConnection } from "../database/connection.ts";

/** What lies between a server and its database in a test, and can be made to fail. */
export interface DatabaseProxy {
  readonly connection: DatabaseConnection;
  /** Breaks every connection and takes no new one, as a PostgreSQL that restarts; the returned function ends it. */
  away(): () => void;
  /** Holds back for so long what the database answers; resolves when it is let through. */
  stall(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly database: Socket;
}

const portFor = 5432;

function databaseAddress(connection: DatabaseConnection): { path: string } | { host: string; port: number } {
  if (!("connectionString" in connection)) return socketOf(connection);
  const { hostname, port, searchParams } = new URL(connection.connectionString);
  const folder = searchParams.get("host");
  if (folder !== null) return { path: join(folder, `.s.PGSQL.${port || portFor}`) };
  return { host: hostname, port: Number(port || portFor) };
}

function socketOf({ host, port = portFor }: ConnectionParts) {
  return host.startsWith("/") ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port };
}

function through(connection: DatabaseConnection, folder: string): DatabaseConnection {
  if (!("connectionString" in connection)) return { ...connection, host: folder, port: portFor };
  const address = new URL(connection.connectionString);
  address.hostname = "";
  address.port = "";
  address.searchParams.set("host", folder);
  return { connectionString: address.href };
}

/** Starts a proxy to a database on a socket of its own. */
export async function startDatabaseProxy(connection: DatabaseConnection): Promise<DatabaseProxy> {
  const folder = await mkdtemp(join(tmpdir(), "stocktake-proxy-"));
  const links = new Set<Link>();
  let isAway = false;
  let isStalled = false;
  const breakAll = () => {
    for (const { client, database } of links) {
      client.destroy();
      database.destroy();
    }
  };
  const server = createServer((client) => {
    if (isAway) {
      client.destroy();
      return;
    }
    const database = connect(databaseAddress(connection));
    const link = { client, database };
    links.add(link);
    client.pipe(database);
    if (!isStalled) database.pipe(client);
    for (const socket of [client, database]) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        links.delete(link);
        client.destroy();
        database.destroy();
      });
    }
  });
  server.listen(join(folder, `.s.PGSQL.${portFor}`));
  await once(server, "listening");
  return {
    connection: through(connection, folder),
    away() {
      isAway = true;
      breakAll();
      return () => {
        isAway = false;
      };
    },
    async stall(milliseconds) {
      isStalled = true;
      for (const { database, client } of links) database.unpipe(client).pause();
      await delay(milliseconds);
      isStalled = false;
      for (const { database, client } of links) database.pipe(client);
    },
    async close() {
      breakAll();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** The one address of a database that may move to another server. */
export interface DatabaseGate {
  /** As DATABASE_URL names it. */
  readonly url: string;
  /** From now on connections go to this socket; those that are open break. */
  moveTo(socketPath: string): void;
  close(): Promise<void>;
}

/** Passes connections on to the Unix socket that a PostgreSQL listens on. */
export async function openDatabaseGate(first: string): Promise<DatabaseGate> {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(target);
    for (const socket of [client, database]) {
      open.add(socket);
      // The other end hears of it by the close.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.pipe(database).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The gate has no port.");
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `postgres://stocktake@127.0.0.1:${address.port}/stocktake`,
    moveTo(socketPath) {
      target = socketPath;
      breakAll();
    },
    close: async () => {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

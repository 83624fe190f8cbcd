import { once } from "node:events";
import { connect, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireOwnSession } from "./pooler.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** The socket or port that PostgreSQL listens on. */
function target() {
  const { connection } = db;
  if (!("connectionString" in connection))
    return { path: `${connection.host}/.s.PGSQL.${connection.port ?? 5432}` };
  const { hostname, port } = new URL(connection.connectionString);
  return { host: hostname, port: Number(port || 5432) };
}

/** As a pooler that is told to leave out settings which it does not support: the one asked for has another name on the way. */
async function startForgetful() {
  const server = createServer((client) => {
    const database = connect(target());
    client.once("data", (startup) => {
      // Of the same length; a name with a dot is any extension's: PostgreSQL takes it and does nothing with it.
      const text = startup.toString("latin1").replace("statement_timeout", "pooler.forgotten1");
      database.write(Buffer.from(text, "latin1"));
      client.pipe(database);
    });
    database.pipe(client);
    for (const socket of [client, database]) socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { server, port: address !== null && typeof address === "object" ? address.port : 0 };
}

test("a connection to PostgreSQL itself is a session of its own", async () => {
  await requireOwnSession(db.connection, "DATABASE_URL");
});

test("one that a pooler hands out is not, and the way out is named", async () => {
  const { server, port } = await startForgetful();
  const { user, database } =
    "connectionString" in db.connection
      ? {
          user: new URL(db.connection.connectionString).username,
          database: new URL(db.connection.connectionString).pathname.slice(1),
        }
      : db.connection;
  const pooled = { host: "127.0.0.1", port, user, database };
  await expect(requireOwnSession(pooled, "DATABASE_URL")).rejects.toMatchObject({
    reason: "POOLED",
    message: expect.stringMatching(/^DATABASE_URL leads to a connection pooler.*Set DATABASE_DIRECT_URL/),
  });
  await new Promise((resolve) => server.close(resolve));
});

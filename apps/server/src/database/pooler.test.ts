import { once } from "node:events";
import { connect, createServer } from "node:net";
import { freePort } from "@stocktake/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConnectionParts } from "./connection.ts";
import { requireOwnSession, requireReachable } from "./pooler.ts";
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

function parts(): ConnectionParts {
  const { connection } = db;
  if (!("connectionString" in connection)) return connection;
  const { hostname, port, username, password, pathname } = new URL(connection.connectionString);
  return {
    ...{ host: hostname, port: Number(port || 5432), user: username, password: decodeURIComponent(password) },
    database: pathname.slice(1),
  };
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
  const { user, database } = parts();
  const pooled = { host: "127.0.0.1", port, user, database };
  await expect(requireOwnSession(pooled, "DATABASE_URL")).rejects.toMatchObject({
    reason: "POOLED",
    message: expect.stringMatching(/^DATABASE_URL leads to a connection pooler.*Set DATABASE_DIRECT_URL/),
  });
  await new Promise((resolve) => server.close(resolve));
});

describe("an address that leads to no database", () => {
  /** What is said of the database's address with these changes. */
  async function saidOf(changes: Partial<ConnectionParts>, connectTimeoutMs?: number): Promise<string> {
    const checks = [requireOwnSession, requireReachable];
    const said = await Promise.all(
      checks.map((check) =>
        check({ ...parts(), ...changes }, "DATABASE_URL", connectTimeoutMs).then(
          () => "reached",
          ({ name, reason, message }) => `${name} ${reason}: ${message}`,
        ),
      ),
    );
    expect(new Set(said).size).toBe(1);
    return said[0] ?? "";
  }

  const stranger = { user: "nobody_at_all", password: "of-a-secret" };

  test("is no fault where it is right", async () => {
    expect(await saidOf({})).toBe("reached");
  });

  test("where nothing listens is named with its host, and never with its password", async () => {
    const port = await freePort();
    const said = await saidOf({ ...stranger, host: "127.0.0.1", port });
    expect(said).toMatch(
      /^DatabaseStartError UNREACHABLE: DATABASE_URL leads to no database that .*did not start/,
    );
    expect(said).toContain(`nothing listens at 127.0.0.1:${port} (ECONNREFUSED)`);
    expect(said).not.toContain("of-a-secret");
  });

  test("whose host has no such name is named", async () => {
    const said = await saidOf({ host: "database.invalid" });
    expect(said).toMatch(/the host database\.invalid can't be found \(E\w+\)/);
  });

  test("where something takes connections and says nothing is named in a while", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const said = await saidOf({ host: "127.0.0.1", port }, 50);
    expect(said).toContain(`127.0.0.1:${port} does not respond`);
    silent.close();
  });

  test("of a database that is not there is named with it", async () => {
    const said = await saidOf({ database: "shop_of_nobody" });
    expect(said).toContain('has no database "shop_of_nobody" (3D000)');
  });

  test("that names a file which is not there is named too", async () => {
    const connectionString = "postgres://ada:of-a-secret@127.0.0.1/shop?sslrootcert=/nowhere/root.crt";
    await expect(requireReachable({ connectionString }, "DATABASE_URL")).rejects.toMatchObject({
      reason: "UNREACHABLE",
      message: expect.stringMatching(/^(?!.*of-a-secret).*\/nowhere\/root\.crt/),
    });
  });

  test("with a user or a password that is refused is named with the user", async () => {
    const said = await saidOf(stranger);
    expect(said).toMatch(/does not let the user "nobody_at_all" in: .* \(28\w+\)/);
    expect(said).not.toContain("of-a-secret");
  });
});

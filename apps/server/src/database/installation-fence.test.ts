import { afterAll, beforeAll, expect, test } from "vitest";
import { withDatabase } from "./connection.ts";
import { createInstallationFence, type InstallationFence } from "./installation-fence.ts";
import { createListener } from "./listen.ts";
import { migrate } from "./migrate.ts";
import { createDatabase } from "./pool.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "./testing.ts";

let elsewhere: TestDatabase;
beforeAll(async () => {
  elsewhere = await createTestDatabase();
});
afterAll(() => elsewhere.drop());

type Target = Awaited<ReturnType<typeof createEmptyDatabase>>;

/** A database of that name is made anew, as an operator does before a restore. Returns the name. */
async function makeAnew({ drop, connection }: Target): Promise<string> {
  await drop();
  const name =
    "database" in connection ? connection.database : new URL(connection.connectionString).pathname.slice(1);
  await elsewhere.pool.query(`CREATE DATABASE ${name}`);
  await migrate(withDatabase(connection, name));
  return name;
}

/** The direct connection of a node whose pool is a pooler's, which tells nothing. */
function listenBeside({ connection }: Target, fence: InstallationFence, heartbeatMs?: number) {
  const options = { channels: ["scans"], onNotification: () => undefined, onReconnect: () => undefined };
  return createListener(connection, {
    ...options,
    fence,
    ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
  });
}

test("a node that a restore has passed by reads nothing of the new database, and says that it has to start anew", async () => {
  const target = await createEmptyDatabase();
  await migrate(target.connection);
  const fence = createInstallationFence();
  const node = createDatabase(target.connection, { max: 2, fence });
  const epochs = () => node.database.selectFrom("installation").select("epoch").execute();
  const [first] = await epochs();

  const name = await makeAnew(target);
  try {
    await expect(epochs()).rejects.toThrow("The database was replaced while this server ran");
    await expect(epochs()).rejects.toThrow("The database was replaced while this server ran");
    expect((await fence.replaced).reason).toBe("REPLACED");
    const anew = createDatabase(target.connection, { max: 1, fence: createInstallationFence() });
    const [second] = await anew.database.selectFrom("installation").select("epoch").execute();
    expect(second?.epoch).not.toBe(first?.epoch);
    await anew.close();
  } finally {
    await node.close();
    await elsewhere.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
});

test("a connection that was lost and made again over the same installation is as good as before", async () => {
  const node = createDatabase(elsewhere.connection, { max: 1, fence: createInstallationFence() });
  const ask = () => node.database.selectFrom("installation").select("epoch").executeTakeFirstOrThrow();
  const before = await ask();
  const { rows } = await node.pool.query("select pg_backend_pid() as pid");
  await elsewhere.pool.query("select pg_terminate_backend($1)", [rows[0].pid]);
  await expect.poll(() => ask().catch(() => null)).toEqual(before);
  await node.close();
});

test("a node behind a pooler, whose pool breaks over nothing, finds out by the connection that listens", async () => {
  const target = await createEmptyDatabase();
  await migrate(target.connection);
  const fence = createInstallationFence();
  const listener = await listenBeside(target, fence);
  const name = await makeAnew(target);
  try {
    expect((await fence.replaced).reason).toBe("REPLACED");
  } finally {
    await listener.close();
    await elsewhere.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
});

test("a database that is emptied where it stands, which breaks no connection, is found out by a heartbeat", async () => {
  const target = await createEmptyDatabase();
  await migrate(target.connection);
  const fence = createInstallationFence();
  const listener = await listenBeside(target, fence, 50);
  try {
    await target.empty();
    expect((await fence.replaced).reason).toBe("REPLACED");
  } finally {
    await listener.close();
    await target.drop();
  }
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { withDatabase } from "./connection.ts";
import { createInstallationFence } from "./installation-fence.ts";
import { migrate } from "./migrate.ts";
import { createDatabase } from "./pool.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "./testing.ts";

let elsewhere: TestDatabase;
beforeAll(async () => {
  elsewhere = await createTestDatabase();
});
afterAll(() => elsewhere.drop());

test("a node that a restore has passed by reads nothing of the new database, and says that it has to start anew", async () => {
  const target = await createEmptyDatabase();
  await migrate(target.connection);
  const fence = createInstallationFence();
  const node = createDatabase(target.connection, { max: 2, fence });
  const epochs = () => node.database.selectFrom("installation").select("epoch").execute();
  const [first] = await epochs();

  // A database of that name is made anew, as an operator does before a restore.
  const { drop, connection } = target;
  await drop();
  const name =
    "database" in connection ? connection.database : new URL(connection.connectionString).pathname.slice(1);
  await elsewhere.pool.query(`CREATE DATABASE ${name}`);
  try {
    await migrate(withDatabase(connection, name));
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

import type { Emulator } from "@stocktake/shopify-emulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, readMigrations } from "./database/migrate.ts";
import { createEmptyDatabase, createTestDatabase } from "./database/testing.ts";
import { onNewDatabase, type StartedNodes, startNode, startShop } from "./testing/starting-nodes.ts";

/* One round of what `npm run proof` does ten times. */

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startShop();
});
afterAll(() => emulator.close());

/** They all run, on one installation. */
async function expectAll({ running, failures }: StartedNodes): Promise<void> {
  expect(failures).toEqual([]);
  const answers = await Promise.all(running.map(({ url }) => fetch(`${url}/api/ready`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(new Set(answers.map(({ headers }) => headers.get("x-stocktake-epoch"))).size).toBe(1);
}

test("five nodes start at the same moment on one new database", async () => {
  await onNewDatabase(emulator, 5, async (nodes) => {
    await expectAll(nodes);
    expect(nodes.running.filter(({ generatedPassword }) => generatedPassword !== null)).toHaveLength(1);
  });
});

test("five nodes start at the same moment on a database whose newest tables are still to be made", async () => {
  const before = (await readMigrations()).slice(0, 30);
  await onNewDatabase(emulator, 5, expectAll, (connection) => migrate(connection, { migrations: before }));
});

test("a node of which one address leads to another installation than the other does not start", async () => {
  const [one, other] = [await createTestDatabase(), await createEmptyDatabase()];
  await expect(startNode(emulator, one.connection, other.connection)).rejects.toThrow(
    "DATABASE_URL and DATABASE_DIRECT_URL lead to different databases",
  );
  await Promise.all([one.drop(), other.drop()]);
});

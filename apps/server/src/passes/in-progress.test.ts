import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { countWaiting } from "../testing/waiting-transactions.ts";
import { markInProgress } from "./passes.ts";
import { makePasses, makeUser } from "./testing.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("of two first scans that come at once into an area one marks it, and the other changes nothing", async () => {
  const { database } = db;
  const { passes } = await makePasses({ database, userId: await makeUser(database, "admin") });
  const areaIds = passes.slice(0, 1).map(({ areaId }) => areaId);
  const { first, second } = await database.transaction().execute(async (transaction) => {
    const first = await markInProgress(transaction, areaIds);
    const second = database.transaction().execute((other) => markInProgress(other, areaIds));
    await expect.poll(() => countWaiting(database)).toBe(1);
    return { first, second };
  });
  expect(first).toEqual(areaIds);
  expect(await second).toEqual([]);
});

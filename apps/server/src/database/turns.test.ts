import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing.ts";
import { tryForTurn, waitForTurn, waitForTurns } from "./turns.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const takes = (work: string) =>
  db.database.transaction().execute((transaction) => tryForTurn(transaction, work));

test("the turns at several works are those at each, taken in their order", async () => {
  const works = ["c", "a", "b"];
  await db.database
    .transaction()
    .execute(async (holding) => {
      await waitForTurn(holding, "a");
      const waiting = db.database.transaction().execute(async (transaction) => {
        await waitForTurns(transaction, works);
        return Promise.all(works.map(takes));
      });
      await expect.poll(() => takes("c")).toBe(false);
      // It waits for the second, so that it has not come to the third.
      expect(await takes("b")).toBe(true);
      return { waiting };
    })
    .then(async ({ waiting }) => expect(await waiting).toEqual([false, false, false]));
  expect(await Promise.all(works.map(takes))).toEqual([true, true, true]);
});

test("nothing is waited for where there is nothing to do", async () => {
  await db.database.transaction().execute((transaction) => waitForTurns(transaction, []));
});

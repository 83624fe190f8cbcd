import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readByCursor } from "./cursor.ts";
import type { Transaction } from "./pool.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const inTransaction = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
  db.database.transaction().execute(work);
const numbersTo = (last: number) =>
  sql<{ someNumber: number }>`select n as some_number from generate_series(1, ${last}::integer) n`;

async function lengthsOf(last: number, atOnce: number): Promise<number[]> {
  return inTransaction(async (transaction) => {
    const lengths: number[] = [];
    for await (const rows of readByCursor(transaction, numbersTo(last), atOnce)) lengths.push(rows.length);
    return lengths;
  });
}

test.each([
  [0, []],
  [2, [2]],
  [3, [3]],
  [7, [3, 3, 1]],
])("of %i rows by three", async (last, lengths) => {
  expect(await lengthsOf(last, 3)).toEqual(lengths);
});

test("has the rows of an ordinary statement, one statement after the other", async () => {
  await inTransaction(async (transaction) => {
    for (let time = 0; time < 2; time += 1) {
      const all: unknown[] = [];
      for await (const rows of readByCursor(transaction, numbersTo(4), 3)) all.push(...rows);
      expect(all).toEqual([1, 2, 3, 4].map((someNumber) => ({ someNumber })));
    }
  });
});

test("lets go of the rest for a reader that leaves early", async () => {
  await inTransaction(async (transaction) => {
    for await (const [row] of readByCursor(transaction, numbersTo(9), 2)) {
      if (row !== undefined) break;
    }
    const { rows } = await sql`select name from pg_cursors where name <> ''`.execute(transaction);
    expect(rows).toEqual([]);
  });
});

test("throws what the statement throws", async () => {
  const divided = sql`select 1 / (n - 3) as part from generate_series(1, 9) n`;
  const reading = inTransaction(async (transaction) => {
    for await (const rows of readByCursor(transaction, divided, 2)) expect(rows).toHaveLength(2);
  });
  await expect(reading).rejects.toThrow("division by zero");
});

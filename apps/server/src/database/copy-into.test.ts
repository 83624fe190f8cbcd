import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CopiedRow, copyInto, copyText } from "./copy-into.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Copies the rows into a table and reads them back, in the order in which they were stored. */
function throughTable(rows: readonly CopiedRow[]): Promise<unknown[][]> {
  return db.database.transaction().execute(async (transaction) => {
    await sql`create temporary table copied (place serial, name text, units integer, tracked boolean) on commit drop`.execute(
      transaction,
    );
    await copyInto(transaction, "copied (name, units, tracked)", rows.map(copyText));
    const stored = await sql<{ name: string; units: number; tracked: boolean }>`
      select name, units, tracked from copied order by place`.execute(transaction);
    return stored.rows.map(({ name, units, tracked }) => [name, units, tracked]);
  });
}

// PostgreSQL's text holds every character but NUL, and no half of a surrogate pair.
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }).map((drawn) => drawn.replaceAll("\0", "")),
  fc.constantFrom("\\N", "\\.", "\t", "\r\n", "\\", "a\\tb", "\u000b\f\b", "\\x41", "", "חולצה 👕"),
);
const row = fc.tuple(
  fc.option(text),
  fc.option(fc.integer({ min: -2_000_000_000, max: 2_000_000_000 })),
  fc.boolean(),
);

test("what was copied reads back as it was, whatever its text holds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      expect(await throughTable(rows)).toEqual(rows);
    }),
    { numRuns: 50 },
  );
});

test("a row whose first texts are empty keeps its columns", async () => {
  expect(await throughTable([["", 1, true]])).toEqual([["", 1, true]]);
});

test("more rows than go in one write keep their order", async () => {
  const rows = Array.from({ length: 2_500 }, (_nothing, index) => [`row ${index}`, index, true] as const);
  expect(await throughTable(rows)).toEqual(rows);
});

test("rows that the table refuses, or that break off, fail the transaction, and the connection goes on", async () => {
  await expect(throughTable([["name", 1.5, true]])).rejects.toThrow("invalid input syntax");
  function* broken(): Generator<string> {
    yield copyText(["name", 1, true]);
    throw new Error("The reading broke off.");
  }
  const copying = db.database
    .transaction()
    .execute((transaction) =>
      copyInto(transaction, "catalogue_items (sku, product_title, tracked)", broken()),
    );
  await expect(copying).rejects.toThrow("broke off");
  expect(await throughTable([["after", 1, false]])).toEqual([["after", 1, false]]);
});

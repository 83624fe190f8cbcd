import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { recordAudit } from "./record-audit.ts";
import { countEntry } from "./testing.ts";
import { verifyChain } from "./verify.ts";

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

function append(sessionId: string, count: number): Promise<void> {
  return store.database
    .transaction()
    .execute((transaction) => recordAudit(transaction, countEntry(sessionId, count)));
}

function verify(chain: string) {
  return store.database.transaction().execute((transaction) => verifyChain(transaction, chain));
}

async function entriesOf(chain: string) {
  return store.database
    .selectFrom("auditEntries")
    .selectAll()
    .where("chain", "=", chain)
    .orderBy("position")
    .execute();
}

test("entries that are appended to one chain at the same time are one chain, without a gap and in order of time", async () => {
  const chain = randomUUID();
  await Promise.all(Array.from({ length: 40 }, (_nothing, count) => append(chain, count)));
  expect(await verify(chain)).toMatchObject({ intact: true, length: 40 });
  const times = (await entriesOf(chain)).map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

test("entries of several chains at the same time do not wait for each other in a circle", async () => {
  const chains = Array.from({ length: 5 }, () => randomUUID());
  await Promise.all(Array.from({ length: 50 }, (_nothing, count) => append(chains[count % 5] ?? "", count)));
  for (const chain of chains) expect(await verify(chain)).toMatchObject({ intact: true, length: 10 });
});

test("an entry of a transaction that is rolled back never was, and the next one takes its place", async () => {
  const chain = randomUUID();
  await append(chain, 1);
  const failing = store.database.transaction().execute(async (transaction) => {
    await recordAudit(transaction, countEntry(chain, 2));
    throw new Error("The change came to nothing.");
  });
  await expect(failing).rejects.toThrow("came to nothing");
  await append(chain, 3);
  expect((await entriesOf(chain)).map(({ position, after }) => [position, after?.count])).toEqual([
    [1, 1],
    [2, 3],
  ]);
  expect(await verify(chain)).toMatchObject({ intact: true, length: 2 });
});

test("what changed nothing is no entry", async () => {
  const chain = randomUUID();
  const entry = { ...countEntry(chain, 1), before: { basis: "end" }, after: { basis: "end" } };
  await store.database.transaction().execute((transaction) => recordAudit(transaction, entry));
  expect(await entriesOf(chain)).toEqual([]);
});

test("facts of every kind come back as they were hashed", async () => {
  const chain = randomUUID();
  const after = {
    z: 1,
    a: [],
    text: 'é "\\ \u2028 🧦',
    none: null,
    nested: { b: true, a: -5 },
    big: 2 ** 53 - 1,
  };
  const entry = { ...countEntry(chain, 1), before: null, after };
  await store.database.transaction().execute((transaction) => recordAudit(transaction, entry));
  expect(await verify(chain)).toMatchObject({ intact: true, length: 1 });
  expect((await entriesOf(chain))[0]?.after).toEqual(after);
});

test.each([
  ["changed", "update audit_entries set actor_name = 'nobody'"],
  ["deleted", "delete from audit_entries"],
  ["truncated", "truncate audit_entries"],
])("the database refuses entries that are %s", async (_how, statement) => {
  await append(randomUUID(), 1);
  await expect(store.pool.query(statement)).rejects.toThrow("only ever added to");
});

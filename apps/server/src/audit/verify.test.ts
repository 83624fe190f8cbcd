import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { generalChain } from "./chain.ts";
import { appendCounts } from "./testing.ts";
import { type ChainVerdict, verifyChains } from "./verify.ts";

/** What only somebody with the database's own rights can do. */
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
  await store.pool.query("alter table audit_entries disable trigger user");
});
afterAll(() => store.drop());

beforeEach(() => appendCounts(store.database, null, 6));
afterEach(async () => {
  await store.pool.query("delete from audit_entries; update audit_chains set length = 0, last_hash = null");
});

function verify(): Promise<ChainVerdict[]> {
  return store.database.transaction().execute(async (transaction) => {
    const verdicts: ChainVerdict[] = [];
    for await (const verdict of verifyChains(transaction)) verdicts.push(verdict);
    return verdicts;
  });
}

async function brokenAt(): Promise<[number, string]> {
  const [verdict, ...others] = await verify();
  expect(others).toEqual([]);
  if (verdict === undefined || verdict.intact) throw new Error("The chain was found whole.");
  return [verdict.position, verdict.why];
}

test("a chain that nobody touched is whole, and its last hash is said", async () => {
  const { rows } = await store.pool.query("select hash from audit_entries where position = 6");
  expect(await verify()).toEqual([{ chain: generalChain, intact: true, length: 6, lastHash: rows[0]?.hash }]);
});

describe("an entry is named whose content was changed:", () => {
  test.each([
    "at = at + interval '1 millisecond'",
    "actor_kind = 'counter'",
    "actor_id = gen_random_uuid()",
    "actor_name = 'nobody'",
    "action = 'basis.chosen'",
    "subject_kind = 'scan'",
    "subject_id = 'TEE-M'",
    "subject_name = 'Hat'",
    `before = '{"count": 7}'`,
    "before = null",
    `after = after || '{"count": 7}'`,
    `after = after || '{"more": 1}'`,
    "hash = repeat('0', 64)",
  ])("%s", async (change) => {
    await store.pool.query(`update audit_entries set ${change} where position = 3`);
    expect(await brokenAt()).toEqual([3, "its content is not what its hash was made of"]);
  });
});

test("an entry is named whose previous hash was changed", async () => {
  await store.pool.query("update audit_entries set previous_hash = repeat('0', 64) where position = 3");
  expect(await brokenAt()).toEqual([3, "it does not carry the hash of the entry before it"]);
});

test("an entry that was changed together with its own hash shows in the one after it", async () => {
  await store.pool.query("update audit_entries set hash = repeat('0', 64) where position = 6");
  await store.pool.query("update audit_chains set last_hash = repeat('0', 64)");
  expect((await brokenAt())[0]).toBe(6);
});

test.each([
  ["first", 1],
  ["third", 3],
])("the %s entry is named when it was deleted", async (_which, position) => {
  await store.pool.query("delete from audit_entries where position = $1", [position]);
  expect(await brokenAt()).toEqual([position, "it is missing"]);
});

test("a gap that was closed by renumbering is found", async () => {
  await store.pool.query("delete from audit_entries where position = 3");
  for (const position of [4, 5, 6]) {
    await store.pool.query("update audit_entries set position = $1 - 1 where position = $1", [position]);
  }
  await store.pool.query("update audit_chains set length = 5");
  expect(await brokenAt()).toEqual([3, "it does not carry the hash of the entry before it"]);
});

test("the first entry of an end that was cut off is named", async () => {
  await store.pool.query("delete from audit_entries where position > 4");
  expect(await brokenAt()).toEqual([5, "it is missing: the chain had 6 entries"]);
});

test("an end that was cut off with the length put right shows in the last hash", async () => {
  await store.pool.query("delete from audit_entries where position > 4");
  await store.pool.query("update audit_chains set length = 4");
  expect(await brokenAt()).toEqual([4, "the chain ended with another hash"]);
});

test("an entry that was added by hand is named", async () => {
  await store.pool.query("update audit_chains set length = 5");
  expect(await brokenAt()).toEqual([6, "it was added by hand: the chain had 5 entries"]);
});

test("two entries that changed places are found at the first of them", async () => {
  await store.pool.query(
    "update audit_entries set position = 99 where position = 2;" +
      "update audit_entries set position = 2 where position = 4;" +
      "update audit_entries set position = 4 where position = 99",
  );
  expect(await brokenAt()).toEqual([2, "it does not carry the hash of the entry before it"]);
});

test("a chain whose length nobody knows is broken", async () => {
  await store.pool.query("delete from audit_chains");
  expect(await brokenAt()).toEqual([6, "nothing says how long the chain is"]);
  await store.pool.query("insert into audit_chains (chain) values ('general')");
});

test("chains longer than a page are read to their end", async () => {
  await store.pool.query("delete from audit_entries; update audit_chains set length = 0, last_hash = null");
  await appendCounts(store.database, null, 1005);
  expect(await verify()).toMatchObject([{ intact: true, length: 1005 }]);
  await store.pool.query("update audit_entries set actor_name = '' where position = 1003");
  expect((await brokenAt())[0]).toBe(1003);
});

import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, type Transaction } from "../../database/pool.ts";
import { openReplica } from "../../database/replica.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { systemClock } from "../../kernel/clock.ts";
import { createExports } from "../../kernel/files/exports.ts";
import { Tallies } from "../../kernel/tallies.ts";
import { startDatabaseProxy } from "../../testing/database-proxy.ts";
import { createReportReader, timeToReplica } from "./report-reader.ts";

/** Two databases: what one stores comes to the other when a test says so, the mark last, as from a log. */
let primary: TestDatabase;
let follower: TestDatabase;
beforeAll(async () => {
  [primary, follower] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(() => Promise.all([primary.drop(), follower.drop()]));
beforeEach(async () => {
  for (const { pool } of [primary, follower])
    await pool.query("delete from stores; delete from replica_marks");
});

function startReader(replica = follower.database) {
  const [tallies, warnings, time] = [new Tallies(), [] as string[], { now: 0, isOver: false }];
  const pass = (ms: number) => {
    time.now += ms;
  };
  const reader = createReportReader({
    ...{ database: primary.database, replica, tallies },
    // However busy the machine is, a replica has as many looks as a second has sleeps.
    clock: {
      steady: () => time.now,
      sleep: async (ms, signal) => {
        // What takes so long is waited for until it is over, unless a test has it never respond.
        if (ms > 1_000 && !time.isOver) await neverUnless(signal);
        else await systemClock.sleep(ms, signal);
        pass(ms);
      },
    },
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (line) => warnings.push(line),
      error: () => undefined,
    },
  });
  const read = () => ({ replica: tallies.reports.of("replica"), database: tallies.reports.of("database") });
  return { reader, read, warnings, pass, letTimeOut: () => (time.isOver = true) };
}

/** Rejects as a sleep does that is ended. */
function neverUnless(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}

async function openStore(name: string): Promise<void> {
  const store = { name, shopifyLocationId: `gid://shopify/Location/${name}` };
  await primary.database.insertInto("stores").values(store).execute();
}

/** All that was stored comes to the follower. */
async function replay(): Promise<void> {
  const stores = await primary.database.selectFrom("stores").selectAll().execute();
  const marks = await primary.database.selectFrom("replicaMarks").selectAll().execute();
  await follower.database.transaction().execute(async (transaction) => {
    await sql`delete from stores`.execute(transaction);
    await sql`delete from replica_marks`.execute(transaction);
    if (stores.length > 0) await transaction.insertInto("stores").values(stores).execute();
    if (marks.length > 0) await transaction.insertInto("replicaMarks").values(marks).execute();
  });
}

/** Replays again and again until `work` has ended. */
async function whileFollowing<Result>(work: () => Promise<Result>): Promise<Result> {
  const ended = work().finally(() => {
    follows = false;
  });
  let follows = true;
  while (follows) {
    await replay();
    await systemClock.sleep(5);
  }
  return ended;
}

const namesOfStores = async (transaction: Transaction) =>
  (await transaction.selectFrom("stores").select("name").orderBy("name").execute()).map(({ name }) => name);

describe("a report", () => {
  test("is read of a replica that follows, as late as it was asked for", async () => {
    const { reader, read } = startReader();
    await whileFollowing(async () => {
      for (const [index, name] of ["A", "B", "C"].entries()) {
        await openStore(name);
        expect(await reader(namesOfStores)).toEqual(["A", "B", "C"].slice(0, index + 1));
      }
    });
    expect(read()).toEqual({ replica: 3, database: 0 });
  });

  test("is read of the database where the replica has stood still, which is then left alone for half a minute", async () => {
    const { reader, read, warnings, pass } = startReader();
    await replay();
    await openStore("A");
    expect(await reader(namesOfStores)).toEqual(["A"]);
    await openStore("B");
    expect(await reader(namesOfStores)).toEqual(["A", "B"]);
    expect(read()).toEqual({ replica: 0, database: 2 });
    expect(warnings).toEqual([expect.stringMatching(/more than 1000 ms behind.*are right/)]);
    pass(30_000);
    expect(await whileFollowing(() => reader(namesOfStores))).toEqual(["A", "B"]);
    expect(read()).toEqual({ replica: 1, database: 2 });
  });

  test("is read of the database where the replica can't be reached, or is another installation's", async () => {
    const nowhere = openReplica("postgres://nobody@127.0.0.1:1/nothing", { max: 1 });
    await openStore("A");
    const { reader, warnings } = startReader(nowhere.database);
    expect(await reader(namesOfStores)).toEqual(["A"]);
    expect(warnings).toEqual([expect.stringMatching(/ECONNREFUSED/)]);
    await nowhere.close();

    await follower.pool.query("alter table replica_marks rename to others");
    const other = startReader();
    expect(await other.reader(namesOfStores)).toEqual(["A"]);
    expect(other.warnings).toEqual([expect.stringMatching(/replica_marks/)]);
    await follower.pool.query("alter table others rename to replica_marks");
  });

  test("that can't be read for a reason of its own is not read twice", async () => {
    const { reader, read, warnings } = startReader(primary.database);
    let times = 0;
    const refuse = () => {
      times += 1;
      throw new ApiError("NOT_FOUND", "There is no such session.");
    };
    await expect(reader(async () => refuse())).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect([times, read(), warnings]).toEqual([1, { replica: 0, database: 0 }, []]);
  });

  test("that stands in the way of what the replica has to apply is read again, of the database", async () => {
    const { reader, read } = startReader(primary.database);
    await openStore("A");
    const moments: boolean[] = [];
    const names = await reader(async (transaction) => {
      moments.push(moments.length === 0);
      if (moments.length === 1) await conflict(transaction);
      return namesOfStores(transaction);
    });
    expect([names, moments, read()]).toEqual([["A"], [true, false], { replica: 0, database: 1 }]);
  });
});

test("a report is read of the database where the replica's connections are there and nothing comes over them", async () => {
  const proxy = await startDatabaseProxy(primary.connection);
  const replica = createDatabase(proxy.connection, { max: 1, pooled: true });
  const { reader, read, warnings, letTimeOut } = startReader(replica.database);
  await openStore("A");
  expect(await reader(namesOfStores)).toEqual(["A"]);
  letTimeOut();
  const stalled = proxy.stall(5_000);
  expect(await reader(namesOfStores)).toEqual(["A"]);
  expect([read(), warnings]).toEqual([
    { replica: 1, database: 1 },
    [expect.stringMatching(/does not respond/)],
  ]);
  await stalled;
  await replica.close();
  await proxy.close();
});

test("a report is read of the database where the replica ends while it is read", async () => {
  const { reader, read } = startReader(primary.database);
  await openStore("A");
  let times = 0;
  const names = await reader(async (transaction) => {
    times += 1;
    if (times === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction);
    return namesOfStores(transaction);
  });
  expect([names, times, read()]).toEqual([["A"], 2, { replica: 0, database: 1 }]);
});

/** What a standby does to a statement that stands in its way. */
async function conflict(transaction: Transaction): Promise<void> {
  await sql`do $$ begin
    raise exception 'canceling statement due to conflict with recovery' using errcode = '40001';
  end $$`.execute(transaction);
}

test("a file whose lines have begun is not opened a second time when the replica breaks it off", async () => {
  const { reader } = startReader(primary.database);
  let opened = 0;
  const lines = await createExports(reader)(async (transaction) => {
    opened += 1;
    return Readable.from(
      (async function* () {
        yield "first\n";
        await conflict(transaction);
      })(),
    );
  });
  await expect(text(lines)).rejects.toMatchObject({ code: "40001" });
  expect(opened).toBe(1);
});

test("marks of before are removed as new ones are written", async () => {
  await primary.pool.query(`
    insert into replica_marks (mark, written_at)
    select gen_random_uuid(), now() - interval '2 minutes' from generate_series(1, 50)`);
  expect(await timeToReplica(primary.database, primary.database, systemClock)).toBeLessThan(1_000);
  const { rows } = await primary.pool.query("select from replica_marks");
  expect(rows).toHaveLength(1);
});

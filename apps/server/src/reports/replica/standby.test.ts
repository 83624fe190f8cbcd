import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../database/migrate.ts";
import { createDatabase, type OpenDatabase, type Transaction } from "../../database/pool.ts";
import { openReplica } from "../../database/replica.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../embedded-postgres/embedded.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { Tallies } from "../../kernel/tallies.ts";
import { type Standby, startStandby } from "../../testing/standby.ts";
import { createReportReader } from "./report-reader.ts";

let dataDir: string;
let postgres: EmbeddedPostgres;
let primary: OpenDatabase;
let standby: Standby;
let replica: OpenDatabase;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "stocktake-primary-"));
  // The user who runs PostgreSQL has to pass it.
  await chmod(dataDir, 0o711);
  postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(postgres.connection);
  primary = createDatabase(postgres.connection, { max: 5 });
  await primary.pool.query("create table figure as select 0 as value");
  standby = await startStandby(dataDir, { synchronous: false });
  replica = openReplica(standby.url, { max: 5 });
});
afterAll(async () => {
  await Promise.all([replica.close(), primary.close()]);
  await standby.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** @param clock how a busy machine's time passes, where nothing is to be late */
function startReader(clock: Pick<Clock, "steady" | "sleep"> = systemClock) {
  const tallies = new Tallies();
  const silent = () => undefined;
  const reader = createReportReader({
    ...{ database: primary.database, replica: replica.database, tallies, clock },
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  return { reader, tallies };
}

async function store(value: number): Promise<void> {
  await primary.pool.query("update figure set value = $1", [value]);
}

async function figure(transaction: Transaction): Promise<number> {
  const { value } = await transaction
    .withTables<{ figure: { value: number } }>()
    .selectFrom("figure")
    .select("value")
    .executeTakeFirstOrThrow();
  return value;
}

test("what was stored before a report is asked for is in it, while the standby stands still and goes on", async () => {
  const { reader, tallies } = startReader({
    steady: () => 0,
    sleep: (ms, signal) => systemClock.sleep(ms * 10, signal),
  });
  let over = false;
  const stumbling = (async () => {
    while (!over) {
      await standby.standStill();
      await systemClock.sleep(60);
      await standby.goOn();
      await systemClock.sleep(20);
    }
  })();
  for (let value = 1; value <= 25; value += 1) {
    await store(value);
    expect(await reader(figure)).toBe(value);
  }
  over = true;
  await stumbling;
  expect(tallies.reports.of("replica")).toBe(25);
});

test("a standby that was promoted goes its own way, and is not read any more", async () => {
  await standby.promote();
  await replica.pool.query("update figure set value = -1");
  const { reader, tallies } = startReader();
  await store(100);
  expect(await reader(figure)).toBe(100);
  expect([tallies.reports.of("replica"), tallies.reports.of("database")]).toEqual([0, 1]);
});

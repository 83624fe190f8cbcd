import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { takeBackTimes } from "./clock-set-back.ts";
import { startSchedule } from "./schedule.ts";
import type { ScheduledTask } from "./task-runs.ts";
import { heldWork, useNodes } from "./testing.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const nodes = useNodes();

function start(tasks: readonly ScheduledTask[]) {
  const { database, pool } = db;
  return startSchedule({ database, pool, tasks, logger: pino({ level: "silent" }) });
}

test("where nothing was ever scheduled there is nothing to take back", async () => {
  await takeBackTimes(db.database);
});

test("what runs by the clock goes on after that was set back", async () => {
  const run = vi.fn<ScheduledTask["run"]>(async () => undefined);
  const tasks = [{ name: "each-minute", cron: "* * * * *", run }];
  await (await start(tasks)).stop();
  // As if the clock had been an hour ahead: a run waits for a time to come, and this minute's was asked for already.
  await db.pool.query(`
    update pgboss.version set cron_on = now() + interval '1 hour', maintained_on = now() + interval '1 hour';
    insert into pgboss.job (name, policy, created_on, start_after)
    values ('each-minute', 'stately', now() + interval '1 hour', now() + interval '1 hour');
    insert into pgboss.job (name, state, created_on, singleton_key, singleton_on)
    select '__pgboss__send-it', 'completed', now() + interval '1 hour', 'each-minute',
      date_trunc('minute', now() at time zone 'utc') + minutes * interval '1 minute' from generate_series(0, 5) minutes`);

  await takeBackTimes(db.database);
  const after = await start(tasks);
  await vi.waitFor(() => expect(run).toHaveBeenCalled());
  await after.stop();
});

test("what a dead node has left is taken over though its lease lasts for an hour by now", async () => {
  const { work, begun, finish } = heldWork();
  const { database, pool } = nodes.db();
  const id = await nodes.insert(nodes.newRunner());
  await pool.query("update operations set lease_until = now() + interval '1 hour' where id = $1", [id]);
  await takeBackTimes(database);
  const { rows } = await pool.query(
    "select lease_until - now() <= interval '1 minute' as soon from operations",
  );
  expect(rows).toEqual([{ soon: true }]);

  await nodes.loseLease(id);
  const another = nodes.newRunner();
  another.register("deploy", work);
  await another.sweep();
  await begun();
  finish();
});

import PgBoss from "pg-boss";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { type ScheduledTask, startSchedule } from "./schedule.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const logger = pino({ level: "silent" });

/** Puts one run of the task into its queue, as the clock does. */
async function ask(name: string): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.pool.query(text, values) },
    schedule: false,
  });
  await boss.start();
  await boss.send(name, {});
  await boss.stop({ graceful: false });
}

test("tasks run when their time comes, over restarts, and one that fails runs again the next time", async () => {
  const run = vi
    .fn<ScheduledTask["run"]>()
    .mockRejectedValueOnce(new Error("no luck"))
    .mockResolvedValue(undefined);
  const tasks = [{ name: "some-task", cron: "7 * * * *", run }];
  const first = await startSchedule({ pool: db.pool, tasks, logger });
  const { rows } = await db.pool.query("select name, cron from pgboss.schedule");
  expect(rows).toEqual([{ name: "some-task", cron: "7 * * * *" }]);
  await first.stop();

  for (const runs of [1, 2]) {
    await ask("some-task");
    const schedule = await startSchedule({ pool: db.pool, tasks, logger });
    await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(runs));
    await schedule.stop();
  }
});

test("what an earlier release did by the clock and this one does not is done no more", async () => {
  const task = (name: string): ScheduledTask => ({ name, cron: "7 * * * *", run: async () => undefined });
  const earlier = await startSchedule({ pool: db.pool, tasks: [task("old"), task("kept")], logger });
  await earlier.stop();
  const later = await startSchedule({ pool: db.pool, tasks: [task("kept")], logger });
  const { rows } = await db.pool.query("select name from pgboss.schedule");
  await later.stop();
  expect(rows).toEqual([{ name: "kept" }]);
});

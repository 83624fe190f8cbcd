import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import PgBoss from "pg-boss";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { addressOf, createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { type ScheduleOptions, startSchedule } from "./schedule.ts";
import type { ScheduledTask } from "./task-runs.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const logger = pino({ level: "silent" });
const hourly = "7 * * * *";

function start(tasks: readonly ScheduledTask[], options: Partial<ScheduleOptions> = {}) {
  const { database, pool } = db;
  return startSchedule({ database, pool, tasks, logger, ...options });
}

/** Does something to the queues, as another node may. */
async function elsewhere<Result>(work: (boss: PgBoss) => Promise<Result>): Promise<Result> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.pool.query(text, values) },
    schedule: false,
    supervise: false,
  });
  await boss.start();
  const result = await work(boss);
  await boss.stop({ graceful: false });
  return result;
}

/** Makes the task's queue, as a node does that starts; one that is stopped at once may still take what is asked for next. */
const makeQueue = (name: string) => elsewhere((boss) => boss.createQueue(name, { name, policy: "stately" }));

/** Puts one run of the task into its queue, as the clock does. */
const ask = (name: string) => elsewhere((boss) => boss.send(name, {}, { retryLimit: 0, expireInSeconds: 1 }));

/** How many runs of the task have been asked for and were not taken yet. */
const asked = (name: string) => elsewhere((boss) => boss.getQueueSize(name));

/** A run that ends when the test lets it. */
function heldRun() {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { run: vi.fn<ScheduledTask["run"]>(() => finished), finish };
}

test("tasks run when their time comes, over restarts, and one that fails runs again the next time", async () => {
  const run = vi
    .fn<ScheduledTask["run"]>()
    .mockRejectedValueOnce(new Error("no luck"))
    .mockResolvedValue(undefined);
  const tasks = [{ name: "some-task", cron: hourly, run }];
  const first = await start(tasks);
  const { rows } = await db.pool.query("select name, cron from pgboss.schedule");
  expect(rows).toEqual([{ name: "some-task", cron: hourly }]);
  await first.stop();

  for (const runs of [1, 2]) {
    await ask("some-task");
    const schedule = await start(tasks);
    await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(runs));
    await schedule.stop();
  }
});

test("what an earlier release did by the clock and this one does not is done no more", async () => {
  const task = (name: string): ScheduledTask => ({ name, cron: hourly, run: async () => undefined });
  const earlier = await start([task("old"), task("kept")]);
  await earlier.stop();
  const later = await start([task("kept")]);
  const { rows } = await db.pool.query("select name from pgboss.schedule");
  await later.stop();
  expect(rows).toEqual([{ name: "kept" }]);
});

test("a node that is killed in the middle of a run leaves the next one to another node", async () => {
  const run = vi.fn<ScheduledTask["run"]>(async () => undefined);
  const schedule = await start([{ name: "cut-off", cron: hourly, run: async () => undefined }]);
  await schedule.stop();
  await ask("cut-off");
  const program = fileURLToPath(new URL("./testing-schedule.ts", import.meta.url));
  const node = spawn(process.execPath, ["--import", "tsx", program, addressOf(db.connection), "cut-off"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(node.stdout, "data");
  node.kill("SIGKILL");
  await once(node, "exit");

  await ask("cut-off");
  const next = await start([{ name: "cut-off", cron: hourly, run }]);
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1));
  await next.stop();
});

test("what a node took just before it was killed keeps nobody from the next run", async () => {
  const run = vi.fn<ScheduledTask["run"]>(async () => undefined);
  const tasks = [{ name: "taken", cron: hourly, run }];
  await makeQueue(tasks[0]?.name ?? "");
  await ask("taken");
  expect(await elsewhere((boss) => boss.fetch("taken"))).toHaveLength(1);
  await ask("taken");

  const next = await start(tasks, { maintainedEachSeconds: 1 });
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1));
  await next.stop();
});

test("while a run goes on no other begins, on whatever node", async () => {
  const [here, there] = [heldRun(), heldRun()];
  const task = { name: "long", cron: hourly };
  await makeQueue(task.name);
  await ask("long");
  const first = await start([{ ...task, run: here.run }]);
  await vi.waitFor(() => expect(here.run).toHaveBeenCalled());

  await ask("long");
  const second = await start([{ ...task, run: there.run }]);
  await vi.waitFor(async () => expect(await asked("long")).toBe(0));
  await second.stop();
  expect([here.run, there.run].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);

  here.finish();
  await first.stop();
  await ask("long");
  const third = await start([{ ...task, run: there.run }]);
  await vi.waitFor(() => expect(there.run).toHaveBeenCalledTimes(1));
  there.finish();
  await third.stop();
});

test("a node that stops waits for the run in hand, and does not for one that takes long", async () => {
  const { run, finish } = heldRun();
  const tasks = [{ name: "at-the-end", cron: hourly, run }];
  await makeQueue("at-the-end");
  await ask("at-the-end");
  const node = await start(tasks, { stopTimeoutMs: 10 });
  await vi.waitFor(() => expect(run).toHaveBeenCalled());
  await node.stop();

  await ask("at-the-end");
  const another = await start(tasks);
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2));
  const stopped = vi.fn();
  const stopping = another.stop().then(stopped);
  await db.pool.query("select 1");
  expect(stopped).not.toHaveBeenCalled();
  finish();
  await stopping;
});

/** Breaks each connection of pg-boss over which it says that a run was taken; the returned function ends it. */
async function breakWhenTaken(): Promise<() => Promise<void>> {
  await db.pool.query(`
    create function break_when_taken() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    create trigger break_when_taken before update on pgboss.job
      for each row when (new.state = 'completed') execute function break_when_taken()`);
  return async () => {
    await db.pool.query("drop trigger break_when_taken on pgboss.job; drop function break_when_taken");
  };
}

test("a database that goes away as a run is taken ends no node", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const warnings: string[] = [];
  const telling = pino({ level: "warn" }, { write: (line: string) => warnings.push(line) });
  const run = vi.fn<ScheduledTask["run"]>(async () => undefined);
  const tasks = [{ name: "outage", cron: hourly, run }];
  await makeQueue(tasks[0]?.name ?? "");
  await ask("outage");
  const mend = await breakWhenTaken();
  const node = await start(tasks, { logger: telling });
  await vi.waitFor(() => expect(unhandled.mock.calls.length + warnings.length).toBeGreaterThan(0));
  await mend();
  await node.stop();
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  expect(run).toHaveBeenCalledTimes(1);
  expect(warnings.join()).toContain("terminating connection");
});

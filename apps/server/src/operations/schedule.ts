import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import PgBoss from "pg-boss";
import { type ScheduledTask, TaskRuns, type TaskRunsOptions } from "./task-runs.ts";

export interface Schedule {
  stop(): Promise<void>;
}

export interface ScheduleOptions extends TaskRunsOptions {
  /** The connections of `database`. */
  readonly pool: pg.Pool;
  readonly tasks: readonly ScheduledTask[];
  /** How often pg-boss looks for what nodes have left that are gone; 20 s by default. */
  readonly maintainedEachSeconds?: number;
  /** How long a stop waits for the runs in hand; 5 s by default. */
  readonly stopTimeoutMs?: number;
}

const pollingSeconds = 10;
/** A node that was killed, or has lost its database, between taking a task's time and saying so holds up the next one for as long. */
const takenWithinSeconds = 20;

/**
 * Runs the tasks, whose times pg-boss keeps, on our connections and in its own schema. To pg-boss a run is over as soon as it was
 * taken: what keeps two from going on at once is ours (`TaskRuns`), because pg-boss believes of a process that was killed that it still runs.
 */
export async function startSchedule(options: ScheduleOptions): Promise<Schedule> {
  const { pool, tasks, logger, maintainedEachSeconds = 20, stopTimeoutMs = 5_000 } = options;
  const boss = new PgBoss({
    db: { executeSql: statementsOf(pool, logger) },
    schema: "pgboss",
    retryLimit: 0,
    expireInSeconds: takenWithinSeconds,
    maintenanceIntervalSeconds: maintainedEachSeconds,
    archiveCompletedAfterSeconds: 3600,
    deleteAfterDays: 1,
  });
  boss.on("error", (error) => logger.warn({ err: error }, "The schedule had a fault; it goes on by itself"));
  await boss.start();
  for (const task of tasks) await makeQueue(boss, task);
  await unscheduleOthers(boss, tasks);
  const runs = new TaskRuns(options);
  // Workers ask for tasks at once, and a table that is asked waits for the one that is being made beside it.
  for (const task of tasks) await work(boss, task, runs);
  return {
    stop: async () => {
      await boss.stop({ graceful: true, wait: true });
      await runs.end(stopTimeoutMs);
    },
  };
}

/**
 * pg-boss does not wait for the statement that says that runs were taken, so that nobody hears of one that fails, as while the database
 * is away, but the process as a whole, which ends by it. Such statements, and none besides, name runs by a list of ids, and pg-boss
 * reads no more of them than how many there were. What was not said is made up for by `takenWithinSeconds`.
 */
function statementsOf(pool: pg.Pool, logger: FastifyBaseLogger): PgBoss.Db["executeSql"] {
  return async (text, values) => {
    try {
      return await pool.query(text, values);
    } catch (error) {
      if (!Array.isArray(values?.[1])) throw error;
      logger.warn({ err: error }, "It could not be kept that a scheduled task was taken");
      return { rows: [{ count: "0" }] };
    }
  };
}

async function makeQueue(boss: PgBoss, { name, cron }: ScheduledTask): Promise<void> {
  // Stately: at most one waiting and one being taken, however many nodes there are.
  await boss.createQueue(name, { name, policy: "stately" });
  await boss.schedule(name, cron);
}

/** What an earlier release did by the clock, and this one does no more. */
async function unscheduleOthers(boss: PgBoss, tasks: readonly ScheduledTask[]): Promise<void> {
  const names = new Set(tasks.map(({ name }) => name));
  for (const { name } of await boss.getSchedules()) if (!names.has(name)) await boss.unschedule(name);
}

async function work(boss: PgBoss, task: ScheduledTask, runs: TaskRuns): Promise<void> {
  await boss.work(task.name, { pollingIntervalSeconds: pollingSeconds }, async () => runs.begin(task));
}

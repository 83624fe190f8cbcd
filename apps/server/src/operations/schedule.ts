import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import PgBoss from "pg-boss";

/** Something to be done again and again, by one node at a time. */
export interface ScheduledTask {
  /** Its queue's name; letters and dashes. */
  readonly name: string;
  /** When, in cron's notation (UTC), to the minute. */
  readonly cron: string;
  run(): Promise<void>;
}

export interface Schedule {
  stop(): Promise<void>;
}

export interface ScheduleOptions {
  readonly pool: pg.Pool;
  readonly tasks: readonly ScheduledTask[];
  readonly logger: FastifyBaseLogger;
}

const pollingSeconds = 10;
const longestRunMinutes = 55;
const stopTimeoutMs = 5_000;

/** Runs the tasks by pg-boss, on our connections and in its own schema. A run that fails is logged; the next one comes. */
export async function startSchedule({ pool, tasks, logger }: ScheduleOptions): Promise<Schedule> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: "pgboss",
    retryLimit: 0,
    expireInMinutes: longestRunMinutes,
    archiveCompletedAfterSeconds: 3600,
    deleteAfterDays: 1,
  });
  boss.on("error", (error) => logger.warn({ err: error }, "The schedule had a fault; it goes on by itself"));
  await boss.start();
  for (const task of tasks) await makeQueue(boss, task);
  await unscheduleOthers(boss, tasks);
  // Workers ask for tasks at once, and a table that is asked waits for the one that is being made beside it.
  for (const task of tasks) await work(boss, task, logger);
  return { stop: () => boss.stop({ graceful: true, wait: true, timeout: stopTimeoutMs }) };
}

async function makeQueue(boss: PgBoss, { name, cron }: ScheduledTask): Promise<void> {
  // Stately: at most one waiting and one running, however many nodes there are and however long a run takes.
  await boss.createQueue(name, { name, policy: "stately" });
  await boss.schedule(name, cron);
}

/** What an earlier release did by the clock, and this one does no more. */
async function unscheduleOthers(boss: PgBoss, tasks: readonly ScheduledTask[]): Promise<void> {
  const names = new Set(tasks.map(({ name }) => name));
  for (const { name } of await boss.getSchedules()) if (!names.has(name)) await boss.unschedule(name);
}

async function work(boss: PgBoss, task: ScheduledTask, logger: FastifyBaseLogger): Promise<void> {
  await boss.work(task.name, { pollingIntervalSeconds: pollingSeconds }, async () => {
    try {
      await task.run();
    } catch (error) {
      logger.warn(
        { err: error, task: task.name },
        "A scheduled task failed; it is tried again at its next time",
      );
    }
  });
}

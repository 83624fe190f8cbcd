// A program for tests: a node whose scheduled task never ends. Its arguments: the address of its database, and the name of the task. It says when that has begun.
import { pino } from "pino";
import { createDatabase } from "../database/pool.ts";
import { startSchedule } from "./schedule.ts";

const [connectionString = "", name = ""] = process.argv.slice(2);
const { database, pool } = createDatabase({ connectionString }, { max: 5 });

function neverEnds(): Promise<void> {
  process.stdout.write("begun\n");
  return new Promise(() => undefined);
}

await startSchedule({
  ...{ database, pool, logger: pino({ level: "silent" }) },
  tasks: [{ name, cron: "7 * * * *", run: neverEnds }],
});

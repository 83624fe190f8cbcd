import { runMarkRestored } from "./backup/backup.ts";
import { readConfig } from "./kernel/config.ts";

process.exitCode = await runMarkRestored({
  args: process.argv.slice(2),
  readConfig: () => readConfig(process.env),
  output: process.stdout,
  errors: process.stderr,
});

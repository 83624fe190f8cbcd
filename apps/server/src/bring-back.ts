import { runBringBack } from "./backup/backup.ts";
import { readConfig } from "./kernel/config.ts";

process.exitCode = await runBringBack({
  args: process.argv.slice(2),
  readConfig: () => readConfig(process.env),
  output: process.stdout,
  errors: process.stderr,
});

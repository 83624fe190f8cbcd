import { backUp, runTransfer } from "./backup/backup.ts";
import { readConfig } from "./kernel/config.ts";

process.exitCode = await runTransfer({
  name: "backup",
  args: process.argv.slice(2),
  readConfig: () => readConfig(process.env),
  transfer: backUp,
  output: process.stdout,
  errors: process.stderr,
});

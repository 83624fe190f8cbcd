import { restoreShop, runTransfer } from "./backup/backup.ts";
import { readConfig } from "./kernel/config.ts";

process.exitCode = await runTransfer({
  name: "restore",
  args: process.argv.slice(2),
  readConfig: () => readConfig(process.env),
  transfer: restoreShop,
  output: process.stdout,
  errors: process.stderr,
});

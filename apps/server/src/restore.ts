import { restoreShop } from "./backup/restore-shop.ts";
import { runTransfer } from "./backup/transfer-command.ts";
import { readConfig } from "./kernel/config.ts";

process.exitCode = await runTransfer({
  name: "restore",
  args: process.argv.slice(2),
  readConfig: () => readConfig(process.env),
  transfer: restoreShop,
  output: process.stdout,
  errors: process.stderr,
});

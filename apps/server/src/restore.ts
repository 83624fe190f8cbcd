import { readConfig } from "./config.ts";
import { restoreShop } from "./database/restore-shop.ts";
import { runTransfer } from "./database/transfer-command.ts";

process.exitCode = await runTransfer({
  name: "restore",
  args: process.argv.slice(2),
  readConfig: () => readConfig(process.env),
  transfer: restoreShop,
  output: process.stdout,
  errors: process.stderr,
});

import { readConfig } from "./config.ts";
import { runTransfer } from "./database/transfer-command.ts";
import { restore } from "./database/transfer-in.ts";

process.exitCode = await runTransfer({
  name: "restore",
  args: process.argv.slice(2),
  readConfig: () => readConfig(process.env),
  transfer: restore,
  output: process.stdout,
  errors: process.stderr,
});

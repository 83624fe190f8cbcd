import { readConfig } from "./config.ts";
import { runTransfer } from "./database/transfer-command.ts";
import { backUp } from "./database/transfer-out.ts";

process.exitCode = await runTransfer({
  name: "backup",
  args: process.argv.slice(2),
  readConfig: () => readConfig(process.env),
  transfer: backUp,
  output: process.stdout,
  errors: process.stderr,
});

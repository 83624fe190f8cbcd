import { runVerifyAudit } from "./audit/audit.ts";
import { readConfig } from "./kernel/config.ts";

process.exitCode = await runVerifyAudit({
  args: process.argv.slice(2),
  readConfig: () => readConfig(process.env),
  output: process.stdout,
  errors: process.stderr,
});

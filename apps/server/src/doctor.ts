import { runDoctor } from "./diagnosis/diagnosis.ts";
import { readConfig } from "./kernel/config.ts";

process.exitCode = await runDoctor({
  args: process.argv.slice(2),
  readConfig: () => readConfig(process.env),
  output: process.stdout,
  errors: process.stderr,
});

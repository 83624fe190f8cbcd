import { runAdminPassword } from "./auth/auth.ts";
import { readConfig } from "./kernel/config.ts";

process.exitCode = await runAdminPassword({
  readConfig: () => readConfig(process.env),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
});

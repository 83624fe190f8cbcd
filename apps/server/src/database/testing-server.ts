// A program for tests: runs the embedded database on the folder it is given until it is killed, and reports on its
// output where it is, or why it could not start.
import { startEmbeddedPostgres } from "../embedded-postgres/embedded.ts";
import { DatabaseStartError } from "./errors.ts";

function report(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

try {
  const { connection } = await startEmbeddedPostgres({ dataDir: String(process.argv[2]) });
  report({ kind: "started", connection, uid: process.getuid?.() });
} catch (error) {
  if (!(error instanceof DatabaseStartError)) throw error;
  report({ kind: "failed", reason: error.reason, message: error.message });
  process.exitCode = 1;
}

import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Names a folder as the product has it after its first start; a program that is no test has none, and begins with an empty one. */
export const templateVariable = "STAGE_DATA_FOLDER_TEMPLATE";

/** A data folder of a stage's own: a copy of the template where there is one, else empty. */
export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "stocktake-stage-"));
  const template = process.env[templateVariable];
  // Whose files they are is kept: PostgreSQL runs as a user of its own.
  if (template !== undefined) await promisify(execFile)("cp", ["-a", `${template}/.`, folder]);
  return folder;
}

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulatedDatabases } from "../../../../apps/server/src/testing/simulated-installation.ts";
import type { Environment } from "./installation.ts";

/** A PostgreSQL and a folder for simulated counts; `close` removes both. */
export async function openEnvironment(): Promise<Environment & { readonly close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "stocktake-shelf-"));
  // Where root runs it, PostgreSQL runs as another user, who has to pass.
  await chmod(folder, 0o711);
  const databases = await startSimulatedDatabases(folder);
  const close = async () => {
    await databases.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { databases, folder, close };
}

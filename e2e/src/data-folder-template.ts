import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProduct } from "@stocktake/testkit";
import { templateVariable } from "./data-folder.ts";
import { adminPassword, openShop } from "./staging.ts";

/**
 * Before all tests: starts the product once in an empty folder, where it makes its database, and ends it. Stages begin with a copy
 * of that, which takes half of the time; that a first start works is held by tests of its own.
 */
export default async function makeTemplate(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "stocktake-template-"));
  const emulator = await openShop();
  const product = await startProduct({ shopifyUrl: emulator.url, adminPassword, dataDir: folder });
  await product.stop();
  await emulator.close();
  process.env[templateVariable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

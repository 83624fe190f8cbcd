import { join } from "node:path";
import { loadConfigFromFile, mergeConfig } from "vite";

/*
 * What StrykerJS runs: a package's own configuration with just the tests of an area, none of which needs a database. It
 * is read in Stryker's copy of the repository.
 */

const root = join(import.meta.dirname, "../..");
const folder = process.env.MUTANTS_FOLDER ?? "";
const tests: unknown = JSON.parse(process.env.MUTANTS_TESTS ?? "[]");
const own = await loadConfigFromFile(
  { command: "serve", mode: "test" },
  join(root, folder, "vitest.config.ts"),
);
const config = mergeConfig(own?.config ?? {}, { root: join(root, folder) });

// A browser's document takes longest of all to make: a test that needs one says so in its first line.
// A constant is made anew for each mutant of it only where modules are.
const bare = { environment: "node", globalSetup: [], setupFiles: [], isolate: true };

export default { ...config, test: { ...config.test, ...bare, include: tests } };

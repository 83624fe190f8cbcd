import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { afterAll, beforeAll } from "vitest";
import { makeTemporaryFolder } from "../database/testing.ts";
import { startEmbeddedPostgres } from "./embedded.ts";

/**
 * Makes one database before a file's tests, which takes initdb longer than all else that they do. What this returns
 * gives a new data folder with a copy of it, stopped in good order.
 */
export function makeDatabaseOnce(): () => Promise<string> {
  let made: string;
  beforeAll(async () => {
    made = await makeTemporaryFolder();
    await (await startEmbeddedPostgres({ dataDir: made })).stop();
  });
  afterAll(() => rm(made, { recursive: true, force: true }));
  return async () => {
    const copy = await makeTemporaryFolder();
    // Owners too: where root runs the tests, PostgreSQL runs as another user.
    execFileSync("cp", ["-a", `${made}/.`, copy]);
    return copy;
  };
}

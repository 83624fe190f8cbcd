import { rm, stat } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../database/testing.ts";
import { prepareFolder } from "./data-folder.ts";
import { makeEndpoint } from "./endpoint.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await makeTemporaryFolder();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe("the folder of the database's socket", () => {
  test("is closed to others, inside the data folder", async () => {
    const folder = await prepareFolder(dataDir);
    const { connection, temporaryFolder } = await makeEndpoint(folder, { kind: "self" }, true);
    expect(connection.host).toBe(folder.sockets);
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    expect(temporaryFolder).toBeUndefined();
  });

  test("is a closed temporary one where the file system takes no sockets", async () => {
    const { connection, temporaryFolder } = await makeEndpoint(
      await prepareFolder(dataDir),
      { kind: "self" },
      false,
    );
    expect(temporaryFolder).toBe(connection.host);
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    await rm(connection.host, { recursive: true });
  });
});

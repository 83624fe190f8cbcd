import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { addressOf, createEmptyDatabase } from "../../database/testing.ts";
import { scan } from "../../scanning/testing/scene.ts";
import type { DatabaseCommand } from "../database-command.ts";
import { runArchive, runBringBack } from "./archive-command.ts";
import { archiveInEachTest, makeArchivable } from "./testing-archivable.ts";

const { inFolder, scene } = archiveInEachTest();

function run(command: (of: DatabaseCommand) => Promise<number>, ...args: string[]) {
  return runOn(addressOf(scene.server.database.connection), command, ...args);
}

async function runOn(
  databaseUrl: string,
  command: (of: DatabaseCommand) => Promise<number>,
  ...args: string[]
) {
  const output = new PassThrough();
  const errors = new PassThrough();
  const readConfig = () => ({ databaseUrl, dataDir: "" });
  const code = await command({ args, readConfig, output, errors });
  return { code, output: String(output.read() ?? ""), errors: String(errors.read() ?? "") };
}

test("the commands list, archive and bring back a session, and say what each did", async () => {
  const { later } = await makeArchivable(scene);
  const { _id: id } = scene.session;
  const file = inFolder("spring.archive");
  expect(await run(runArchive)).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      new RegExp(
        `^${id}  \\d{4}-\\d\\d-\\d\\d  .+\\n  can be archived\\n${later.session._id}  .+\\n  Phones may still send .+\\n  It is the last`,
      ),
    ),
  });
  expect(await run(runArchive, id.slice(-8).toUpperCase(), file)).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^The session of .+ from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d is archived: \d+ rows of 27 tables are in .+spring\.archive and no longer in the database\./,
    ),
    errors: "",
  });
  expect(await run(runArchive, id, file)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/ was archived already on .+, in a file called spring\.archive\.\n$/),
  });
  await scan(scene, { seq: 30 }, scene.server.admin);
  expect((await run(runArchive)).output).toContain("in spring.archive; 1 scan came since and waits for it\n");
  expect(await run(runBringBack, file)).toEqual({
    code: 0,
    output: expect.stringMatching(
      /is back: \d+ rows, each as it was archived\.\n1 scan came while it was archived: what is new waits for a decision/,
    ),
    errors: "",
  });
  expect(await run(runBringBack, file)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/ is in the database\. Nothing was changed\.\n$/),
  });
});

test("arguments that make no sense are answered with the usage, and an error ends with 1", async () => {
  for (const args of [["short", "file"], [scene.session._id], [scene.session._id, "file", "more"]]) {
    expect(await run(runArchive, ...args)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^Usage: /),
    });
  }
  for (const args of [[], ["file", "more"]]) {
    expect(await run(runBringBack, ...args)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^Usage: /),
    });
  }
  expect(await run(runArchive, scene.session._id, inFolder("counting"))).toMatchObject({
    code: 1,
    errors: expect.stringContaining("It has not ended."),
  });
  expect(await run(runBringBack, inFolder("none"))).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /^The bring-back failed: ENOENT.+ It was done wholly or not at all: run it again, and it says which\.\n$/,
    ),
  });
});

test("an empty database is told from one of another release", async () => {
  const { connection, drop } = await createEmptyDatabase();
  const printed = await runOn(addressOf(connection), runArchive);
  await drop();
  expect(printed).toEqual({
    code: 1,
    output: "",
    errors:
      "This database is empty: no server has worked on it yet. Nothing was changed. Check DATABASE_URL or DATA_DIR.\n",
  });
});

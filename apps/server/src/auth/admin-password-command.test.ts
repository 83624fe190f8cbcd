import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  addressOf,
  createTestDatabase,
  makeTemporaryFolder,
  type TestDatabase,
} from "../database/testing.ts";
import { findAdmin } from "./account-queries.ts";
import { runAdminPassword } from "./admin-password-command.ts";
import { createPasswords } from "./passwords.ts";

const passwords = createPasswords();
let store: TestDatabase;

beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

async function isPassword(password: string): Promise<boolean> {
  return passwords.matches((await findAdmin(store.database))?.passwordHash ?? null, password);
}

function start(input: PassThrough) {
  const output = new PassThrough();
  const errors = new PassThrough();
  const config = { databaseUrl: addressOf(store.connection), dataDir: "" };
  const code = runAdminPassword({ readConfig: () => config, input, output, errors });
  const printed = () => `${output.read() ?? ""}${errors.read() ?? ""}`;
  return { code, errors, printed };
}

describe("a password piped in", () => {
  function pipe(text: string) {
    const input = new PassThrough();
    input.end(text);
    return start(input);
  }

  test("is set without its last line break, where there is no administrator yet too", async () => {
    expect(await findAdmin(store.database)).toBeNull();
    const { code, printed } = pipe("from the shell \n");
    expect(await code).toBe(0);
    const { rows } = await store.pool.query<{ name: string }>("SELECT current_database() AS name");
    expect(printed()).toMatch(
      new RegExp(
        `^There was no administrator yet in the database ${rows[0]?.name} on .+: no server has run on it`,
      ),
    );
    expect(await isPassword("from the shell ")).toBe(true);
  });

  test("may be on two lines, as it is asked for at the terminal", async () => {
    const again = pipe("another one\n");
    expect(await again.code).toBe(0);
    expect(again.printed()).toBe(
      "The administrator's password is set. Every admin login has ended: sign in with it.\n",
    );
    const { code, printed } = pipe("from the shell \r\nfrom the shel\r\n");
    expect(await code).toBe(1);
    expect(printed()).toContain("New passwords do not match");
    expect(await isPassword("another one")).toBe(true);
    expect(await pipe("from the shell \r\nfrom the shell \r\n").code).toBe(0);
    expect(await isPassword("from the shell ")).toBe(true);
  });

  test("that is too short is refused and changes nothing", async () => {
    const { code, printed } = pipe("short\n");
    expect(await code).toBe(1);
    expect(printed()).toBe("New password must be at least 6 characters long\nNothing was changed.\n");
    expect(await isPassword("from the shell ")).toBe(true);
  });
});

describe("a password typed at the terminal", () => {
  let terminal: PassThrough;

  beforeEach(() => {
    terminal = Object.assign(new PassThrough(), { isTTY: true });
  });

  /** Types each line when it is asked for, and returns everything that the terminal showed. */
  async function type(lines: readonly string[]) {
    const { code, errors, printed } = start(terminal);
    let shown = "";
    for (const [index, line] of lines.entries()) {
      await expect
        .poll(() => {
          shown += String(errors.read() ?? "");
          return shown.split(": ").length - 1;
        })
        .toBe(index + 1);
      terminal.write(line);
    }
    const exitCode = await code;
    return { exitCode, shown: shown + printed() };
  }

  test("is asked for twice, never shown, and set", async () => {
    const { exitCode, shown } = await type(["typed-unseen\r", "typed-unseen\r"]);
    expect(exitCode).toBe(0);
    expect(shown).not.toContain("typed");
    expect(await isPassword("typed-unseen")).toBe(true);
  });

  test("that differs the second time is refused", async () => {
    const { exitCode, shown } = await type(["first-time\r", "second-time\r"]);
    expect(exitCode).toBe(1);
    expect(shown).toContain("New passwords do not match\nNothing was changed.");
    expect(await isPassword("typed-unseen")).toBe(true);
  });

  test("may be given up with Ctrl-C", async () => {
    const { exitCode, shown } = await type(["half\u0003"]);
    expect(exitCode).toBe(1);
    expect(shown).toContain("Nothing was changed.");
    expect(await isPassword("typed-unseen")).toBe(true);
  });
});

test("a database that can't be reached is said so", async () => {
  const errors = new PassThrough();
  const input = new PassThrough();
  input.end("from the shell\n");
  const code = await runAdminPassword({
    readConfig: () => ({ databaseUrl: "postgres://nobody@127.0.0.1:1/none", dataDir: "" }),
    input,
    output: new PassThrough(),
    errors,
  });
  expect(code).toBe(1);
  expect(String(errors.read())).toContain("The password was not changed: ");
});

test("a data folder without a database is named before a password is asked for, and stays without", async () => {
  const folder = await makeTemporaryFolder();
  const dataDir = join(folder, "mistyped");
  const errors = new PassThrough();
  const code = await runAdminPassword({
    readConfig: () => ({ databaseUrl: null, dataDir }),
    input: new PassThrough(),
    output: new PassThrough(),
    errors,
  });
  expect(code).toBe(1);
  expect(String(errors.read())).toMatch(
    new RegExp(`^There is no database in ${dataDir}\\. Nothing was changed\\.`),
  );
  expect(existsSync(dataDir)).toBe(false);
  await rm(folder, { recursive: true });
});

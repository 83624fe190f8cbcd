import { randomUUID } from "node:crypto";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  addressOf,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../database/testing.ts";
import { appendCounts } from "./testing.ts";
import { runVerifyAudit } from "./verify-command.ts";

let store: TestDatabase;
const session = randomUUID();

beforeAll(async () => {
  store = await createTestDatabase();
  await appendCounts(store.database, session, 3);
  await appendCounts(store.database, null, 1);
});
afterAll(() => store.drop());

async function run(...args: string[]) {
  const output = new PassThrough();
  const errors = new PassThrough();
  const readConfig = () => ({ databaseUrl: addressOf(store.connection), dataDir: "" });
  const code = await runVerifyAudit({ args, readConfig, output, errors });
  return { code, output: String(output.read() ?? ""), errors: String(errors.read() ?? "") };
}

async function hashAt(chain: string, position: number): Promise<string> {
  const row = await store.database
    .selectFrom("auditEntries")
    .select("hash")
    .where("chain", "=", chain)
    .where("position", "=", position)
    .executeTakeFirstOrThrow();
  return row.hash;
}

describe("verify-audit", () => {
  test("says of each chain how long it is and what it ends with, and ends with 0", async () => {
    expect(await run()).toEqual({
      code: 0,
      output:
        `Session ${session}: 3 entries, last hash ${await hashAt(session, 3)}\n` +
        `No session: 1 entry, last hash ${await hashAt("general", 1)}\n` +
        "The audit log is whole: 2 chains.\n",
      errors: "",
    });
  });

  test("proves that a printed hash is of a session's chain, and up to where", async () => {
    const hash = await hashAt(session, 2);
    const { code, output } = await run("--session", session.toUpperCase(), "--hash", hash);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining("The printed hash is that of entry 2: up to there"),
    ]);
  });

  test("takes the end of a session's ID that the pages show, and says where no session has it", async () => {
    const hash = await hashAt(session, 3);
    expect((await run("--session", session.slice(-8), "--hash", hash)).code).toBe(0);
    const { code, errors } = await run("--session", randomUUID(), "--hash", hash);
    expect([code, errors]).toEqual([1, expect.stringMatching(/^This database has no session with the ID/)]);
  });

  test.each([
    ["of another chain", async () => hashAt("general", 1)],
    ["of nothing", async () => "0".repeat(64)],
  ])("ends with 1 for a printed hash %s", async (_what, hash) => {
    const { code, output } = await run("--session", session, "--hash", await hash());
    expect([code, output]).toEqual([1, expect.stringContaining("is in no entry of it")]);
  });

  test("of a restored database says from when to when nothing is in it, which explains a hash printed then", async () => {
    const restored = "on 2026-11-27 09:30 UTC to 2026-11-26 02:30 UTC";
    await store.pool.query(
      "update installation set restored_at = '2026-11-27 09:30:12Z', backup_made_at = '2026-11-26 02:30Z'",
    );
    const [all, printed] = [await run(), await run("--session", session, "--hash", "0".repeat(64))];
    await store.pool.query("update installation set restored_at = null, backup_made_at = null");
    expect(all).toMatchObject({
      code: 0,
      output: expect.stringContaining(`The database was restored ${restored}`),
    });
    expect(printed).toMatchObject({
      code: 1,
      output: expect.stringContaining(
        `The database was restored ${restored}: what was recorded between is gone`,
      ),
    });
  });

  test("names the first broken entry and ends with 1", async () => {
    await store.pool.query("alter table audit_entries disable trigger user");
    await store.pool.query(
      "update audit_entries set actor_name = 'nobody' where chain = $1 and position = 2",
      [session],
    );
    const { code, output } = await run();
    await store.pool.query(
      "update audit_entries set actor_name = 'admin'; alter table audit_entries enable trigger user",
    );
    expect(code).toBe(1);
    expect(output).toContain(
      `Session ${session}: BROKEN at entry 2: its content is not what its hash was made of.\n`,
    );
    expect(output).toContain("The audit log was changed: 1 of 2 chains are broken.\n");
  });

  const whole = "0".repeat(64);
  test.each([
    [["--session", "x"]],
    [["--hash", whole]],
    [["--session", session, "--hash", whole.slice(12)]],
    [["--session", "x", "--hash", whole]],
    [["more"]],
    [["--unknown"]],
  ])("explains itself when it is called with %j", async (args) => {
    const { code, errors } = await run(...args);
    expect([code, errors]).toEqual([2, expect.stringContaining("Usage: npm run verify-audit")]);
  });

  test("of a database that no server has worked on says that there is no log", async () => {
    const empty = await createEmptyDatabase();
    const errors = new PassThrough();
    const readConfig = () => ({ databaseUrl: addressOf(empty.connection), dataDir: "" });
    const code = await runVerifyAudit({ args: [], readConfig, output: new PassThrough(), errors });
    expect([code, String(errors.read())]).toEqual([
      1,
      expect.stringMatching(/^This database holds no audit log/),
    ]);
    await empty.drop();
  });

  test("that can't reach the database says so and ends with 1", async () => {
    const errors = new PassThrough();
    const readConfig = () => ({ databaseUrl: "postgres://nobody@127.0.0.1:1/none", dataDir: "" });
    const code = await runVerifyAudit({ args: [], readConfig, output: new PassThrough(), errors });
    expect([code, String(errors.read())]).toEqual([
      1,
      expect.stringContaining("The audit log could not be verified: "),
    ]);
  });
});

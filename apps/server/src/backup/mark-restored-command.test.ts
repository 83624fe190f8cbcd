import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createListener } from "../database/listen.ts";
import {
  addressOf,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../database/testing.ts";
import { query } from "../database/testing-process.ts";
import { runMarkRestored } from "./mark-restored-command.ts";

let store: TestDatabase;
beforeEach(async () => {
  // Its pool stays unused: a connection of that name is a server's.
  store = await createTestDatabase();
  await query(store.connection, HISTORY);
});
afterEach(() => store.drop());

/** Ten days of an installation whose products were read last at ten o'clock, with what a restore would not leave as it is. */
const HISTORY = `
  UPDATE installation SET created_at = '2026-03-01T08:00:00Z', catalogue_read_at = '2026-03-11T10:00:00Z';
  WITH store AS (INSERT INTO stores (name, shopify_location_id) VALUES ('Harbour', 'gid://1') RETURNING id)
  INSERT INTO sessions (store_id, status, scope, shop_domain, shopify_location_id, currency, items, start_snapshot_at)
  SELECT id, 'closed', 'full', 'fjord', 'gid://1', 'USD', 0, '2026-03-02T08:00:00Z' FROM store;
  INSERT INTO adjustments (session_id, status, basis, zero_uncounted, total_adjustments)
    SELECT id, 'pending', 'end', false, 1 FROM sessions;
  INSERT INTO adjustment_rows (adjustment_id, sku, inventory_item_id, direction, chunk, delta, state)
    SELECT id, 'SKU-1', 'gid://item/1', 'deploy', 1, 1, 'waiting' FROM adjustments;
  INSERT INTO operations (kind, store_id, session_id, adjustment_id)
    SELECT 'deploy', session.store_id, session.id, adjustment.id
    FROM sessions session JOIN adjustments adjustment ON adjustment.session_id = session.id;
  INSERT INTO users (username, role) VALUES ('admin', 'admin');
  INSERT INTO logins (token_hash, user_id, expires_at) SELECT '\\x01', id, now() + interval '1 day' FROM users;
  INSERT INTO session_codes (session_id, store_id, token) SELECT id, store_id, 'hangs in the stockroom' FROM sessions;
  INSERT INTO waiting_invitations (session_id, store_id, counter_name, email, origin)
    SELECT id, store_id, 'Tom', 'tom@example.com', 'https://stock.example' FROM sessions;
  INSERT INTO sample_commitments (session_id, number, hash, closed_areas) SELECT id, 1, 'hash', 0 FROM sessions;
  INSERT INTO sample_secrets (session_id, commitment, secret) SELECT id, 1, 'drawn since' FROM sessions;
  INSERT INTO outbox_mails (recipient, subject, body, link)
    VALUES ('ada@example.com', 'Count with us', 'Open the link', 'https://stock.example/counter/invite/revoked-since');`;

async function run(args: string[], databaseUrl = addressOf(store.connection)) {
  const output = new PassThrough();
  const errors = new PassThrough();
  const code = await runMarkRestored({
    args,
    readConfig: () => ({ databaseUrl, dataDir: "" }),
    output,
    errors,
  });
  return { code, output: String(output.read() ?? ""), errors: String(errors.read() ?? "") };
}

async function installation() {
  const [row] = await query(
    store.connection,
    `SELECT epoch, restored_at, backup_made_at, encode(mark_key, 'hex') AS mark_key, encode(row_key, 'hex') AS row_key
    FROM installation`,
  );
  return row;
}

const sessionsOf = "SELECT restored, backup_made_at FROM sessions";
const at = (time: string) => new Date(`2026-03-11T${time}:00Z`);

describe("a database that went back by other means", () => {
  test("is from then on what a restore would have left", async () => {
    const before = await installation();
    expect(await run(["--to", "2026-03-11T10:20:00Z"])).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^Marked as restored to 2026-03-11 10:20:00 UTC: the database .+\nThe last thing that it knows is of 2026-03-11 10:00:00 UTC: .+\nIt has a new epoch.+\n1 session is held: .+\n1 deploy or rollback was under way/,
      ),
      errors: "",
    });
    const after = await installation();
    expect(after.epoch).not.toBe(before.epoch);
    expect(after.mark_key).not.toBe(before.mark_key);
    expect(after).toMatchObject({
      ...{ restored_at: expect.any(Date), backup_made_at: at("10:00") },
      ...{ mark_key: expect.stringMatching(/^[0-9a-f]{64}$/), row_key: before.row_key },
    });
    expect(await query(store.connection, sessionsOf)).toEqual([
      { restored: true, backup_made_at: at("10:00") },
    ]);
    expect(await query(store.connection, "SELECT state FROM adjustment_rows")).toEqual([
      { state: "unclear" },
    ]);
    expect(await query(store.connection, "SELECT status, error_code FROM operations")).toEqual([
      { status: "failed", error_code: "SESSION_RESTORED" },
    ]);
    expect(
      await query(
        store.connection,
        `SELECT (SELECT count(*)::int FROM logins) AS logins, (SELECT count(*)::int FROM sample_secrets) AS secrets,
          (SELECT count(*)::int FROM session_codes WHERE revoked_at IS NULL) AS codes,
          (SELECT count(*)::int FROM waiting_invitations WHERE next_attempt_at IS NOT NULL) AS mails,
          (SELECT count(*)::int FROM outbox_mails) AS links`,
      ),
    ).toEqual([{ logins: 0, secrets: 0, codes: 0, mails: 0, links: 0 }]);
    expect(await query(store.connection, "SELECT action, after FROM audit_entries")).toEqual([
      {
        action: "installation.restored",
        after: {
          backupMadeAt: "2026-03-11T10:00:00.000Z",
          sessions: 1,
          wentBackTo: "2026-03-11T10:20:00.000Z",
        },
      },
    ]);
  });

  test("is marked once for a moment, in whatever zone that is named", async () => {
    await run(["--to", "2026-03-11T10:20:00Z"]);
    const once = await installation();
    expect(await run(["--to", "2026-03-11T12:20:00+02:00"])).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^This was done for 2026-03-11 10:20:00 UTC on .+ already\. Nothing was changed\.\n$/,
      ),
    });
    expect(await installation()).toEqual(once);
  });

  test("is marked anew for an earlier moment, where the first was wrong", async () => {
    await run(["--to", "2026-03-11T10:20:00Z"]);
    expect(await run(["--to", "2026-03-11T09:00:00Z"])).toMatchObject({
      code: 0,
      output: expect.stringContaining("It knows things of up to"),
    });
    expect(await query(store.connection, sessionsOf)).toEqual([
      { restored: true, backup_made_at: at("09:00") },
    ]);
  });
});

describe("nothing is changed", () => {
  async function expectRefusal(args: string[], code: number, words: RegExp): Promise<void> {
    const before = await installation();
    expect(await run(args)).toEqual({ code, output: "", errors: expect.stringMatching(words) });
    expect(await installation()).toEqual(before);
    expect(await query(store.connection, "SELECT restored FROM sessions")).toEqual([{ restored: false }]);
  }

  test.each([
    [
      "in the future",
      new Date(Date.now() + 3_600_000).toISOString(),
      /is in the future: by the database's clock/,
    ],
    ["of before the installation", "2025-03-11T10:00:00Z", /is before this database was made/],
  ])("by a moment %s", (_what, to, words) => expectRefusal(["--to", to], 1, words));

  test.each([
    [[]],
    [["--to"]],
    [["--to", "10:00"]],
    [["--to", "2026-03-11T10:00:00"]],
    [["2026-03-11T10:00:00Z"]],
  ])("by %j, which gets the usage", (args) =>
    expectRefusal(args, 2, /^Usage: npm run mark-restored -- --to MOMENT/),
  );

  test("while a server is connected, which would move stock by what the database no longer knows", async () => {
    const listener = await createListener(store.connection, {
      channels: ["events"],
      onNotification: () => undefined,
      onReconnect: () => undefined,
    });
    await expectRefusal(["--to", "2026-03-11T10:20:00Z"], 1, /^A Stocktake server is still connected/);
    await listener.close();
  });

  test("in an empty database", async () => {
    const empty = await createEmptyDatabase();
    const printed = await run(["--to", "2026-03-11T10:20:00Z"], addressOf(empty.connection));
    await empty.drop();
    expect(printed).toMatchObject({ code: 1, errors: expect.stringMatching(/^This database is empty/) });
  });
});

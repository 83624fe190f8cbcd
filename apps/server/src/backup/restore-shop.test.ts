import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyChain } from "../audit/audit.ts";
import { migrate, readMigrations } from "../database/migrate.ts";
import { createDatabase } from "../database/pool.ts";
import { createEmptyDatabase, makeTemporaryFolder } from "../database/testing.ts";
import { query } from "../database/testing-process.ts";
import { listWaiting } from "../invitations/waiting-invitations.ts";
import { restoreShop } from "./restore-shop.ts";
import { backUp } from "./transfer-out.ts";

type EmptyDatabase = Awaited<ReturnType<typeof createEmptyDatabase>>;

let folder: string;
let file: string;
let databases: EmptyDatabase[];
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  file = join(folder, "shop.backup");
  databases = [];
});
afterEach(async () => {
  for (const { drop } of databases) await drop();
  await rm(folder, { recursive: true });
});

async function emptyDatabase() {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database.connection;
}

const SESSION = `
  WITH store AS (INSERT INTO stores (name, shopify_location_id) VALUES ('Harbour', 'gid://1') RETURNING id)
  INSERT INTO sessions (store_id, status, scope, shop_domain, shopify_location_id, currency, items, start_snapshot_at)
  SELECT id, 'closed', 'full', 'fjord', 'gid://1', 'USD', 0, now() FROM store;`;

/** An adjustment that is being moved, with a row for each of `rows`: its state, and that of its chunk (null: none yet). */
function underWay(kind: "deploy" | "rollback", rows: readonly [string, string | null][]): string {
  const inserts = rows.map(([state, chunk], index) => {
    const number = index + 1;
    const row = `INSERT INTO adjustment_rows (adjustment_id, sku, inventory_item_id, direction, chunk, delta, state)
      SELECT id, 'SKU-${number}', 'gid://item/${number}', '${kind}', ${number}, 1, '${state}' FROM adjustments;`;
    if (chunk === null) return row;
    return `${row} INSERT INTO adjustment_chunks
      (adjustment_id, direction, chunk, attempt, idempotency_key, reference_uri, changes, state)
      SELECT id, '${kind}', ${number}, 1, gen_random_uuid(), 'gid://x', '[{"sku":"SKU-${number}"}]', '${chunk}'
      FROM adjustments;`;
  });
  return `${SESSION}
    INSERT INTO adjustments (session_id, status, basis, zero_uncounted, total_adjustments)
      SELECT id, '${kind === "deploy" ? "pending" : "applied"}', 'end', false, ${rows.length} FROM sessions;
    INSERT INTO operations (kind, store_id, session_id, adjustment_id)
      SELECT '${kind}', session.store_id, session.id, adjustment.id
      FROM sessions session JOIN adjustments adjustment ON adjustment.session_id = session.id;
    ${inserts.join("\n")}`;
}

async function restoredFrom(contents: string, migrations?: Awaited<ReturnType<typeof readMigrations>>) {
  const [source, target] = [await emptyDatabase(), await emptyDatabase()];
  await migrate(source, migrations === undefined ? {} : { migrations });
  await query(source, contents);
  await backUp(source, file);
  await restoreShop(target, file);
  return target;
}

const statesOf = "SELECT sku, state FROM adjustment_rows ORDER BY sku";
const chunksOf = `SELECT chunk, attempt, state, jsonb_array_length(changes) AS changes, sends,
  sent_at IS NOT NULL AND finished_at >= sent_at AS over FROM adjustment_chunks ORDER BY chunk, attempt`;

test("a backup leaves out the secrets of samples that are still to be drawn", async () => {
  const target = await restoredFrom(`${SESSION}
    INSERT INTO sample_commitments (session_id, number, hash, closed_areas) SELECT id, 1, 'hash', 0 FROM sessions;
    INSERT INTO sample_secrets (session_id, commitment, secret) SELECT id, 1, 'not to be told' FROM sessions;`);
  expect(gunzipSync(await readFile(file)).toString()).not.toContain(
    Buffer.from("not to be told").toString("hex"),
  );
  expect(await query(target, "SELECT hash FROM sample_commitments")).toEqual([{ hash: "hash" }]);
  expect(await query(target, "SELECT commitment FROM sample_secrets")).toEqual([]);
});

describe("what was under way in a backup", () => {
  test.each(["deploy", "rollback"] as const)(
    "is stopped: every row of a %s that is not confirmed waits for a person, whatever its chunk had come to",
    async (kind) => {
      const target = await restoredFrom(
        underWay(kind, [
          ["confirmed", "confirmed"],
          ["not_moved", "refused"],
          ["unclear", "unclear"],
          ["sent", "sent"],
          ["waiting", "replaced"],
          ["waiting", null],
        ]),
      );
      expect(await query(target, statesOf)).toEqual([
        { sku: "SKU-1", state: "confirmed" },
        { sku: "SKU-2", state: "not_moved" },
        { sku: "SKU-3", state: "unclear" },
        { sku: "SKU-4", state: "unclear" },
        { sku: "SKU-5", state: "unclear" },
        { sku: "SKU-6", state: "unclear" },
      ]);
      expect((await query(target, chunksOf)).slice(3)).toEqual([
        { chunk: 4, attempt: 1, state: "unclear", changes: 1, sends: 0, over: true },
        { chunk: 5, attempt: 1, state: "replaced", changes: 1, sends: 0, over: false },
        { chunk: 5, attempt: 2, state: "unclear", changes: 0, sends: 0, over: true },
        { chunk: 6, attempt: 1, state: "unclear", changes: 0, sends: 0, over: true },
      ]);
      expect(await query(target, "SELECT status FROM adjustments")).toEqual([{ status: "partial" }]);
      expect(await query(target, "SELECT status, error_code FROM operations")).toEqual([
        { status: "failed", error_code: "SESSION_RESTORED" },
      ]);
    },
  );

  test("that was prepared and not sent may have been sent since", async () => {
    const target = await restoredFrom(underWay("deploy", [["sent", "intended"]]));
    expect(await query(target, statesOf)).toEqual([{ sku: "SKU-1", state: "unclear" }]);
    expect(await query(target, chunksOf)).toMatchObject([{ state: "unclear", over: true }]);
  });
});

test("session codes of a backup are closed, and admit nobody, whether they were closed since or not", async () => {
  const target = await restoredFrom(`${SESSION}
    INSERT INTO session_codes (session_id, store_id, token, admit_until)
      SELECT id, store_id, 'hangs in the stockroom', now() + interval '30 minutes' FROM sessions;
    INSERT INTO session_codes (session_id, store_id, token, revoked_at)
      SELECT id, store_id, 'closed before', '2026-03-01T08:00:00Z' FROM sessions;`);
  expect(
    await query(
      target,
      "SELECT token, admit_until, revoked_at < '2026-03-02' AS before FROM session_codes ORDER BY created_at, token DESC",
    ),
  ).toEqual([
    { token: "hangs in the stockroom", admit_until: null, before: false },
    { token: "closed before", admit_until: null, before: true },
  ]);
});

test("whom a session of a backup was still to invite is sent no mail by itself: they may have been taken out since", async () => {
  const target = await restoredFrom(`${SESSION}
    INSERT INTO waiting_invitations (session_id, store_id, counter_name, email, origin, attempts, problem)
      SELECT sessions.id, store_id, person.name, 'tom@example.com', 'https://stock.example', 3, 'The mail server was away.'
      FROM sessions, (VALUES ('Tom'), ('Ada')) person (name);`);
  const { database, close } = createDatabase(target, { max: 1 });
  const [session] = await query(target, "SELECT id FROM sessions");
  const waiting = await listWaiting(database, session.id);
  await close();
  expect(waiting).toHaveLength(2);
  for (const person of waiting) {
    expect(person).toMatchObject({
      givenUp: true,
      problem: expect.stringContaining("restored to an earlier moment"),
    });
  }
});

test("a restore is in the audit log, behind what the backup had of it", async () => {
  const target = await restoredFrom(
    `${SESSION} UPDATE installation SET shop_domain = 'fjord.myshopify.com';`,
  );
  const { database, close } = createDatabase(target, { max: 1 });
  const verdict = await database.transaction().execute((transaction) => verifyChain(transaction, "general"));
  await close();
  const [installation] = await query(target, "SELECT backup_made_at FROM installation");
  expect(verdict).toMatchObject({ intact: true, length: 1 });
  expect(
    await query(target, "SELECT action, actor_name, subject_name, before, after FROM audit_entries"),
  ).toEqual([
    {
      action: "installation.restored",
      actor_name: "Command line",
      subject_name: "fjord.myshopify.com",
      before: null,
      after: { backupMadeAt: installation.backup_made_at.toISOString(), sessions: 1 },
    },
  ]);
});

test("a backup of a release without this is held back as well", async () => {
  const migrations = await readMigrations();
  const earlier = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name.endsWith("_restored.sql")),
  );
  const target = await restoredFrom(SESSION, earlier);
  expect(await query(target, "SELECT restored, backup_made_at IS NOT NULL AS dated FROM sessions")).toEqual([
    { restored: true, dated: true },
  ]);
  expect(await query(target, "SELECT restored_at >= backup_made_at AS later FROM installation")).toEqual([
    { later: true },
  ]);
});

import * as contract from "@stocktake/contract";
import pg from "pg";
import { expect, test } from "vitest";
import { sheetsOf } from "../../paper/sheets/testing.ts";
import { readArchive } from "./archive-format.ts";
import { archivedTables } from "./archived-tables.ts";
import { archiveInEachTest, makeArchivable } from "./testing-archivable.ts";

const { archive, fileNamed, query, scene } = archiveInEachTest();

async function scansLeft(): Promise<number | null> {
  return (await query("select from scans where session_id = $1", [scene.session._id])).rowCount;
}

/** How many connections wait for a lock. */
async function waiting(): Promise<number | null> {
  const { rowCount } = await query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount;
}

test("a change that is under way is in the file, and one that waits for it is refused", async () => {
  await makeArchivable(scene);
  const changing = new pg.Client({ ...scene.server.database.connection });
  await changing.connect();
  await changing.query("begin");
  await changing.query("select from sessions where id = $1 for no key update", [scene.session._id]);
  await changing.query(
    `insert into count_adjustments (session_id, sku, previous_count, new_count, user_id)
     select $1, 'JK-1002', 0, 5, id from users where role = 'admin'`,
    [scene.session._id],
  );
  const file = fileNamed("under-way");
  const done = archive(file);
  await expect
    .poll(async () => {
      const { rowCount } = await query(
        `select from pg_stat_activity where datname = current_database()
         and application_name = 'stocktake-archive' and wait_event_type = 'Lock'`,
      );
      return rowCount;
    })
    .toBe(1);
  const params = { sessionId: scene.session._id };
  const refused = scene.server.admin.refusal(contract.adjustCount, {
    params,
    body: { sku: "JK-1000", newCount: 9 },
  });
  await expect.poll(waiting).toBe(2);
  await changing.query("commit");
  await changing.end();
  expect(await done).toMatchObject({ kind: "archived" });
  expect(await refused).toMatchObject({ code: "SESSION_ARCHIVED" });
  const { manifest } = await readArchive(file);
  expect(manifest.tables.count_adjustments?.rows).toBe(2);
  const kept = await query("select counted from archived_counts where session_id = $1 and sku = 'JK-1002'", [
    scene.session._id,
  ]);
  expect(kept.rows.map(({ counted }) => Number(counted))).toEqual([5]);
});

test("cut off between the file and the deletion the rows are there, the file is not, and it can be done again into the same", async () => {
  await makeArchivable(scene);
  const file = fileNamed("cut-off");
  // A row that somebody holds lets the deletion wait, with the file written.
  const holder = new pg.Client({ ...scene.server.database.connection });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from scan_totals where session_id = $1 for update", [scene.session._id]);
  const cut = archive(file).catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const { rows } = await query(
        `select pid from pg_stat_activity where datname = current_database()
         and application_name = 'stocktake-archive' and wait_event_type = 'Lock'`,
      );
      for (const { pid } of rows) await query("select pg_terminate_backend($1)", [pid]);
      return rows.length;
    })
    .toBeGreaterThan(0);
  expect(await cut).toBeInstanceOf(Error);
  await holder.end();
  expect(await scansLeft()).toBe(4);
  await expect(readArchive(file)).rejects.toThrow("ENOENT");
  expect(await archive(file)).toMatchObject({ kind: "archived" });
  for (const table of archivedTables) {
    const { rowCount } = await query(`select from ${table} where session_id = $1`, [scene.session._id]);
    expect([table, rowCount]).toEqual([table, 0]);
  }
});

test("where somebody changed the session meanwhile, the same command can be given again as it says", async () => {
  await makeArchivable(scene);
  const file = fileNamed("changed");
  const changing = new pg.Client({ ...scene.server.database.connection });
  await changing.connect();
  await changing.query("begin");
  await changing.query("update scan_totals set quantity = quantity where session_id = $1", [
    scene.session._id,
  ]);
  const refused = archive(file).catch((error: unknown) => error);
  await expect.poll(waiting).toBe(1);
  await changing.query("commit");
  await changing.end();
  expect(await refused).toMatchObject({
    message: expect.stringMatching(/^Somebody changed the session meanwhile .+ Run the command again\.$/),
  });
  expect(await scansLeft()).toBe(4);
  expect(await archive(file)).toMatchObject({ kind: "archived" });
});

test("cut off in its commit, it keeps the file, which may hold all that is left, and says so", async () => {
  await makeArchivable(scene);
  const file = fileNamed("committing");
  await query(`
    create function cut_off() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
    create constraint trigger cut_off after insert on session_archives deferrable initially deferred
      for each row execute function cut_off()`);
  const cut = await archive(file).catch((error: unknown) => error);
  await query("drop trigger cut_off on session_archives; drop function cut_off()");
  expect(cut).toMatchObject({
    message: expect.stringMatching(/^The archive failed at its very end: .+-committing is kept\. Run the /),
  });
  const { header } = await readArchive(file);
  expect(header.session.id).toBe(scene.session._id);
  expect(await archive(fileNamed("committing-again"))).toMatchObject({ kind: "archived" });
});

test("once the session is not held any more, its rows stay", async () => {
  await makeArchivable(scene);
  const holder = new pg.Client({ ...scene.server.database.connection });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from scan_totals where session_id = $1 for update", [scene.session._id]);
  const cut = archive(fileNamed("not-held")).catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const { rows } = await query(
        `select pid, wait_event_type = 'Lock' as waits from pg_stat_activity
         where datname = current_database() and application_name = 'stocktake-archive'`,
      );
      if (!rows.some(({ waits }) => waits)) return 0;
      const hold = rows.filter(({ waits }) => !waits);
      for (const { pid } of hold) await query("select pg_terminate_backend($1)", [pid]);
      return hold.length;
    })
    .toBe(1);
  await holder.query("rollback");
  await holder.end();
  expect(await cut).toBeInstanceOf(Error);
  expect(await scansLeft()).toBe(4);
});

test("a follow-up that is asked for meanwhile waits, and is refused", async () => {
  await makeArchivable(scene);
  const holder = new pg.Client({ ...scene.server.database.connection });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from scan_totals where session_id = $1 for update", [scene.session._id]);
  const done = archive(fileNamed("followed-meanwhile"));
  await expect.poll(waiting).toBe(1);
  const given = { params: { id: scene.session._id }, body: { skus: ["JK-1000"] } };
  const followUp = scene.server.admin.send(contract.startFollowUp, given);
  await expect.poll(waiting).toBe(2);
  await holder.query("rollback");
  await holder.end();
  expect(await done).toMatchObject({ kind: "archived" });
  expect(await followUp).toMatchObject({ status: 423, body: { code: "SESSION_ARCHIVED" } });
});

test("a count sheet that is to be declared void meanwhile waits, and is refused", async () => {
  const sheets = sheetsOf(scene);
  const [sheet] = await sheets.print();
  await makeArchivable(scene);
  const holder = new pg.Client({ ...scene.server.database.connection });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from scan_totals where session_id = $1 for update", [scene.session._id]);
  const done = archive(fileNamed("void-meanwhile"));
  await expect.poll(waiting).toBe(1);
  const voided = sheets.declareVoid(sheet?.number ?? 0);
  await expect.poll(waiting).toBe(2);
  await holder.query("rollback");
  await holder.end();
  expect(await done).toMatchObject({ kind: "archived" });
  expect(await voided).toMatchObject({ status: 423, body: { code: "SESSION_ARCHIVED" } });
});

test("it waits for a migration that is under way, and sees the schema that this leaves", async () => {
  await makeArchivable(scene);
  const migrating = new pg.Client({ ...scene.server.database.connection });
  await migrating.connect();
  const { rows } = await migrating.query(
    "select pg_advisory_lock(7825611903), checksum from schema_migrations where version = 52",
  );
  const done = archive(fileNamed("migrated")).catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const { rowCount } = await query(
        `select from pg_stat_activity where datname = current_database()
         and application_name = 'stocktake-archive' and wait_event = 'advisory'`,
      );
      return rowCount;
    })
    .toBe(1);
  const setChecksum = "update schema_migrations set checksum = $1 where version = 52";
  await migrating.query(setChecksum, ["another"]);
  await migrating.end();
  expect(await done).toMatchObject({
    message: expect.stringMatching(/^This database is of another release/),
  });
  await query(setChecksum, [rows[0]?.checksum]);
});

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { make, nameOf, nowhere, samples } from "../../assembly/http/testing.ts";
import { runVerifyAudit } from "../../audit/audit.ts";
import { AuditWalk, walkThroughEverything } from "../../audit/testing-walk.ts";
import { addressOf, makeTemporaryFolder } from "../../database/testing.ts";
import { writtenBy } from "../../reports/auditors-file/testing.ts";
import { expectTotalsToMatchScans } from "../../scanning/testing/scene.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { readArchive } from "./archive-format.ts";
import { archiveSession } from "./archive-session.ts";
import { archivedTables } from "./archived-tables.ts";
import { bringBack } from "./bring-back.ts";

/*
 * A session in which every call was made that changes anything, with a row in every table of an archive, and a follow-up of it: there and
 * back again.
 */

let server: TestServer;
let folder: string;
let file: string;
let sessionId: string;
let followUpId: string;
let plannedSessionId: string;

const query = (text: string, values: unknown[] = []) => server.database.pool.query(text, values);

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  file = join(folder, "spring.archive");
  server = await startTestServer();
  ({ sessionId, followUpId, plannedSessionId } = await walkThroughEverything(new AuditWalk(server)));
  // The follow-up ended after it, as before.
  await query(
    "update sessions set started_at = started_at - $1::interval, ended_at = ended_at - $1::interval",
    ["20 days"],
  );
  for (const table of ["area_statements", "device_statements", "left_alone_items", "coverage_certificates"]) {
    await query(
      `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(other) || jsonb_build_object('session_id', $1::uuid))).*
       from ${table} other where session_id = $2`,
      [sessionId, plannedSessionId],
    );
  }
  await query(
    `insert into tolerance_statements (session_id, sku, reason, counted, stated_by)
     select $1, 'JK-1002', 'No time', 3, id from users where role = 'admin'`,
    [sessionId],
  );
  await query("insert into tags values ($1, 'a-tag')", [sessionId]);
  await query("insert into stock_gaps values ($1, now() - interval '20 days', now() - interval '20 days')", [
    sessionId,
  ]);
  await query("insert into moved_codes values ($1, 'JK-1001', 'JK-1002')", [sessionId]);
  await query(
    "insert into uncertain_figures (session_id, sku, reason) values ($1, 'JK-1002', 'MOVED_SINCE_BACKUP')",
    [sessionId],
  );
  await query(
    `insert into included_figures (session_id, sku, reason, counted, included_by)
     select $1, 'JK-1002', 'MOVED_SINCE_BACKUP', 0, id from users where role = 'admin'`,
    [sessionId],
  );
  await query(
    `insert into session_left_out_areas select $1, id from areas
     where store_id = (select store_id from sessions where id = $1) limit 1`,
    [sessionId],
  );
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const connection = () => server.database.connection;

/** Every call that reads something of the session, as an administrator sees it, by its name. */
async function everythingRead(): Promise<ReadonlyMap<string, { status: number; body: unknown }>> {
  const place = { ...nowhere, sessionId, ...(await placeOf()) };
  const read = new Map<string, { status: number; body: unknown }>();
  for (const { name, call, given } of samples) {
    if (call.method !== "GET" || call === contract.events) continue;
    const form = given(place);
    if (!JSON.stringify(form).includes(sessionId) && !namesAdjustment(form, place)) continue;
    const { status, body } = await make(server.admin, call, form);
    read.set(name, { status, body });
  }
  return read;
}

const namesAdjustment = (form: object, { adjustmentId }: { adjustmentId: string }) =>
  JSON.stringify(form).includes(adjustmentId);

async function placeOf() {
  const { rows } = await query(
    `select area.id as "areaId", area.code as "areaCode", area.location_id as "locationId", area.store_id as "storeId",
       (select id from adjustments where session_id = $1 limit 1) as "adjustmentId"
     from area_passes pass join areas area on area.id = pass.area_id where pass.session_id = $1 limit 1`,
    [sessionId],
  );
  return rows[0];
}

async function lastHash(): Promise<string> {
  const { rows } = await query("select last_hash from audit_chains where chain = $1", [sessionId]);
  return rows[0].last_hash;
}

async function verifyAudit() {
  const output = new PassThrough();
  const readConfig = () => ({ databaseUrl: addressOf(connection()), dataDir: "" });
  const code = await runVerifyAudit({ args: [], readConfig, output, errors: output });
  return { code, output: String(output.read()) };
}

/** These show what stays in the database; a device that has lost its numbers begins anew (came-since.ts). */
const goOn = [
  contract.listAudit,
  contract.exportAudit,
  contract.listInvitations,
  contract.listEarlierCounters,
  contract.readSessionCode,
  contract.deviceMaxSequence,
].map(nameOf);

/** Archiving and bringing back are entries of the session's chain of the audit log, which these show. */
const withEntries = [contract.listAudit, contract.exportAudit, contract.writeAuditorsFile].map(nameOf);

describe("a session that is archived and brought back", () => {
  test("is as it was in every call, its other sessions all the while, and the audit log is whole", async () => {
    const records = await fileOf();
    const [before, hashBefore] = [await everythingRead(), await lastHash()];
    const followUp = await reportOf(followUpId);
    const workBefore = await workOf();

    const archived = await archiveSession(connection(), { session: sessionId.slice(-8), file });
    expect(archived).toMatchObject({ kind: "archived", tables: archivedTables.size });
    for (const table of archivedTables) {
      expect([
        table,
        (await query(`select from ${table} where session_id = $1`, [sessionId])).rowCount,
      ]).toEqual([table, 0]);
    }
    const { manifest } = await readArchive(file);
    expect(Object.entries(manifest.tables).filter(([, { rows }]) => rows === 0)).toEqual([]);
    for (const [name, { status, body }] of await everythingRead()) {
      if (goOn.includes(name)) {
        expect([name, status]).toEqual([name, 200]);
        continue;
      }
      const was = before.get(name);
      // What is refused of any session that has ended may be refused as it was.
      expect(was?.status === 200 ? [refusal] : [refusal, was?.body], name).toContainEqual(body);
    }
    expect(await reportOf(followUpId)).toEqual(followUp);
    expect(await verifyAudit()).toMatchObject({ code: 0 });

    const back = await bringBack(connection(), file);
    expect(back).toMatchObject({ kind: "brought_back", rows: archived.kind === "archived" && archived.rows });
    const [after, hashAfter] = [await everythingRead(), await lastHash()];
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [name, was] of before) {
      if (withEntries.includes(name)) continue;
      const is = JSON.stringify(after.get(name));
      expect([name, is.replaceAll(hashAfter, "the last hash")]).toEqual([
        name,
        JSON.stringify(was).replaceAll(hashBefore, "the last hash"),
      ]);
    }
    expect(await workOf()).toEqual(workBefore);
    await expectTotalsToMatchScans(server.database.database);
    expect(await verifyAudit()).toMatchObject({ code: 0 });
    expect(await fileOf()).toEqual(records);
  });
});

describe("a session that is archived", () => {
  test("refuses every call that would change it with where it is, but for what is refused of any session that has ended", async () => {
    const archived = join(folder, "refusing.archive");
    await archiveSession(connection(), { session: sessionId, file: archived });
    await query(
      "update stores set deleted_at = null where id = (select store_id from sessions where id = $1)",
      [sessionId],
    );
    const place = { ...nowhere, sessionId, ...(await placeOf()) };
    const answers = new Map<string, string>();
    for (const { name, call, given } of samples) {
      const form = given(place);
      const isAbout = JSON.stringify(form).includes(sessionId) || namesAdjustment(form, place);
      if (call.method === "GET" || !isAbout) continue;
      const { status, body } = await make(server.admin, call, form);
      answers.set(name, Object(body).code ?? status);
    }
    const saysSo = [...answers].filter(([, answer]) => answer === "SESSION_ARCHIVED").map(([name]) => name);
    const others = [...answers].filter(([name]) => !saysSo.includes(name));
    expect(saysSo).toContain(nameOf(contract.voidSheet));
    expect(Object.fromEntries(others)).toEqual({
      ...Object.fromEntries(refusedAsEnded.map((name) => [name, "SESSION_CLOSED"])),
      [nameOf(contract.postScan)]: 201,
      [nameOf(contract.postScanBatch)]: 200,
      [nameOf(contract.reportQueue)]: 200,
    });
  });
});

/** Nothing more is counted, and nobody joins. A device takes the 409 of its reset or finish as final, and would repeat a 423 without an end. */
const refusedAsEnded = [
  contract.askSecondCounts,
  contract.drawSample,
  contract.createInvitation,
  contract.openSessionCode,
  contract.resetArea,
  contract.finishArea,
  contract.checkCountRows,
  contract.storeCountRows,
  contract.printSheets,
].map(nameOf);

/** The records of the auditor's file but for what writing it, archiving and bringing back add to the audit log. */
async function fileOf() {
  const records = (await writtenBy(server.admin, sessionId)).map(({ record }) => record);
  const added = ["auditors_file.written", "session.archived", "session.brought_back"];
  return records
    .filter(({ is, action }) => is !== "entry" || !added.includes(String(action)))
    .map(({ auditHash: _auditHash, ...record }) => record);
}

const refusal = {
  code: "SESSION_ARCHIVED",
  error: expect.stringMatching(
    /^This session was archived on \d{4}-\d\d-\d\d: its counts and its report are in the file spring\.archive\. To see it, bring it back on the server: bring-back spring\.archive$/,
  ),
};

function reportOf(id: string) {
  return server.admin.call(contract.varianceReport, { params: { sessionId: id }, query: { view: "all" } });
}

async function workOf() {
  const { rows } = await query(
    "select * from device_work where session_id = $1 order by area_id, pass, device_id, scanned_by",
    [sessionId],
  );
  return rows;
}

import {
  decideExceptions,
  endSession,
  exceptionGroups,
  exportScans,
  passOfNoCount,
  undoScan,
  varianceReport,
} from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CountingScene, codes, firstArea, scan, startCounting } from "../scanning/testing/scene.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { strictRecords } from "./testing/strict-csv.ts";

let server: TestServer;
let scene: CountingScene;

beforeAll(async () => {
  server = await startTestServer();
  scene = await startCounting(server);
});
afterAll(() => server.close());

/** The lines of the file, each by its headers. */
async function exported(): Promise<Record<string, string>[]> {
  const { status, headers, body } = await server.admin.send(exportScans, {
    params: { sessionId: scene.session._id },
  });
  expect(status).toBe(200);
  expect(headers.get("content-disposition")).toBe(`attachment; filename="scans-${scene.session._id}.csv"`);
  // Reading a body as text drops the byte order mark.
  const [header = [], ...records] = strictRecords(String(body));
  return records.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])));
}

/** Dismisses every scan that waits. */
async function dismissWaiting(reason: string): Promise<void> {
  const params = { id: scene.session._id };
  const { groups } = await server.admin.call(exceptionGroups, { params, query: {} });
  const scanIds = groups.flatMap((group) => group.scanIds);
  await server.admin.call(decideExceptions, { params, body: { action: "dismiss", scanIds, reason } });
}

test("the file of scans says of each who made it when and where, its code and what became of it, and runs no formula", async () => {
  const { counter } = scene;
  expect(await server.admin.refusal(exportScans, { params: { sessionId: scene.session._id } })).toMatchObject(
    {
      code: "SESSION_ACTIVE",
    },
  );
  await scan(scene, { seq: 1, quantity: 12, scannedAt: "2026-03-01T10:00:00.000Z" });
  await scan(scene, { seq: 2, input: "=1+1", method: "manual" });
  await scan(scene, { seq: 3, input: codes.jacketM.input });
  await counter.api.call(undoScan, { body: { ...firstArea(scene), deviceId: "device-1", seq: 3 } });
  await scan(scene, { seq: 1, deviceId: "device-0" });
  await scan(scene, { seq: 1, deviceId: "device-2", pass: passOfNoCount });
  await server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  await dismissWaiting("=not ours");

  const lines = await exported();
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatchObject({ Device: "device-0", Number: "1", Outcome: "counted" });
  expect(lines[1]).toMatchObject({
    "Scanned At": "2026-03-01T10:00:00.000Z",
    Device: "device-1",
    "Area Code": "A1",
    Area: "Area A1",
    Pass: "2",
    Code: codes.jacketS.input,
    Input: "scanned",
    Quantity: "12",
    SKU: codes.jacketS.sku,
    Product: "Jacket",
    Size: "S",
    Outcome: "counted",
    Reason: "",
  });
  expect(lines[2]).toMatchObject({
    Code: "'=1+1",
    Input: "typed",
    SKU: "",
    Outcome: "voided",
    Reason: "dismissed",
    "Decided By": "admin",
    "Decision Reason": "'=not ours",
  });
  expect(lines[3]).toMatchObject({ SKU: codes.jacketM.sku, Outcome: "voided", Reason: "undone" });
  expect(lines[3]?.["Decided At"]).not.toBe("");
  expect(lines[4]).toMatchObject({ Pass: "", Outcome: "voided" });
  const { auditHash, cover } = await server.admin.call(varianceReport, {
    params: { sessionId: scene.session._id },
  });
  expect(new Set(lines.map((line) => line["Audit Hash"]))).toEqual(new Set([auditHash]));
  expect(cover?.counters).toEqual([{ username: lines[1]?.Counter, units: 13 }]);
  expect(cover?.areas).toBeGreaterThan(0);
});

test("a scan that was accepted and then superseded by the server names nobody who decided that", async () => {
  await sql`
    update scans set resolved_by = (select id from users where username = 'admin'), resolved_at = now() - interval '1 hour', voided_at = now(),
      status = 'voided', reason = 'SUPERSEDED'
    where session_id = ${scene.session._id} and seq = 1 and device_id = 'device-0'`.execute(
    server.database.database,
  );
  const line = (await exported()).find(({ Device }) => Device === "device-0");
  expect(line).toMatchObject({ Outcome: "voided", "Decided By": "" });
});

test("a file of more scans than are in memory at a time has each of them once", async () => {
  await sql`
    insert into scans (session_id, store_id, location_id, area_id, pass, device_id, seq, input, input_type, method, status,
      scanned_at, scanned_by, sent_by)
    select session_id, store_id, location_id, area_id, pass, 'device-' || number % 3, 10 + number, 'MANY', 'sku', 'scan',
      'voided', scanned_at, scanned_by, sent_by
    from (select * from scans where session_id = ${scene.session._id} limit 1) one,
      generate_series(1, 2500) number`.execute(server.database.database);
  const lines = await exported();
  expect(lines).toHaveLength(2_505);
  expect(new Set(lines.map(({ Device, Number: number }) => `${Device} ${number}`)).size).toBe(2_505);
});

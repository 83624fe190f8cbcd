import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { PendingScan } from "../database/records.ts";
import { settings, writeSetting } from "../database/settings.ts";
import { beginReport, owedReports } from "../outbox/queue-reports.ts";
import type { OutgoingCall, RawResponse } from "../ports.ts";
import { createEngineHarness } from "../testing/engine-harness.ts";
import { scanPayload, sendScans } from "./send-scans.ts";

const now = "2026-03-01T08:00:00.000Z";

function answered(status: number, body: unknown, epoch: string | null = null): RawResponse {
  return { kind: "answer", status, body, retryAfterMs: null, epoch };
}

function stored(seq: number, httpStatus = 201) {
  const scan = { _id: "1", seq, sku: "SKU-1", productTitle: "Shirt", size: "M", areaCode: "A1", pass: 1 };
  return { httpStatus, scan, status: "counted", reason: null, duplicate: false };
}

const conflict = { httpStatus: 409, error: "Taken.", code: "SEQ_CONFLICT", nextSeq: 40 };
const busy = { httpStatus: 503, error: "Busy.", code: "OVERLOADED" };
const nobody = { httpStatus: 400, error: "Nobody.", code: "VALIDATION", details: [{ field: "scannedById" }] };
const taken = { httpStatus: 409, error: "Taken.", code: "OPERATION_REUSED" };
const missing = { httpStatus: 404, error: "Not found.", code: "NOT_FOUND" };

/** A device with so many scans, and a server that returns these responses one after the other. */
async function device(count: number, ...responses: readonly RawResponse[]) {
  const { bus, clock, database, events, scan, scanRow } = await createEngineHarness();
  const scans: PendingScan[] = [];
  for (let number = 1; number <= count; number += 1) scans.push(await scan(`code-${number}`));
  const calls: OutgoingCall[] = [];
  const waiting = [...responses];
  const send = async (call: OutgoingCall) => {
    calls.push(call);
    return waiting.shift() ?? ({ kind: "no_answer" } as const);
  };
  const access = { isIn: true, asked: 0 };
  const sessionAccess = {
    maySend: () => true,
    canAccess: async () => {
      access.asked += 1;
      return { kind: "done", answer: access.isIn } as const;
    },
    startOver: () => undefined,
  };
  const ports = { database, send, clock, bus, sessionAccess, heard: () => null };
  return {
    ...{ access, calls, database, events, scan, scanRow },
    paths: () => calls.map(({ method, path }) => `${method} ${path}`),
    states: async () => (await database.getAll("pendingScans")).map(({ synced }) => synced),
    send: (pending = 0, rows: readonly PendingScan[] = scans) => sendScans(ports, rows, pending),
    owe: () => beginReport(database, { sessionId: "session-1", deviceId: "device-1", pending: 1 }, 0),
    owed: async () => (await owedReports(database)).map(({ sessionId }) => sessionId),
    scans,
  };
}

describe("S10: the calls that scans are sent with", () => {
  it("are none where there is nothing to send", async () => {
    const { calls, events, send } = await device(0);
    const before = events.length;
    expect(await send()).toBeNull();
    expect([calls, events.slice(before)]).toEqual([[], []]);
  });

  it.each([
    ["one, of which none remain", 1, 0, {}, "/api/scan"],
    ["one, of which others remain", 1, 3, {}, "/api/scan/batch"],
    ["one after which the server still has an earlier number", 1, 0, { "session-1": 2 }, "/api/scan/batch"],
    ["one, where only another session has an earlier number", 1, 0, { "session-2": 2 }, "/api/scan"],
    ["two", 2, 0, {}, "/api/scan/batch"],
  ])("%s", async (_name, count, pending, reported, path) => {
    const { calls, database, paths, send } = await device(count);
    await writeSetting(database, settings.reportedPending, reported, now);
    await writeSetting(database, settings.deviceId, "device-1", now);
    expect(await send(pending)).toEqual({ kind: "failed", why: "no_answer", retryAfterMs: null });
    expect(paths()).toEqual([`POST ${path}`]);
    const body = z.parse(z.looseObject({ pending: z.optional(z.number()) }), calls[0]?.body);
    expect(body.pending).toBe(pending > 0 || "session-1" in reported ? pending : undefined);
  });

  it("owe another report from one that rows remain on, until the server has stored a scan with one that none do", async () => {
    const both = answered(200, { results: [stored(1), stored(2)] });
    const none = answered(200, { results: [busy, busy] });
    const { calls, owed, send } = await device(2, none, both, none, both);
    for (const pending of [3, 3, 0, 0]) {
      expect(await owed()).toEqual(pending === 3 && calls.length === 0 ? [] : ["session-1"]);
      await send(pending);
    }
    expect(await owed()).toEqual([]);
    const orders: number[] = calls.map(({ body }) => Object(body).pendingOrder);
    expect(new Set(orders).size).toBe(4);
    expect(orders).toEqual(orders.toSorted((left, right) => left - right));
  });

  it("are one by one after a batch was refused as a whole, up to the first failure", async () => {
    const refused = answered(413, { error: "Too large.", code: "PAYLOAD_TOO_LARGE" });
    const { owed, paths, send, states } = await device(3, refused, answered(201, stored(1)));
    expect(await send(5)).toMatchObject({ why: "no_answer" });
    expect(paths()).toEqual(["POST /api/scan/batch", "POST /api/scan", "POST /api/scan"]);
    expect(await states()).toEqual([true, false, false]);
    expect(await owed()).toEqual(["session-1"]);
  });

  it.each([
    ["refuses them as a whole", answered(413, { error: "Too large.", code: "PAYLOAD_TOO_LARGE" }), true],
    ["answers with fewer results", answered(200, { results: [stored(1)] }), true],
    ["stores one of them and is to be asked again", answered(200, { results: [stored(1), busy] }), true],
    ["stores one of them under another number", answered(200, { results: [stored(1), conflict] }), true],
    ["stores one of them and does not know a person", answered(200, { results: [stored(1), nobody] }), true],
    ["stores one of them and may not find the other", answered(200, { results: [stored(1), missing] }), true],
    ["stores one of them and refuses the other", answered(200, { results: [stored(1), taken] }), false],
  ])("owe the last report still, or not, where the server %s", async (_name, response, isOwed) => {
    const { owe, owed, send } = await device(2, response, answered(201, stored(1)), answered(201, stored(2)));
    await owe();
    await send(0);
    expect(await owed()).toEqual(isOwed ? ["session-1"] : []);
  });

  it("end where the server turns out to be restored in between; what it said before that settles nothing", async () => {
    const refused = answered(413, { error: "Too large.", code: "PAYLOAD_TOO_LARGE" });
    const { calls, database, send, states } = await device(
      3,
      refused,
      answered(201, stored(1), "epoch-1"),
      answered(201, stored(2), "epoch-2"),
    );
    await writeSetting(database, settings.serverEpoch, "epoch-2", now);
    expect(await send()).toBeNull();
    expect(calls).toHaveLength(3);
    expect(await states()).toEqual([false, false, false]);
  });

  it("go on where a response in between does not name the server's life", async () => {
    const refused = answered(413, { error: "Too large.", code: "PAYLOAD_TOO_LARGE" });
    const { database, send, states } = await device(
      3,
      refused,
      answered(201, stored(1), "epoch-1"),
      answered(201, stored(2)),
      answered(201, stored(3), "epoch-1"),
    );
    await writeSetting(database, settings.serverEpoch, "epoch-1", now);
    expect(await send()).toBeNull();
    expect(await states()).toEqual([true, true, true]);
  });
});

describe("S12 to S14: what the results of a batch mean", () => {
  it.each([
    ["fewer than scans", [stored(1)]],
    ["more than scans", [stored(1), stored(2), stored(3)]],
    ["none that can be read", ["yes", "yes"]],
    ["none that say their status", [1, 2].map(() => ({ error: "No.", code: "VALIDATION" }))],
  ])("nothing, where there are %s", async (_name, results) => {
    const { owed, send, states } = await device(2, answered(200, { results }));
    expect(await send(4)).toMatchObject({ why: "no_answer", retryAfterMs: null });
    expect(await states()).toEqual([false, false]);
    expect(await owed()).toEqual(["session-1"]);
  });

  it("the units and what became of a tag are kept as the server says them, and nothing where it says nothing", async () => {
    const plain = stored(1);
    const told = { ...stored(2), tag: "TAG_COUNTED" };
    const results = [plain, { ...told, scan: { ...told.scan, quantity: 12 } }];
    const { database, send } = await device(2, answered(200, { results }));
    await send();
    const rows = await database.getAll("pendingScans");
    expect(rows.map(({ acknowledgement }) => acknowledgement)).toStrictEqual([
      { status: "counted", reason: null },
      { status: "counted", reason: null, quantity: 12, tag: "TAG_COUNTED" },
    ]);
  });

  it("a failure ends the run and counts for the first scan alone; those stored after it are acknowledged", async () => {
    const results = [busy, conflict, busy, stored(4)];
    const { database, events, send } = await device(4, answered(200, { results }));
    expect(await send()).toMatchObject({ why: "busy" });
    const rows = await database.getAll("pendingScans");
    expect(rows.map(({ retryCount, renumbered, synced }) => [retryCount, renumbered, synced])).toEqual([
      [1, 0, false],
      [0, 0, false],
      [0, 0, false],
      [0, 0, true],
    ]);
    expect(events.at(-1)).toMatchObject({ type: "scans_settled", scans: [{ id: 1 }, { id: 4 }] });
  });

  it.each([
    [3, null],
    [4, { why: "busy", retryAfterMs: null }],
  ])(
    "after %s other conflicts one more is followed at once, or slowly from the fifth on",
    async (before, failure) => {
      const { database, scanRow, scans, send } = await device(1, answered(409, conflict));
      const rows = scans.map((scan) => ({ ...scan, renumbered: before }));
      for (const row of rows) await database.put("pendingScans", row);
      expect(await send(0, rows)).toEqual(failure);
      expect(await scanRow(1)).toMatchObject({ seq: 40, renumbered: before + 1 });
    },
  );

  it("a scanner whom the server does not know is left out from then on, and refused only if it is still not taken", async () => {
    const { calls, scanRow, send } = await device(1, answered(400, nobody), answered(400, nobody));
    expect(await send()).toBeNull();
    const row = await scanRow(1);
    expect(row).toMatchObject({ isScannerUnknown: true, refusal: null });
    expect(await send(0, [row])).toBeNull();
    expect(await scanRow(1)).toMatchObject({ refusal: { code: "VALIDATION" } });
    expect(calls.map(({ body }) => Object(body).scannedById)).toEqual(["user-1", undefined]);
  });

  it("what is not found is refused where the login has access to the session, else left as it is", async () => {
    const { access, scanRow, send } = await device(1, answered(404, missing), answered(404, missing));
    access.isIn = false;
    expect(await send()).toBeNull();
    expect(await scanRow(1)).toMatchObject({ refusal: null, retryCount: 0 });
    access.isIn = true;
    expect(await send()).toBeNull();
    expect(await scanRow(1)).toMatchObject({ refusal: { httpStatus: 404, code: "NOT_FOUND" } });
  });

  it("the product is the one that the server found", async () => {
    const { scanRow, send } = await device(1, answered(201, stored(6)));
    expect(await send()).toBeNull();
    const found = { sku: "SKU-1", productTitle: "Shirt", size: "M" };
    const acknowledgement = { status: "counted", reason: null };
    expect(await scanRow(1)).toMatchObject({ ...found, seq: 6, synced: true, acknowledgement });
  });
});

it("a scan's payload says all that the server needs, and one unit by saying nothing", async () => {
  const { scans } = await device(1);
  const [scan] = scans;
  if (scan === undefined) throw new Error("There is no scan.");
  const payload = {
    ...{ sessionId: "session-1", storeId: "store-1", locationId: "location-1", areaCode: "A1", pass: 1 },
    ...{ input: "code-1", inputType: "barcode", method: "scan", deviceId: "device-1", seq: 1 },
    ...{ opId: scan.opId, scannedAt: scan.scannedAt, scannedById: "user-1" },
  };
  expect(scanPayload(scan, null)).toEqual(payload);
  expect(scanPayload({ ...scan, quantity: 1 }, null)).toEqual(payload);
  expect(scanPayload({ ...scan, quantity: 48 }, null)).toEqual({ ...payload, quantity: 48 });
});

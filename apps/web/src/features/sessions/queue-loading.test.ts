import { limits, listSessions, postScan, postScanBatch, reportQueue, undoScan } from "@stocktake/contract";
import { describe, expect, it, vi } from "vitest";
import type { QueueFile, Timers } from "../../offline/offline.ts";
import { areaOne } from "../../offline/testing/engine-harness.ts";
import { admin, session } from "../../testing/examples.ts";
import { FakeServer, type SentCall } from "../../testing/fake-server.ts";
import { createQueueLoading } from "./queue-loading.ts";

/** The server's own limit of scans a second for one login. */
const scansASecond = 2000;

interface SentScan {
  readonly opId: string;
  readonly seq: number;
}

const sentScans = ({ body }: SentCall): SentScan[] => Object(body).scans;

function fileOf(length: number): QueueFile {
  const { sessionId, storeId, locationId, areaCode, pass } = areaOne;
  const scans = Array.from({ length }, (_none, place) => ({
    ...{ id: place + 1, order: place + 1, opId: `operation-${place + 1}`, deviceId: "device-1", pass },
    ...{ sessionId, storeId, locationId, areaCode, input: "4006381333931", seq: place + 1 },
    ...{ inputType: "barcode" as const, method: "scan" as const, scannedAt: "2026-03-01T08:00:00.000Z" },
    ...{ scannedById: "user-1", undone: false },
  }));
  const nothing = { scans: [], operations: [] };
  return {
    ...{ format: "stocktake-queue" as const, version: 1 as const, deviceId: "device-1" },
    ...{ exportedAt: "2026-03-01T09:00:00.000Z", unsent: { scans, operations: [] }, refused: nothing },
  };
}

/** The first of its scans undone. */
function withUndo(file: QueueFile): QueueFile {
  const [scan, ...others] = file.unsent.scans;
  if (scan === undefined) return file;
  const undo = { ...scan, kind: "undo" as const, opId: "undo-1", targetId: scan.id, targetSeq: scan.seq };
  return { ...file, unsent: { scans: [{ ...scan, undone: true }, ...others], operations: [undo] } };
}

function resultOf({ seq }: SentScan, duplicate: boolean) {
  return {
    ...{ httpStatus: duplicate ? 200 : 201, status: "counted" as const, reason: null, duplicate },
    scan: { _id: "1", seq, sku: "SKU-1", productTitle: null, size: null, areaCode: "A1", pass: 1 },
  };
}

/** A server that takes so many scans a second, as the real one does, and a time that only the waits of the loading move. */
function limitedServer() {
  const server = new FakeServer(admin);
  server.answer(listSessions, { sessions: [session({ _id: areaOne.sessionId, status: "active" })] });
  server.answer(reportQueue, { success: true });
  const stored = new Set<string>();
  const waits: number[] = [];
  let left = scansASecond;
  const refused = { error: "Too many scans at once.", code: "RATE_LIMITED" };
  const sent = server.answerWith(postScanBatch, (call) => {
    const scans = sentScans(call);
    if (scans.length > left) {
      const seconds = Math.max(1, Math.ceil((scans.length - left) / scansASecond));
      return Response.json(refused, { status: 429, headers: { "Retry-After": String(seconds) } });
    }
    left -= scans.length;
    const results = scans.map((scan) => resultOf(scan, stored.has(scan.opId)));
    for (const { opId } of scans) stored.add(opId);
    return Response.json({ results });
  });
  const timers: Timers = {
    after(milliseconds, work) {
      waits.push(milliseconds);
      left = Math.min(scansASecond, left + (milliseconds * scansASecond) / 1000);
      queueMicrotask(work);
      return () => undefined;
    },
  };
  return { server, stored, waits, sent, timers };
}

it("S29, S10: of a long file each call says how much of it is left then", async () => {
  const { sent, timers } = limitedServer();
  await createQueueLoading({ ...fileOf(1200), lastReport: 7 }, timers).start();
  expect(sent.map(({ body }) => Object(body).pending)).toEqual([700, 200, 0]);
});

it("S29, S13: where a call is refused as a whole its scans are sent one by one, and each is taken or refused by itself", async () => {
  const { server, timers } = limitedServer();
  const whole = server.answerWith(postScanBatch, () =>
    Response.json({ error: "deviceKey is malformed.", code: "VALIDATION" }, { status: 400 }),
  );
  const single = server.answerWith(postScan, ({ body }) => {
    const scan: SentScan = Object(body);
    if (scan.seq !== 2) return Response.json(resultOf(scan, scan.seq === 3), { status: 201 });
    return Response.json({ error: "Such an area is not there.", code: "NOT_FOUND" }, { status: 404 });
  });
  const loading = createQueueLoading({ ...fileOf(3), lastReport: 7 }, timers);
  await loading.start();
  expect(loading.get()).toMatchObject({
    ...{ status: "done", done: 3 },
    report: { counted: 2, known: 1, refused: [{ opId: "operation-2", error: "Such an area is not there." }] },
  });
  expect([whole.length, single.map(({ body }) => Object(body).seq)]).toEqual([1, [1, 2, 3]]);
});

it("S29: a call that is refused for a reason which says nothing of the scans stops the loading, and is made again", async () => {
  const { server, timers } = limitedServer();
  server.answerWith(postScanBatch, () =>
    Response.json({ error: "Another address.", code: "FORBIDDEN" }, { status: 403 }),
  );
  const loading = createQueueLoading(fileOf(3), timers);
  await loading.start();
  expect(loading.get()).toMatchObject({ status: "failed", done: 0, error: { status: 403 } });
});

it.each([400, 404, 409, 413])(
  "S29, S12: a %d that is not the server's own is no answer to scans, undos or reports",
  async (status) => {
    for (const call of [postScanBatch, undoScan, reportQueue]) {
      const { server, timers, waits } = limitedServer();
      server.answer(undoScan, { undone: { seq: 1, sku: "SKU-1" } });
      const sent = server.answerRaw(call, status, "<h1>Somebody else's page</h1>");
      const file = withUndo(fileOf(1));
      const loading = createQueueLoading({ ...file, lastReport: 7 }, timers);
      await loading.start();
      expect(loading.get().status).toBe("failed");
      expect([sent.length, waits.length]).toEqual([9, 8]);
    }
  },
);

describe("loading 6,000 scans", () => {
  it("S29: waits as long as the server asks and goes on from there, each scan sent once", async () => {
    const { stored, waits, sent, timers } = limitedServer();
    const loading = createQueueLoading(fileOf(6000), timers);
    const progress: number[] = [];
    loading.subscribe(() => progress.push(loading.get().done));
    await loading.start();
    expect(loading.get()).toMatchObject({
      status: "done",
      done: 6000,
      total: 6000,
      report: { counted: 6000 },
    });
    expect(loading.get().report?.known).toBe(0);
    expect(stored.size).toBe(6000);
    expect(waits.every((wait) => wait === 1000)).toBe(true);
    expect(sent).toHaveLength(6000 / limits.scansPerCall + waits.length);
    expect(progress).toEqual([...progress].sort((one, other) => one - other));
  });

  it("S29: stopped in the middle it goes on where it was", async () => {
    const { stored, sent, timers } = limitedServer();
    const loading = createQueueLoading(fileOf(3000), timers);
    const unsubscribe = loading.subscribe(() => {
      if (loading.get().done >= 1000) loading.stop();
    });
    await loading.start();
    expect(loading.get()).toMatchObject({ status: "stopped", done: 1000, total: 3000 });
    unsubscribe();
    const before = sent.length;
    await loading.start();
    expect(loading.get()).toMatchObject({ status: "done", report: { counted: 3000, known: 0 } });
    expect(
      sent
        .slice(before)
        .flatMap(sentScans)
        .map(({ seq }) => seq)[0],
    ).toBe(1001);
    expect(stored.size).toBe(3000);
  });

  it("S29: a wait ends at once when it is stopped", async () => {
    const { sent } = limitedServer();
    const loading = createQueueLoading(fileOf(6000), { after: () => () => undefined });
    const running = loading.start();
    await vi.waitFor(() => expect(loading.get().status).toBe("waiting"));
    loading.stop();
    await running;
    expect(loading.get()).toMatchObject({ status: "stopped", done: 2000 });
    expect(sent).toHaveLength(5);
  });

  it("S29: a connection that comes back is used again by itself, one that does not is told", async () => {
    const { server, timers, waits } = limitedServer();
    server.loseNetwork(postScanBatch);
    const loading = createQueueLoading(fileOf(1), timers);
    await loading.start();
    expect(loading.get()).toMatchObject({ status: "failed", done: 0 });
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });
});

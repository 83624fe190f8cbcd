import { type ErrorCode, postScanBatch, reportQueue, undoScan } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import type { QueueFile } from "../../offline/offline.ts";
import { areaOne } from "../../offline/testing/engine-harness.ts";
import type { SentCall } from "../../testing/fake-server.ts";
import {
  adminServer,
  loadQueue,
  type Result,
  type SentScan,
  savedQueue,
  scanAndUndo,
  sentScans,
  stored,
} from "./testing/saved-queues.ts";

describe("S29, S10: of the device's queue the server is told", () => {
  const told = ({ body }: SentCall) => [Object(body).pending, Object(body).pendingOrder];

  async function toldOf(file: QueueFile, status: "active" | "closed"): Promise<unknown[]> {
    const server = adminServer(status);
    const scans = server.answer(postScanBatch, (call) => ({
      results: sentScans(call).map((scan) => stored(scan)),
    }));
    const undos = server.answer(undoScan, { undone: { seq: 2, sku: "undone" } });
    const queues = server.answer(reportQueue, { success: true });
    await loadQueue(file);
    return [...scans, ...undos, ...queues].map(told);
  }

  const savedWork = () =>
    savedQueue(async (harness) => {
      await scanAndUndo(harness);
      await harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
    });

  it("what of the file is left, under the number of the last report before it was saved", async () => {
    const file = await savedWork();
    const numbered = { ...file, lastReport: 41 };
    expect(await toldOf(numbered, "active")).toEqual([
      [2, 41],
      [1, 41],
      [1, 41],
    ]);
    expect(await toldOf(file, "active")).toEqual([
      [2, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  it("nothing of resets and finishes once the session has ended, as none is possible any more", async () => {
    const file = { ...(await savedWork()), lastReport: 41 };
    expect(await toldOf(file, "closed")).toEqual([
      [1, 41],
      [0, 41],
      [0, 41],
    ]);
  });

  it("what is left by a file of resets and finishes alone, in whose session nothing is sent", async () => {
    const file = await savedQueue((harness) =>
      harness.operate({ kind: "finish", area: areaOne, declaredTotal: 1 }),
    );
    expect(await toldOf({ ...file, lastReport: 41 }, "active")).toEqual([[1, 41]]);
    expect(await toldOf({ ...file, lastReport: 41 }, "closed")).toEqual([[0, 41]]);
  });

  it("nothing more where the server is of an earlier release, and the file is loaded all the same", async () => {
    const file = await savedWork();
    const server = adminServer();
    server.answer(postScanBatch, (call) => ({ results: sentScans(call).map((scan) => stored(scan)) }));
    server.answer(undoScan, { undone: { seq: 2, sku: "undone" } });
    server.refuse(reportQueue, "NOT_FOUND", "There is no such call.");
    expect(await loadQueue(file)).toMatchObject({ counted: 1, undone: 1 });
  });

  it("each device's own part, where rows kept the id of before a rescue", async () => {
    const { unsent, ...file } = await savedWork();
    const [kept, ...others] = unsent.scans;
    if (kept === undefined) throw new Error("There is no scan.");
    const scans = [{ ...kept, deviceId: "device-0" }, ...others];
    expect(await toldOf({ ...file, lastReport: 41, unsent: { ...unsent, scans } }, "active")).toEqual([
      [0, 41],
      [2, 41],
      [1, 41],
      [0, 41],
      [1, 41],
    ]);
  });

  it("with the key that the file has of each device id, so that it is believed (S46)", async () => {
    const server = adminServer();
    const batches = server.answer(postScanBatch, (call) => ({
      results: sentScans(call).map((scan) => stored(scan)),
    }));
    const undos = server.answer(undoScan, { undone: { seq: 2, sku: "undone" } });
    const queues = server.answer(reportQueue, { success: true });
    await loadQueue({ ...(await savedWork()), deviceKeys: { "device-1": "key-1", "device-0": "key-0" } });
    const keys = [...batches, ...undos, ...queues].map(({ body }) => Object(body).deviceKey);
    expect(keys).toEqual(["key-1", "key-1", "key-1"]);
  });

  describe("after a restore", () => {
    const savedScans = () =>
      savedQueue(async ({ database, scan }) => {
        await database.put("pendingScans", { ...(await scan("had before")), isResent: true });
        await scan("new");
      });

    const toldWith = async (resultOf: (scan: SentScan) => Result) => {
      const server = adminServer();
      const scans = server.answer(postScanBatch, (call) => ({ results: sentScans(call).map(resultOf) }));
      const queues = server.answer(reportQueue, { success: true });
      await loadQueue({ ...(await savedScans()), lastReport: 41 });
      return [...scans, ...queues].map(told);
    };

    it("that a scan which the server had and now refuses is still left, as the device itself says", async () => {
      const noArea = { httpStatus: 404, error: "The area was not found.", code: "NOT_FOUND" } as const;
      expect(await toldWith(() => noArea)).toEqual([
        [1, 41],
        [1, 41],
      ]);
    });

    it("that a scan which the server had is left until it is taken again", async () => {
      expect(await toldWith((scan) => stored(scan))).toEqual([
        [1, 41],
        [0, 41],
      ]);
    });
  });

  describe("where an undo is refused for a reason that may pass", () => {
    function undoingServer(code: ErrorCode) {
      const server = adminServer("closed");
      server.answer(postScanBatch, (call) => ({ results: sentScans(call).map((scan) => stored(scan)) }));
      server.refuse(undoScan, code, "Why not.");
      return server.answer(reportQueue, { success: true });
    }

    it("that it is left, as of an archived session, and the person is told why", async () => {
      const queues = undoingServer("SESSION_ARCHIVED");
      const { refused } = await loadQueue({ ...(await savedQueue(scanAndUndo)), lastReport: 41 });
      expect(refused).toMatchObject([{ what: "Undo", error: "Why not." }]);
      expect(queues.map(told)).toEqual([[1, 41]]);
    });

    it("nothing where the login is over: the loading goes on from there later", async () => {
      const queues = undoingServer("UNAUTHENTICATED");
      await expect(loadQueue({ ...(await savedQueue(scanAndUndo)), lastReport: 41 })).rejects.toThrow(
        "Why not.",
      );
      expect(queues).toEqual([]);
    });
  });

  it("nothing by a file of an earlier release, which does not say what the device has told since", async () => {
    const { lastReport: _none, ...file } = await savedWork();
    expect(await toldOf(file, "active")).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });
});

import {
  type CallAnswer,
  listSessions,
  listStores,
  type postScanBatch,
  reportQueue,
  type ScanStatus,
} from "@stocktake/contract";
import { exportQueue, type QueueFile, readQueueFile, type Timers } from "../../../offline/offline.ts";
import { areaOne, createEngineHarness } from "../../../offline/testing/engine-harness.ts";
import { admin, session, store } from "../../../testing/examples.ts";
import { FakeServer, type SentCall } from "../../../testing/fake-server.ts";
import type { LoadReport } from "../load-queue.ts";
import { createQueueLoading } from "../queue-loading.ts";

export interface SentScan {
  readonly opId: string;
  readonly seq: number;
  readonly input: string;
  readonly scannedById?: string;
}

export type Result = CallAnswer<typeof postScanBatch>["results"][number];

export function sentScans({ body }: SentCall): SentScan[] {
  return Object(body).scans;
}

export function stored(scan: SentScan, status: ScanStatus = "counted", duplicate = false): Result {
  return {
    ...{ httpStatus: duplicate ? 200 : 201, status, reason: null, duplicate },
    scan: {
      ...{ _id: "1", seq: scan.seq, sku: scan.input, productTitle: null, size: null },
      ...{ areaCode: "A1", pass: 1 },
    },
  };
}

export function adminServer(status: "active" | "closed" = "active"): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listStores, { stores: [store()] });
  server.answer(listSessions, { sessions: [session({ _id: areaOne.sessionId, status })] });
  server.answer(reportQueue, { success: true });
  return server;
}

/** Time passes at once. */
const noWaiting: Timers = {
  after: (_milliseconds, work) => {
    queueMicrotask(work);
    return () => undefined;
  },
};

/** Loads a file to its end. Throws what the loading gave up on. */
export async function loadQueue(file: QueueFile): Promise<LoadReport> {
  const loading = createQueueLoading(file, noWaiting);
  await loading.start();
  const { report, error } = loading.get();
  if (report === null) throw error;
  return report;
}

type Harness = Awaited<ReturnType<typeof createEngineHarness>>;

export async function savedQueue(fill: (harness: Harness) => Promise<unknown>): Promise<QueueFile> {
  const harness = await createEngineHarness();
  harness.engine.setLogin(null);
  await fill(harness);
  const { text } = await exportQueue(harness.database, "device-1", harness.clock.now());
  const file = readQueueFile(text);
  if (file === null) throw new Error("What a device saves can't be read.");
  return file;
}

export async function scanAndUndo(harness: Harness): Promise<void> {
  await harness.scan("kept");
  const { id, seq } = await harness.scan("undone");
  await harness.operate({ kind: "undo", area: areaOne, targetId: id, targetSeq: seq });
}

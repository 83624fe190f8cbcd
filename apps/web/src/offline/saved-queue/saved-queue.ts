import { InputType, ScanMethod } from "@stocktake/contract";
import * as z from "zod/mini";
import { scanTime } from "../connection/scan-time.ts";
import type { StocktakeDatabase } from "../database/database.ts";
import { type DeviceKeys, readDeviceKeys } from "../database/device-keys.ts";
import type { PendingScan } from "../database/records.ts";
import { settingsOf } from "../database/settings.ts";
import { lastReport } from "../outbox/queue-reports.ts";
import { createOutboxReader, readSetAside, withoutTheirScans } from "../outbox/read.ts";

/** Marks the file, so that no other JSON is mistaken for a saved queue. */
const queueFileMark = { format: "stocktake-queue", version: 1 } as const;

// Fields that are sent on. The server validates them as it does any device's; only what loading itself needs is checked here.
const row = {
  ...{ id: z.int(), order: z.int(), opId: z.string(), deviceId: z.string(), pass: z.int() },
  ...{ sessionId: z.string(), locationId: z.string(), areaCode: z.string() },
};

const SavedScan = z.object({
  ...row,
  ...{ storeId: z.string(), input: z.string(), inputType: InputType, method: ScanMethod, seq: z.int() },
  ...{ scannedAt: z.string(), scannedById: z.string(), undone: z.boolean() },
  isScannerUnknown: z.optional(z.boolean()),
  isResent: z.optional(z.boolean()),
  timeUnknown: z.optional(z.boolean()),
  quantity: z.optional(z.int()),
  replaces: z.optional(z.string()),
  replacesSeq: z.optional(z.int()),
});
export type SavedScan = z.infer<typeof SavedScan>;

const SavedUndo = z.object({
  ...row,
  kind: z.literal("undo"),
  targetId: z.nullable(z.int()),
  targetSeq: z.int(),
});
export type SavedUndo = z.infer<typeof SavedUndo>;

/** Who made it; absent in files of earlier releases. */
const made = { madeById: z.optional(z.string()) };

const SavedOperation = z.discriminatedUnion("kind", [
  SavedUndo,
  z.object({ ...row, ...made, kind: z.literal("reset") }),
  z.object({
    ...{ ...row, ...made, kind: z.literal("finish") },
    ...{ declaredTotal: z.int(), ownOf: z.optional(z.string()) },
  }),
]);
export type SavedOperation = z.infer<typeof SavedOperation>;

const SavedRows = z.object({ scans: z.array(SavedScan), operations: z.array(SavedOperation) });

/** A device's queue as a file (docs/SYNC.md, "The saved queue"). */
export const QueueFile = z.object({
  format: z.literal(queueFileMark.format),
  version: z.literal(queueFileMark.version),
  deviceId: z.string(),
  exportedAt: z.string(),
  /** The number of the last report of the queue when it was saved, 0 before the first: what the device told since is of more than the file. */
  lastReport: z.optional(z.int().check(z.gte(0))),
  /** Of the device ids of its rows: whoever loads it speaks for them. Absent in files of earlier releases. */
  deviceKeys: z.optional(z.record(z.string(), z.string())),
  unsent: SavedRows,
  refused: SavedRows,
});
export type QueueFile = z.infer<typeof QueueFile>;

/** Reads a saved queue; null where the text is something else or was cut off. */
export function readQueueFile(text: string): QueueFile | null {
  try {
    const read = z.safeParse(QueueFile, JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    // Not JSON, so not a queue: the caller tells the person.
    return null;
  }
}

/** A file for a person to keep or send: every row that the server does not have, as JSON. */
export interface SavedQueue {
  readonly name: string;
  readonly text: string;
}

function keysOf(keys: DeviceKeys, rows: readonly { readonly deviceId: string }[]): DeviceKeys {
  const ids = new Set(rows.map(({ deviceId }) => deviceId));
  return Object.fromEntries(Object.entries(keys).filter(([deviceId]) => ids.has(deviceId)));
}

/** Reads what is not on the server, to be saved as a file before a device is handed in (docs/SYNC.md, S21). */
export async function exportQueue(
  database: StocktakeDatabase,
  deviceId: string,
  now: number,
): Promise<SavedQueue> {
  // Before the rows: a report that another tab makes in between is of more than these.
  const reported = await lastReport(database);
  const { scans, operations } = await createOutboxReader(database).unsettled();
  const refused = await readSetAside(database);
  const keys = await readDeviceKeys(settingsOf(database));
  const exportedAt = new Date(now).toISOString();
  // Without the server a doubtful time can't be decided.
  const timed = (scan: PendingScan) => ({ ...scan, ...scanTime(scan, null) });
  const unsent = { scans: scans.map(timed), operations: await withoutTheirScans(database, operations) };
  return {
    name: `stocktake-queue-${exportedAt.slice(0, 19).replaceAll(":", "-")}.json`,
    text: JSON.stringify(
      {
        ...queueFileMark,
        deviceId,
        exportedAt,
        lastReport: reported,
        deviceKeys: keysOf(keys, [...scans, ...operations, ...refused.scans, ...refused.operations]),
        unsent,
        refused: { ...refused, scans: refused.scans.map(timed) },
      },
      null,
      2,
    ),
  };
}

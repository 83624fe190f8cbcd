import { InputType, ScanMethod } from "@stocktake/contract";
import * as z from "zod/mini";

/** What a saved queue is marked with, so that nothing else is taken for one. */
export const queueFileMark = { format: "stocktake-queue", version: 1 } as const;

// Fields that are sent on. The server validates them as it does any device's; here only what the loading itself needs counts.
const row = {
  ...{ id: z.int(), order: z.int(), opId: z.string(), deviceId: z.string(), pass: z.int() },
  ...{ sessionId: z.string(), locationId: z.string(), areaCode: z.string() },
};

const SavedScan = z.object({
  ...row,
  ...{ storeId: z.string(), input: z.string(), inputType: InputType, method: ScanMethod, seq: z.int() },
  ...{ scannedAt: z.string(), scannedById: z.string(), undone: z.boolean() },
});
export type SavedScan = z.infer<typeof SavedScan>;

const SavedUndo = z.object({
  ...row,
  kind: z.literal("undo"),
  targetId: z.nullable(z.int()),
  targetSeq: z.int(),
});
export type SavedUndo = z.infer<typeof SavedUndo>;

const SavedOperation = z.discriminatedUnion("kind", [
  SavedUndo,
  z.object({ ...row, kind: z.literal("reset") }),
  z.object({ ...row, kind: z.literal("finish"), declaredTotal: z.int() }),
]);
export type SavedOperation = z.infer<typeof SavedOperation>;

const SavedRows = z.object({ scans: z.array(SavedScan), operations: z.array(SavedOperation) });

/** A device's queue as a file (docs/SYNC.md, "The saved queue"). */
export const QueueFile = z.object({
  format: z.literal(queueFileMark.format),
  version: z.literal(queueFileMark.version),
  deviceId: z.string(),
  exportedAt: z.string(),
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
    // Not JSON, so not a queue: the caller says so to the person.
    return null;
  }
}

import { limits } from "@stocktake/contract";
import type { IDBPTransaction } from "idb";
import { type ClockOffset, toServerTime } from "../connection/clock-offset.ts";
import type { ClockReading } from "../connection/scan-time.ts";
import { durable, type StocktakeDatabase, type StocktakeSchema } from "../database/database.ts";
import { createOperationId } from "../database/device-identity.ts";
import type {
  LocalOutcome,
  OperationRecord,
  PendingOperation,
  PendingScan,
  ScanRecord,
} from "../database/records.ts";
import { readSettingIn, settings, writeSettingIn } from "../database/settings.ts";
import type { Clock, Randomness } from "../ports.ts";

/** The area and pass that a row belongs to. */
export interface CountedArea {
  readonly sessionId: string;
  readonly storeId: string;
  readonly locationId: string;
  readonly areaId: string;
  readonly areaCode: string;
  readonly pass: number;
}

export interface ScanDraft {
  readonly area: CountedArea;
  readonly input: string;
  readonly inputType: ScanRecord["inputType"];
  readonly method: ScanRecord["method"];
  /** Units; one where absent. */
  readonly quantity?: number;
  /** The units of one pack, where the code is of one. */
  readonly packUnits?: number;
  readonly scannedById: string;
  readonly localOutcome: LocalOutcome;
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
}

export type OperationDraft =
  | {
      readonly kind: "undo";
      readonly area: CountedArea;
      readonly targetId: number | null;
      readonly targetSeq: number;
    }
  | { readonly kind: "reset"; readonly area: CountedArea; readonly madeById?: string }
  | {
      readonly kind: "finish";
      readonly area: CountedArea;
      readonly declaredTotal: number;
      readonly knownAccepted?: number;
      readonly tagsUnheard?: true;
      readonly ownOf?: string;
      readonly ofList?: true;
      readonly madeById?: string;
    };

type UndoDraft = Extract<OperationDraft, { kind: "undo" }>;

export interface ReplacementDraft {
  readonly undo: UndoDraft;
  readonly scan: ScanDraft;
}

/** Who writes a row, and when. */
export interface Stamp {
  readonly deviceId: string;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly offset: ClockOffset | null;
  readonly reading?: ClockReading;
}

function newRow(area: CountedArea, order: number, stamp: Stamp) {
  return {
    ...area,
    deviceId: stamp.deviceId,
    opId: createOperationId(stamp.random),
    order,
    synced: false,
    createdAt: new Date(stamp.clock.now()).toISOString(),
    retryCount: 0,
    syncedAt: null,
    lastRetryAt: null,
    refusal: null,
  };
}

function scanRecord(draft: ScanDraft, order: number, stamp: Stamp): ScanRecord {
  const { area, ...scanned } = draft;
  const now = stamp.clock.now();
  return {
    ...newRow(area, order, stamp),
    ...scanned,
    seq: order,
    timestamp: now,
    scannedAt: new Date(toServerTime(now, stamp.offset)).toISOString(),
    ...(stamp.reading === undefined ? {} : { reading: stamp.reading }),
    undone: false,
    acknowledgement: null,
    renumbered: 0,
  };
}

function operationRecord(draft: OperationDraft, order: number, stamp: Stamp): OperationRecord {
  const madeAt = new Date(toServerTime(stamp.clock.now(), stamp.offset)).toISOString();
  const clocks = stamp.reading === undefined ? {} : { reading: stamp.reading };
  const row = { ...newRow(draft.area, order, stamp), answer: null, madeAt, ...clocks };
  const made = draft.kind === "undo" || draft.madeById === undefined ? {} : { madeById: draft.madeById };
  switch (draft.kind) {
    case "undo":
      return { ...row, kind: "undo", targetId: draft.targetId, targetSeq: draft.targetSeq };
    case "reset":
      return { ...row, ...made, kind: "reset", expectedPass: draft.area.pass + 1 };
    case "finish": {
      const { declaredTotal, knownAccepted, tagsUnheard, ownOf, ofList } = draft;
      return {
        ...{ ...row, ...made, kind: "finish", declaredTotal, knownAccepted },
        ...(tagsUnheard === undefined ? {} : { tagsUnheard }),
        ...(ownOf === undefined ? {} : { ownOf }),
        ...(ofList === undefined ? {} : { ofList }),
      };
    }
  }
}

/**
 * Writes a scan and advances the counter in one durable transaction; resolves when the transaction is complete
 * (docs/SYNC.md, S1, S2). Rejects where the device could not store it: then nothing was counted.
 */
export async function appendScan(
  database: StocktakeDatabase,
  draft: ScanDraft,
  stamp: Stamp,
): Promise<PendingScan> {
  const transaction = database.transaction(["settings", "pendingScans"], "readwrite", durable);
  const counter = transaction.objectStore("settings");
  const order = ((await readSettingIn(counter, settings.sequence)) ?? 0) + 1;
  const record = scanRecord(draft, order, stamp);
  const writes = [
    transaction.objectStore("pendingScans").add(record),
    writeSettingIn(counter, settings.sequence, order, record.createdAt),
    transaction.done,
  ] as const;
  // Commits with the writes, without waiting for the event of each.
  transaction.commit();
  const [id] = await Promise.all(writes);
  return { ...record, id };
}

/** Writes an undo, a reset or a finish as {@link appendScan} writes a scan; an undo marks its scan in the same transaction. */
export async function appendOperation(
  database: StocktakeDatabase,
  draft: OperationDraft,
  stamp: Stamp,
): Promise<PendingOperation> {
  const transaction = database.transaction(bothStores, "readwrite", durable);
  const counter = transaction.objectStore("settings");
  const order = ((await readSettingIn(counter, settings.sequence)) ?? 0) + 1;
  const record = operationRecord(draft, order, stamp);
  await markUndone(transaction, record);
  const [id] = await Promise.all([
    transaction.objectStore("pendingSubmissions").add(record),
    writeSettingIn(counter, settings.sequence, order, record.createdAt),
    transaction.done,
  ]);
  return { ...record, id };
}

const bothStores = ["settings", "pendingScans", "pendingSubmissions"] as const;

type BothStores = IDBPTransaction<StocktakeSchema, typeof bothStores, "readwrite">;

async function markUndone(transaction: BothStores, record: OperationRecord): Promise<void> {
  if (record.kind !== "undo" || record.targetId === null) return;
  const scans = transaction.objectStore("pendingScans");
  const target = await scans.get(record.targetId);
  if (target !== undefined) await scans.put({ ...target, undone: true });
}

/** The undo of one scan, and the scan in its place. */
export interface Replacement {
  readonly operation: PendingOperation;
  readonly scan: PendingScan;
}

/**
 * Puts another scan in the place of one: its undo and the other one, written in one durable transaction, so that nothing
 * leaves both counted or neither (docs/SYNC.md, S33). Rejects where the device could not store it: then nothing has changed.
 */
export async function appendReplacement(
  database: StocktakeDatabase,
  { undo, scan: draft }: ReplacementDraft,
  stamp: Stamp,
): Promise<Replacement> {
  const transaction = database.transaction(bothStores, "readwrite", durable);
  const counter = transaction.objectStore("settings");
  const order = ((await readSettingIn(counter, settings.sequence)) ?? 0) + 1;
  const operation = operationRecord(undo, order, stamp);
  const scan = { ...scanRecord(draft, order + 1, stamp), ...(await placeOf(transaction, undo)) };
  // The scan first: one that can't be stored throws before anything else is written.
  const [scanId, operationId] = await Promise.all([
    transaction.objectStore("pendingScans").add(scan),
    transaction.objectStore("pendingSubmissions").add(operation),
    writeSettingIn(counter, settings.sequence, scan.order, scan.createdAt),
    markUndone(transaction, operation),
    transaction.done,
  ]);
  return { operation: { ...operation, id: operationId }, scan: { ...scan, id: scanId } };
}

/** How the scan names what it takes the place of, so that the server never counts both, even where the undo comes too late. */
async function placeOf(
  transaction: BothStores,
  { targetId, targetSeq }: UndoDraft,
): Promise<Pick<ScanRecord, "replaces" | "replacesSeq">> {
  const scans = transaction.objectStore("pendingScans");
  const target = targetId === null ? undefined : await scans.get(targetId);
  return target === undefined ? { replacesSeq: targetSeq } : { replaces: target.opId };
}

/** Raises the counter to at least `sequence`, so that the next row comes after what the server has stored (S3). */
export async function raiseSequence(
  database: StocktakeDatabase,
  sequence: number,
  updatedAt: string,
): Promise<void> {
  const transaction = database.transaction("settings", "readwrite", durable);
  const own = (await readSettingIn(transaction.store, settings.sequence)) ?? 0;
  if (sequence > own && sequence <= limits.runningSequence)
    await writeSettingIn(transaction.store, settings.sequence, sequence, updatedAt);
  await transaction.done;
}

import { lastAnswerOrder, raiseAnswerOrder } from "../database/answer-order.ts";
import { durable, type StocktakeDatabase } from "../database/database.ts";
import { type DeviceKeys, keepDeviceKeys, readDeviceKeys } from "../database/device-keys.ts";
import type { PendingOperation, PendingScan } from "../database/records.ts";
import { readSetting, readSettingIn, settings, settingsOf, writeSettingIn } from "../database/settings.ts";
import type { OutboxBus, OutboxEvent } from "./events.ts";
import { lastReport, oweReports, raiseReports } from "./queue-reports.ts";
import { createOutboxReader, readSetAside, withId, withoutTheirScans } from "./read.ts";

/** What a page remembers of its device, should the browser delete the storage beneath it. */
export interface Kept {
  readonly deviceId: string;
  /** By these the server goes on to believe what is told under the ids. */
  readonly deviceKeys: DeviceKeys;
  /** The last number given to a row. */
  readonly sequence: number;
  /** The number of the last report of the queue, and of the last answer to a search; 0 before the first. */
  readonly lastReport: number;
  readonly lastAnswer: number;
  /** The rows that the server does not have. */
  readonly scans: readonly PendingScan[];
  readonly operations: readonly PendingOperation[];
}

interface Rows {
  readonly scans: Map<number, PendingScan>;
  readonly operations: Map<number, PendingOperation>;
}

async function readRows(database: StocktakeDatabase): Promise<Rows> {
  const [unsettled, setAside] = await Promise.all([
    createOutboxReader(database).unsettled(),
    readSetAside(database),
  ]);
  const operations = await withoutTheirScans(database, unsettled.operations);
  return {
    scans: new Map([...unsettled.scans, ...setAside.scans].map((row) => [row.id, row])),
    operations: new Map([...operations, ...setAside.operations].map((row) => [row.id, row])),
  };
}

function keep<Row extends PendingScan | PendingOperation>(rows: Map<number, Row>, row: Row): void {
  if (row.synced) rows.delete(row.id);
  else rows.set(row.id, row);
}

/** Once the server has the scan of an undo it is not kept: the undo goes by its number, which may be another since the undo was written. */
function keepScan({ scans, operations }: Rows, scan: PendingScan): void {
  keep(scans, scan);
  const { id, seq: targetSeq, deviceId } = scan;
  for (const operation of operations.values()) {
    if (operation.kind !== "undo" || operation.targetId !== id) continue;
    operations.set(operation.id, { ...operation, targetSeq, deviceId });
  }
}

function keepOperation({ scans, operations }: Rows, operation: PendingOperation): void {
  keep(operations, operation);
  const undone = operation.kind === "undo" ? scans.get(operation.targetId ?? 0) : undefined;
  if (undone !== undefined) scans.set(undone.id, { ...undone, undone: true });
}

function follow(rows: Rows, event: OutboxEvent): void {
  if (event.type === "scan_added") keep(rows.scans, event.scan);
  else if (event.type === "scans_settled") for (const scan of event.scans) keepScan(rows, scan);
  else if (event.type === "operation_added" || event.type === "operation_settled")
    keepOperation(rows, event.operation);
}

/**
 * Follows the outbox in memory. The returned function gives what is known now. What another tab tells while the storage is read
 * is known too: it may not have been in what was read.
 */
export async function keepUnsent(
  database: StocktakeDatabase,
  deviceId: string,
  bus: OutboxBus,
): Promise<() => Kept> {
  let rows: Rows = { scans: new Map(), operations: new Map() };
  let sequence = 0;
  let reported = 0;
  let answered = 0;
  const read = async () => {
    const meanwhile: OutboxEvent[] = [];
    const stop = bus.subscribe((event) => meanwhile.push(event));
    try {
      const stored = await readRows(database);
      for (const event of meanwhile) follow(stored, event);
      rows = stored;
    } finally {
      stop();
    }
  };
  bus.subscribe((event) => {
    follow(rows, event);
    if (event.type === "reported") reported = Math.max(reported, event.number);
    if (event.type === "answered") answered = Math.max(answered, event.number);
    if (event.type === "scan_added") sequence = Math.max(sequence, event.scan.order);
    if (event.type === "operation_added") sequence = Math.max(sequence, event.operation.order);
    if (event.type === "server_restored") read().catch(globalThis.reportError);
  });
  await read();
  const stored = {
    sequence: (await readSetting(database, settings.sequence)) ?? 0,
    reported: await lastReport(database),
    answered: await lastAnswerOrder(settingsOf(database)),
  };
  sequence = Math.max(sequence, stored.sequence);
  reported = Math.max(reported, stored.reported);
  answered = Math.max(answered, stored.answered);
  const deviceKeys = await readDeviceKeys(settingsOf(database));
  const inOrder = <Row extends { order: number }>(map: Map<number, Row>) =>
    [...map.values()].sort((left, right) => left.order - right.order);
  return () => ({
    ...{ deviceId, deviceKeys, sequence, lastReport: reported, lastAnswer: answered },
    scans: inOrder(rows.scans),
    operations: inOrder(rows.operations),
  });
}

type Transaction = ReturnType<typeof openRescue>;

function openRescue(database: StocktakeDatabase) {
  return database.transaction(["settings", "pendingScans", "pendingSubmissions"], "readwrite", durable);
}

type Row = PendingScan | PendingOperation;
type StoredRow = Pick<Row, "opId" | "order">;

/**
 * The rows that are not there yet, in their order. They keep their places where these are free, as after another tab that rescued the same
 * device's, so that a scan stays before the total that was declared after it; else they come after what was made meanwhile, beyond `end`.
 */
function missingRows(kept: Kept, stored: readonly StoredRow[], isOfDevice: boolean, end: number): Row[] {
  const known = new Set(stored.map(({ opId }) => opId));
  const owners = new Map(stored.map(({ order, opId }) => [order, opId]));
  const all: readonly Row[] = [...kept.scans, ...kept.operations];
  const isInPlace =
    isOfDevice && all.every(({ order, opId }) => owners.get(order) === (known.has(opId) ? opId : undefined));
  return all
    .filter(({ opId }) => !known.has(opId))
    .sort((left, right) => left.order - right.order)
    .map((row, index) => ({ ...row, order: isInPlace ? row.order : end + index + 1 }));
}

/** The ids of the page's scans that are there already, by those that they had. */
function idsThere(kept: Kept, stored: readonly PendingScan[]): Map<number, number> {
  const ids = new Map(stored.map(({ opId, id }) => [opId, id]));
  const there = new Map<number, number>();
  for (const { id, opId } of kept.scans) {
    const newId = ids.get(opId);
    if (newId !== undefined) there.set(id, newId);
  }
  return there;
}

async function writeRow(
  transaction: Transaction,
  { id, ...row }: Row,
  newIds: Map<number, number>,
): Promise<void> {
  const scans = transaction.objectStore("pendingScans");
  if ("input" in row) {
    newIds.set(id, await scans.add(row));
    return;
  }
  // The undo of a scan that the server has names it by its number.
  const moved = row.kind === "undo" ? { ...row, targetId: newIds.get(row.targetId ?? 0) ?? null } : row;
  await transaction.objectStore("pendingSubmissions").add(moved);
  if (moved.kind !== "undo" || moved.targetId === null || moved.refusal !== null) return;
  // A tab that had not heard of the undo may have written its scan.
  const target = await scans.get(moved.targetId);
  if (target !== undefined && !target.undone) await scans.put({ ...target, undone: true });
}

/**
 * Writes what the page still knew into storage that the browser has deleted meanwhile, in one transaction. Storage that was
 * only closed still has its rows; of several tabs each comes here, and a row that is there is left alone (docs/SYNC.md, S28).
 * Returns how many rows were written.
 */
export async function rescue(database: StocktakeDatabase, kept: Kept, updatedAt: string): Promise<number> {
  const transaction = openRescue(database);
  const store = transaction.objectStore("settings");
  const deviceId = await readSettingIn(store, settings.deviceId);
  const base = (await readSettingIn(store, settings.sequence)) ?? 0;
  const isOfDevice = base === 0 || deviceId === kept.deviceId;
  const end = Math.max(base, kept.sequence);
  // A page that knows of none need not read a long day's rows.
  const isAllSent = kept.scans.length + kept.operations.length === 0;
  const scans = isAllSent ? [] : (await transaction.objectStore("pendingScans").getAll()).map(withId);
  const operations = isAllSent ? [] : await transaction.objectStore("pendingSubmissions").getAll();
  const rows = missingRows(kept, [...scans, ...operations], isOfDevice, end);
  const newIds = idsThere(kept, scans);
  for (const row of rows) await writeRow(transaction, row, newIds);
  const sequence = Math.max(end, rows.at(-1)?.order ?? 0);
  if (deviceId === null) await writeSettingIn(store, settings.deviceId, kept.deviceId, updatedAt);
  if (sequence > base) await writeSettingIn(store, settings.sequence, sequence, updatedAt);
  await keepDeviceKeys(store, kept.deviceKeys, updatedAt);
  await raiseReports(store, kept.lastReport, updatedAt);
  await raiseAnswerOrder(store, kept.lastAnswer, updatedAt);
  await oweReports(store, rows, updatedAt);
  await transaction.done;
  return rows.length;
}

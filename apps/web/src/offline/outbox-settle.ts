import { durable, type StocktakeDatabase } from "./database.ts";
import { withId } from "./outbox-read.ts";
import type {
  OperationAnswer,
  OperationRecord,
  PendingOperation,
  PendingScan,
  Refusal,
  ScanAcknowledgement,
  ScanRecord,
} from "./records.ts";
import { isUnsettled } from "./records.ts";
import { readSettingIn, settings, writeSettingIn } from "./settings.ts";

/** The product that the server found for a scan; it corrects what the device showed. */
interface FoundProduct {
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
}

/** What became of one scan that was sent. */
export type ScanOutcome =
  | {
      readonly kind: "acknowledged";
      readonly id: number;
      readonly acknowledgement: ScanAcknowledgement;
      readonly product: FoundProduct;
    }
  | { readonly kind: "conflict"; readonly id: number; readonly nextSeq: number }
  | { readonly kind: "refused"; readonly id: number; readonly refusal: Refusal }
  | { readonly kind: "failed"; readonly id: number };

function settledScan(
  scan: ScanRecord & { id: number },
  outcome: Exclude<ScanOutcome, { kind: "conflict" }>,
  now: string,
): ScanRecord & { id: number } {
  switch (outcome.kind) {
    case "acknowledged": {
      const product = outcome.product.sku === null ? {} : outcome.product;
      return { ...scan, ...product, synced: true, syncedAt: now, acknowledgement: outcome.acknowledgement };
    }
    case "refused":
      return { ...scan, refusal: outcome.refusal };
    case "failed":
      return { ...scan, retryCount: scan.retryCount + 1, lastRetryAt: now };
  }
}

/**
 * Takes the outcomes of one exchange over in one transaction, renumbering conflicts from the server's nextSeq with the
 * device's counter (docs/SYNC.md, S12 to S14). Gives the rows as they now are.
 */
export async function settleScans(
  database: StocktakeDatabase,
  outcomes: readonly ScanOutcome[],
  now: string,
): Promise<PendingScan[]> {
  const transaction = database.transaction(["settings", "pendingScans"], "readwrite", durable);
  const counter = transaction.objectStore("settings");
  const scans = transaction.objectStore("pendingScans");
  let sequence = (await readSettingIn(counter, settings.sequence)) ?? 0;
  const settled: PendingScan[] = [];
  for (const outcome of outcomes) {
    const row = await scans.get(outcome.id);
    if (row === undefined) continue;
    const scan = withId(row);
    if (outcome.kind === "conflict") {
      sequence = Math.max(sequence + 1, outcome.nextSeq);
      settled.push({ ...scan, seq: sequence, renumbered: scan.renumbered + 1 });
    } else settled.push(settledScan(scan, outcome, now));
  }
  for (const scan of settled) await scans.put(scan);
  await writeSettingIn(counter, settings.sequence, sequence, now);
  await transaction.done;
  return settled;
}

/** What became of an operation that was sent. */
export type OperationOutcome =
  | { readonly kind: "answered"; readonly answer: OperationAnswer }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "failed" };

function settledOperation<Row extends OperationRecord>(
  row: Row,
  outcome: OperationOutcome,
  now: string,
): Row {
  switch (outcome.kind) {
    case "answered":
      return { ...row, synced: true, syncedAt: now, answer: outcome.answer };
    case "refused":
      return { ...row, refusal: outcome.refusal };
    case "failed":
      return { ...row, retryCount: row.retryCount + 1, lastRetryAt: now };
  }
}

// An undo that is refused because the area is closed leaves its scan counted; every other refusal says that the scan
// stands in no total any more.
function scanStaysCounted(outcome: OperationOutcome): boolean {
  return outcome.kind === "refused" && outcome.refusal.code === "AREA_CLOSED";
}

type Transaction = ReturnType<typeof openSettling>;

function openSettling(database: StocktakeDatabase) {
  return database.transaction(["pendingScans", "pendingSubmissions"], "readwrite", durable);
}

async function restoreUndone(transaction: Transaction, targetId: number): Promise<void> {
  const scans = transaction.objectStore("pendingScans");
  const target = await scans.get(targetId);
  if (target !== undefined) await scans.put({ ...target, undone: false });
}

function movesWith(reset: PendingOperation & { kind: "reset" }) {
  return (row: ScanRecord | OperationRecord) =>
    isUnsettled(row) &&
    row.sessionId === reset.sessionId &&
    row.areaId === reset.areaId &&
    row.order > reset.order &&
    row.pass === reset.expectedPass;
}

/**
 * The pass in which counting really goes on after a reset. Where it was refused that is the one before, so that the scans
 * since then arrive (late or counted, as the server says) and are not turned away for a pass that never came; PASS_OVER
 * alone says that the area has come to the expected pass or past it.
 */
function realPass(reset: PendingOperation & { kind: "reset" }): number | null {
  const { answer, refusal, pass } = reset;
  if (answer?.kind === "reset") return answer.pass;
  return refusal === null || refusal.code === "PASS_OVER" ? null : pass;
}

// What was scanned offline after a reset carries the pass that the device expected; the server's answer names the real one.
async function movePass(
  transaction: Transaction,
  reset: PendingOperation & { kind: "reset" },
  pass: number,
): Promise<void> {
  const moves = movesWith(reset);
  const scans = transaction.objectStore("pendingScans");
  for (const scan of (await scans.getAll()).filter(moves)) await scans.put({ ...scan, pass });
  const operations = transaction.objectStore("pendingSubmissions");
  for (const operation of (await operations.getAll()).filter(moves)) {
    await operations.put({ ...operation, pass });
  }
}

/** Takes an operation's outcome over, with all that follows from it, in one transaction (docs/SYNC.md, S15, S16). */
export async function settleOperation(
  database: StocktakeDatabase,
  operation: PendingOperation,
  outcome: OperationOutcome,
  now: string,
): Promise<PendingOperation> {
  const transaction = openSettling(database);
  const operations = transaction.objectStore("pendingSubmissions");
  const row = await operations.get(operation.id);
  const settled = settledOperation(row === undefined ? operation : withId(row), outcome, now);
  await operations.put(settled);
  if (settled.kind === "undo" && settled.targetId !== null && scanStaysCounted(outcome)) {
    await restoreUndone(transaction, settled.targetId);
  }
  const pass = settled.kind === "reset" ? realPass(settled) : null;
  if (settled.kind === "reset" && pass !== null && pass !== settled.expectedPass) {
    await movePass(transaction, settled, pass);
  }
  await transaction.done;
  return settled;
}

/** Puts everything that was set aside back in the queue, to be sent again in its old order. */
export async function retrySetAside(database: StocktakeDatabase): Promise<void> {
  const transaction = openSettling(database);
  const scans = transaction.objectStore("pendingScans");
  for (const scan of await scans.getAll())
    if (scan.refusal !== null) await scans.put({ ...scan, refusal: null });
  const operations = transaction.objectStore("pendingSubmissions");
  for (const operation of await operations.getAll()) {
    if (operation.refusal !== null) await operations.put({ ...operation, refusal: null });
  }
  await transaction.done;
}

const keepSyncedMs = 2 * 24 * 60 * 60 * 1000;

/** Deletes rows that were acknowledged two days ago. What the server has not taken is never deleted. */
export async function pruneOutbox(database: StocktakeDatabase, now: number): Promise<void> {
  const isOld = (row: ScanRecord | OperationRecord) =>
    row.synced && now - Date.parse(row.createdAt) > keepSyncedMs;
  const transaction = openSettling(database);
  for (const store of ["pendingScans", "pendingSubmissions"] as const) {
    const rows = await transaction.objectStore(store).getAll();
    for (const row of rows.filter(isOld)) await transaction.objectStore(store).delete(withId(row).id);
  }
  await transaction.done;
}

import { passOfNoCount } from "@stocktake/contract";
import { durable, type StocktakeDatabase } from "../database/database.ts";
import type {
  OperationAnswer,
  OperationRecord,
  PendingOperation,
  PendingScan,
  Refusal,
  ScanRecord,
} from "../database/records.ts";
import { isUnsettled } from "../database/records.ts";
import { readSettingIn, settings, writeSettingIn } from "../database/settings.ts";
import { withId } from "./read.ts";
import { isCurrentEpoch } from "./server-epoch.ts";

/** The product that the server found for a scan; it corrects what the device showed. */
interface FoundProduct {
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
}

/** The outcome of one scan that was sent. */
export type ScanOutcome =
  | {
      readonly kind: "acknowledged";
      readonly id: number;
      /** The number under which the server stored the scan. */
      readonly seq: number;
      readonly acknowledgement: NonNullable<ScanRecord["acknowledgement"]>;
      readonly product: FoundProduct;
    }
  | { readonly kind: "conflict"; readonly id: number; readonly nextSeq: number }
  | { readonly kind: "refused"; readonly id: number; readonly refusal: Refusal }
  /** The server has no user with the id of who scanned. */
  | { readonly kind: "unknown_scanner"; readonly id: number }
  | { readonly kind: "failed"; readonly id: number; readonly declined?: Refusal };

function settledScan(
  scan: ScanRecord & { id: number },
  outcome: Exclude<ScanOutcome, { kind: "conflict" }>,
  now: string,
): ScanRecord & { id: number } {
  switch (outcome.kind) {
    case "acknowledged": {
      const product = outcome.product.sku === null ? {} : outcome.product;
      const { seq, acknowledgement } = outcome;
      const settled = { synced: true, syncedAt: now, refusal: null, isResent: false };
      return { ...scan, ...product, ...settled, declined: undefined, seq, acknowledgement };
    }
    case "unknown_scanner":
      return { ...scan, isScannerUnknown: true };
    case "refused":
      return { ...scan, refusal: outcome.refusal, declined: undefined };
    case "failed":
      return failedNow(scan, outcome.declined, now);
  }
}

// Another tab may have sent the same row meanwhile (docs/SYNC.md, S8): an acknowledgement is never overwritten.
function isAlreadySettled(scan: ScanRecord, outcome: ScanOutcome): boolean {
  return scan.synced || (scan.refusal !== null && outcome.kind !== "acknowledged");
}

/**
 * Saves the outcomes of one call in one transaction, renumbering conflicts from the server's nextSeq and the device's
 * counter (docs/SYNC.md, S12 to S14). Returns the changed rows as they are now. What a server of another `epoch` than the
 * current one said changes nothing (S30).
 */
export async function settleScans(
  database: StocktakeDatabase,
  outcomes: readonly ScanOutcome[],
  now: string,
  epoch: string | null = null,
): Promise<PendingScan[]> {
  const transaction = database.transaction(["settings", "pendingScans"], "readwrite", durable);
  const counter = transaction.objectStore("settings");
  const scans = transaction.objectStore("pendingScans");
  if (!(await isCurrentEpoch(counter, epoch))) return [];
  let sequence = (await readSettingIn(counter, settings.sequence)) ?? 0;
  const settled: PendingScan[] = [];
  for (const outcome of outcomes) {
    const row = await scans.get(outcome.id);
    if (row === undefined) continue;
    const scan = withId(row);
    if (isAlreadySettled(scan, outcome)) continue;
    if (outcome.kind === "acknowledged") sequence = Math.max(sequence, outcome.seq);
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

/** The outcome of an operation that was sent. */
export type OperationOutcome =
  | { readonly kind: "answered"; readonly answer: OperationAnswer }
  /** Sent again after a restore: what the server had returned before is the last word. */
  | { readonly kind: "kept"; readonly isLeft: boolean }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The server has no user with the id of who made a reset or a finish. */
  | { readonly kind: "unknown_maker" }
  /** `declined`: what the server said where it would not take it now. */
  | { readonly kind: "failed"; readonly declined?: Refusal };

function settledOperation<Row extends OperationRecord>(
  row: Row,
  outcome: OperationOutcome,
  now: string,
): Row {
  const acknowledged = { synced: true, syncedAt: now, isResent: false, declined: undefined };
  switch (outcome.kind) {
    case "answered":
      return { ...row, ...acknowledged, answer: outcome.answer };
    case "kept":
      // An undo that was refused twice has no answer, and stays without: after another restore it is made again.
      return { ...row, ...acknowledged, isLeft: outcome.isLeft };
    case "refused":
      return { ...row, refusal: outcome.refusal, declined: undefined };
    case "unknown_maker":
      return { ...row, isMakerUnknown: true };
    case "failed":
      return failedNow(row, outcome.declined, now);
  }
}

/** @param refusal what the server said where it would not take the row now */
function failedNow<Row extends ScanRecord | OperationRecord>(
  row: Row,
  refusal: Refusal | undefined,
  now: string,
): Row {
  const { declined, retryCount } = row;
  const said = refusal === undefined ? {} : { declined: { refusal, times: (declined?.times ?? 0) + 1 } };
  return { ...row, ...said, retryCount: retryCount + 1, lastRetryAt: now };
}

// An undo that is refused because the area is closed or the session has ended leaves a scan that counts as the server has it;
// every other refusal means that the scan is in no total any more.
export const undoTooLate: ReadonlySet<string> = new Set(["AREA_CLOSED", "SESSION_CLOSED"]);

function keepsScan(outcome: OperationOutcome): boolean {
  return outcome.kind === "refused" && undoTooLate.has(outcome.refusal.code);
}

type Transaction = ReturnType<typeof openSettling>;

function openSettling(database: StocktakeDatabase) {
  return database.transaction(["settings", "pendingScans", "pendingSubmissions"], "readwrite", durable);
}

/**
 * Brings back a scan that counts. True where the server has recorded the undo all the same. A server that does not say has done so where
 * the scan had come too late itself; any other that counted nothing when it was acknowledged may have been accepted since, and would count on.
 */
async function restoreUndone(
  transaction: Transaction,
  targetId: number,
  countsOn: boolean | undefined,
): Promise<boolean> {
  const scans = transaction.objectStore("pendingScans");
  const target = await scans.get(targetId);
  const { status } = target?.acknowledgement ?? { status: "counted" };
  if (target !== undefined && (countsOn ?? status === "counted"))
    await scans.put({ ...target, undone: false });
  return countsOn === undefined ? target !== undefined && status === "late" : !countsOn;
}

/** Made in the count that a reset was to begin: after it, and in the pass that it expected. */
export function isOfCountBegunBy(
  reset: OperationRecord & { readonly kind: "reset" },
  row: ScanRecord | OperationRecord,
): boolean {
  return (
    row.sessionId === reset.sessionId &&
    row.areaId === reset.areaId &&
    row.order > reset.order &&
    row.pass === reset.expectedPass
  );
}

function movesWith(reset: PendingOperation & { kind: "reset" }) {
  return (row: ScanRecord | OperationRecord) => isUnsettled(row) && isOfCountBegunBy(reset, row);
}

/**
 * Where what was made in the count that a reset was to begin belongs: scans and what is done to them, and the next reset, which expects a
 * count of its own. Null where they stay where they are.
 */
interface ActualPass {
  readonly ofRows: number;
  readonly ofNextReset: number;
}

/** Refusals of a reset after which nothing more is counted from here: what it was to discard counts, and what came after it is of no count. */
export const endsCounting: ReadonlySet<string> = new Set(["AREA_ASSIGNED", "AREA_CLOSED", "SESSION_CLOSED"]);

/**
 * The pass in which counting actually continues after a reset. Where the reset was refused that is the previous one, so
 * that the scans since then are stored (late or counted, as the server decides) instead of refused for a pass that never
 * began. PASS_OVER means that the area has reached the expected pass or gone beyond it. Where the area is others' or closed, or its session over, the
 * count that the reset was to discard still counts: what was counted anew in its place must not be added to it, nor to any later one, and is late.
 */
function actualPass(reset: PendingOperation & { kind: "reset" }): ActualPass | null {
  const { answer, refusal, pass } = reset;
  if (answer?.kind === "reset") return { ofRows: answer.pass, ofNextReset: answer.pass };
  if (refusal === null || refusal.code === "PASS_OVER") return null;
  return { ofRows: endsCounting.has(refusal.code) ? passOfNoCount : pass, ofNextReset: pass };
}

// What was scanned offline after a reset has the pass that the device expected; the server's response has the actual one.
async function movePass(
  transaction: Transaction,
  reset: PendingOperation & { kind: "reset" },
  { ofRows, ofNextReset }: ActualPass,
): Promise<void> {
  const moves = movesWith(reset);
  const scans = transaction.objectStore("pendingScans");
  for (const scan of (await scans.getAll()).filter(moves)) await scans.put({ ...scan, pass: ofRows });
  const operations = transaction.objectStore("pendingSubmissions");
  for (const operation of (await operations.getAll()).filter(moves)) {
    await operations.put({ ...operation, pass: operation.kind === "reset" ? ofNextReset : ofRows });
  }
}

/**
 * Saves an operation's outcome and all its consequences in one transaction (docs/SYNC.md, S15, S16). Null where another tab
 * has settled it meanwhile, or where a server of another `epoch` responded: then nothing changes.
 */
export async function settleOperation(
  database: StocktakeDatabase,
  operation: PendingOperation,
  outcome: OperationOutcome,
  now: string,
  epoch: string | null = null,
): Promise<PendingOperation | null> {
  const transaction = openSettling(database);
  if (!(await isCurrentEpoch(transaction.objectStore("settings"), epoch))) return null;
  const operations = transaction.objectStore("pendingSubmissions");
  const row = await operations.get(operation.id);
  if (row === undefined || !isUnsettled(row)) return null;
  const answered = settledOperation(withId(row), outcome, now);
  const isTooLate = answered.kind === "undo" && answered.targetId !== null && keepsScan(outcome);
  const isTakenBack =
    isTooLate && (await restoreUndone(transaction, answered.targetId, answered.refusal?.countsOn));
  const settled = isTooLate ? { ...answered, isTakenBack } : answered;
  await operations.put(settled);
  const pass = settled.kind === "reset" ? actualPass(settled) : null;
  if (settled.kind === "reset" && pass !== null && pass.ofRows !== settled.expectedPass)
    await movePass(transaction, settled, pass);
  await transaction.done;
  return settled;
}

import {
  isMismatch,
  isUndoRefused,
  isUnsettled,
  type OutboxEvent,
  type PendingOperation,
  type PendingScan,
} from "../../../offline/offline.ts";
import { handleAnswer } from "./finishing.ts";
import { endOf, type Notice, notices } from "./notices.ts";
import type { StationCore } from "./station-core.ts";
import type { StationState } from "./station-state.ts";
import { hasRow } from "./tally.ts";

type OperationOf<Kind extends PendingOperation["kind"]> = Extract<PendingOperation, { kind: Kind }>;

function isOfArea(
  { area }: StationCore,
  row: { readonly sessionId: string; readonly areaId: string },
): boolean {
  return row.sessionId === area.sessionId && row.areaId === area.areaId;
}

function reloadInBackground({ reload }: StationCore): void {
  reload().catch(globalThis.reportError);
}

function productOf({ sku, productTitle, size }: PendingScan) {
  return sku === null ? null : { sku, productTitle: productTitle ?? sku, size };
}

/** The notice of counting's end that is heard of by what is not shown as counted, or not any more; null where it is no news. */
function noticeOfEnd(
  state: StationState,
  row: { readonly pass: number },
  reason: string | null,
): Notice | null {
  if (state.block !== null) return null;
  switch (endOf(state, row, reason)) {
    case "area_closed":
      return notices.areaClosed();
    case "area_deleted":
      return notices.areaDeleted();
    case "no_session":
      return notices.noSession();
    default:
      return null;
  }
}

/** The notice of a row that the server has just answered; null where nothing changes for a person. */
function noticeOfRow(state: StationState, scan: PendingScan): Notice | null {
  if (scan.refusal !== null) return notices.refused(scan, scan.refusal);
  const { acknowledgement } = scan;
  if (acknowledgement === null) return null;
  const isTakenBack = scan.undone || state.undone.has(scan.id);
  const notice = isTakenBack ? null : noticeOfAnswer(state, scan, acknowledgement);
  return notice ?? noticeOfEnd(state, scan, acknowledgement.reason);
}

function noticeOfAnswer(
  state: StationState,
  scan: PendingScan,
  acknowledgement: NonNullable<PendingScan["acknowledgement"]>,
): Notice | null {
  if (acknowledgement.tag !== undefined) {
    if (!hasRow(state.tally, scan.id)) return null;
    return acknowledgement.tag === "TAG_COUNTED"
      ? notices.tagCounted(productOf(scan))
      : notices.tagElsewhere(scan, null);
  }
  if (acknowledgement.status !== "counted") {
    return hasRow(state.tally, scan.id) ? notices.takenBack(scan) : null;
  }
  return scan.localOutcome === "unresolved" ? notices.countedAfterAll(scan) : null;
}

/** A late, unresolved or voided answer takes the local success back. */
function handleRow(core: StationCore, scan: PendingScan): void {
  if (!isOfArea(core, scan)) {
    const notice = notices.lostElsewhere(scan);
    if (notice !== null) core.show(notice);
    return;
  }
  core.change({ type: "row_changed", scan, notice: noticeOfRow(core.state(), scan) });
  if (scan.acknowledgement?.reason === "PASS_OVER") reloadInBackground(core);
}

function handleUndo(core: StationCore, undo: OperationOf<"undo">): void {
  const { refusal, targetId } = undo;
  if (refusal === null) return;
  if (isUndoRefused(undo)) {
    core.show(notices.undoRefused(refusal, endOf(core.state(), undo, refusal.code)));
    if (targetId !== null) core.change({ type: "undo_refused", id: targetId });
  } else {
    // Done all the same: that the area was started again, closed, or its session ended, is a notice of its own.
    const end = noticeOfEnd(core.state(), undo, refusal.code);
    if (end !== null) core.show(end);
  }
  reloadInBackground(core);
}

function handleReset(core: StationCore, { answer, refusal, expectedPass, pass }: OperationOf<"reset">): void {
  if (expectedPass !== core.state().pass) return;
  if (answer?.kind === "reset") core.change({ type: "pass_named", pass: answer.pass });
  if (refusal === null) return;
  // The area never came to the expected pass: counting goes on in the one before (PASS_OVER: in the server's).
  if (refusal.code !== "PASS_OVER") core.change({ type: "pass_named", pass });
  core.show(notices.resetRefused(refusal));
  reloadInBackground(core);
}

function handleOperation(core: StationCore, operation: PendingOperation): void {
  if (!isOfArea(core, operation)) return;
  // What it had begun is not there any more.
  if (operation.isLeft === true) reloadInBackground(core);
  else if (operation.kind === "undo") handleUndo(core, operation);
  else if (operation.kind === "reset") handleReset(core, operation);
}

/** Another tab's undo takes its scan off this tab's count too; this tab's own is off already. */
function handleUndoOfAnotherTab(core: StationCore, { targetId, targetSeq }: OperationOf<"undo">): void {
  const { tally, unknown } = core.state();
  const entry = [...tally, ...unknown].find(({ id, seq }) =>
    targetId === null ? seq === targetSeq : id === targetId,
  );
  if (entry !== undefined) core.change({ type: "undone", entry, notice: notices.undone(entry) });
}

/** Tells what came of another tab's total. Where it closed nothing, counting goes on here in the pass that there is then. */
async function goOnAfter(core: StationCore, finish: OperationOf<"finish">): Promise<void> {
  await handleAnswer(core, finish);
  const { answer } = finish;
  if (answer?.kind === "finish" && !isMismatch(answer)) return;
  if (core.state().block === "finished") core.change({ type: "reopened" });
}

/** What the device's other tabs do to the pass that is counted here: until the server has answered, this tab can't be behind them. */
function createOtherTabs(core: StationCore): (event: OutboxEvent) => void {
  let finishing: number | null = null;
  const handleAdded = (operation: PendingOperation) => {
    const { pass, block, isFinishing } = core.state();
    if (operation.kind === "undo") return handleUndoOfAnotherTab(core, operation);
    if (block !== null || isFinishing) return;
    if (operation.kind === "finish" && operation.pass >= pass) {
      finishing = operation.id;
      core.show(notices.finishWaits());
    }
    if (operation.kind === "reset" && operation.expectedPass > pass)
      core.change({ type: "started_again", pass: operation.expectedPass, notice: notices.startedAgain() });
  };
  return (event) => {
    if (event.type === "operation_added" && isOfArea(core, event.operation)) handleAdded(event.operation);
    if (event.type !== "operation_settled" || event.operation.id !== finishing) return;
    finishing = null;
    if (event.operation.kind === "finish") goOnAfter(core, event.operation).catch(globalThis.reportError);
  };
}

/** Tells of the newest scan that its way to the server broke off, once: it is safe on the device. */
function createUnsentNotice({ device, area, state, show }: StationCore): (event: OutboxEvent) => void {
  const unsent = new Map<number, PendingScan>();
  let lastShown = 0;
  return (event) => {
    if (event.type === "scan_added" && event.scan.areaId === area.areaId) {
      unsent.set(event.scan.id, event.scan);
      // Scanned while the server was away: the scan's own notice tells so already.
      if (!device.connectivity.isOnline()) lastShown = event.scan.id;
    }
    if (event.type === "scans_settled") {
      for (const scan of event.scans) if (!isUnsettled(scan)) unsent.delete(scan.id);
    }
    if (event.type !== "stopped" || state().block !== null) return;
    const newest = [...unsent.values()].at(-1);
    if (newest === undefined || newest.id <= lastShown || newest.localOutcome !== "counted") return;
    lastShown = newest.id;
    show(notices.unsent(newest));
  };
}

/** Follows what the server makes of this device's rows, and what the device's other tabs do. */
export function followOutbox(core: StationCore): () => void {
  const showUnsent = createUnsentNotice(core);
  const followOtherTabs = createOtherTabs(core);
  return core.device.bus.subscribe((event) => {
    showUnsent(event);
    if (event.type === "scan_added") handleRow(core, event.scan);
    if (event.type === "scans_settled") for (const scan of event.scans) handleRow(core, scan);
    followOtherTabs(event);
    if (event.type === "operation_settled") handleOperation(core, event.operation);
    if (event.type === "requeued" || event.type === "server_restored") reloadInBackground(core);
    if (event.type !== "server_restored") return;
    // Neither is what was heard of before the restore.
    core.server.refreshSessions();
    core.server.refreshAreas();
  });
}

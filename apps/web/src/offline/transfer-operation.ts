import { finishArea, resetArea, undoScan } from "@stocktake/contract";
import type * as z from "zod/mini";
import { type OperationOutcome, settleOperation } from "./outbox-settle.ts";
import { operationCall } from "./payloads.ts";
import type { Incoming } from "./ports.ts";
import type { OperationAnswer, PendingOperation } from "./records.ts";
import { type Failure, judgeMissing, type TransferPorts } from "./transfer.ts";
import { judgeIncoming, type Verdict } from "./verdict.ts";

function mapDone<From, To>(verdict: Verdict<From>, change: (answer: From) => To): Verdict<To> {
  return verdict.kind === "done" ? { kind: "done", answer: change(verdict.answer) } : verdict;
}

function judgeOperation(operation: PendingOperation, incoming: Incoming): Verdict<OperationAnswer> {
  const read = <Answer>(schema: z.ZodMiniType<Answer>, change: (answer: Answer) => OperationAnswer) =>
    mapDone(judgeIncoming(incoming, schema), change);
  switch (operation.kind) {
    case "undo":
      return read(undoScan.answer, ({ undone }) => ({ kind: "undo", seq: undone.seq }));
    case "reset":
      return read(resetArea.answer, ({ area, deletedScans }) => ({
        kind: "reset",
        pass: area.pass,
        deletedScans,
      }));
    case "finish":
      return read(finishArea.answer, ({ matched, serverTotal }) => ({
        kind: "finish",
        matched,
        serverTotal,
      }));
  }
}

interface Judged {
  readonly outcome: OperationOutcome | null;
  readonly failure: Failure | null;
}

const failedNow: OperationOutcome = { kind: "failed" };

async function judged(
  ports: TransferPorts,
  operation: PendingOperation,
  verdict: Verdict<OperationAnswer>,
): Promise<Judged> {
  switch (verdict.kind) {
    case "done":
      return { outcome: { kind: "answered", answer: verdict.answer }, failure: null };
    case "refused":
      return { outcome: { kind: "refused", refusal: verdict.refusal }, failure: null };
    case "not_found":
      return judgeMissing(ports, operation.sessionId, verdict.refusal);
    case "conflict":
      // Operations carry no number of their own, so the contract knows no such answer.
      return { outcome: failedNow, failure: { why: "no_answer", retryAfterMs: null } };
    case "failed":
      return { outcome: failedNow, failure: verdict };
  }
}

async function settle(
  ports: TransferPorts,
  operation: PendingOperation,
  outcome: OperationOutcome,
): Promise<void> {
  const now = new Date(ports.clock.now()).toISOString();
  const settled = await settleOperation(ports.database, operation, outcome, now);
  if (settled === null || outcome.kind === "failed") return;
  ports.bus.publish({ type: "operation_settled", operation: settled });
}

/** Sends an undo, a reset or a finish and takes its answer over. The answer says why sending must stop, or null. */
export async function transferOperation(
  ports: TransferPorts,
  operation: PendingOperation,
): Promise<Failure | null> {
  const targetId = operation.kind === "undo" ? operation.targetId : null;
  const target = targetId === null ? undefined : await ports.database.get("pendingScans", targetId);
  if (target !== undefined && target.refusal !== null) {
    // The server never took the scan, so there is nothing to undo there.
    await settle(ports, operation, { kind: "answered", answer: { kind: "none" } });
    return null;
  }
  const incoming = await ports.send(operationCall(operation, target ?? null));
  const { outcome, failure } = await judged(ports, operation, judgeOperation(operation, incoming));
  if (outcome !== null) await settle(ports, operation, outcome);
  return failure;
}

import { type CallInput, finishArea, resetArea, undoScan } from "@stocktake/contract";
import type * as z from "zod/mini";
import { type Measurement, operationTime } from "../connection/scan-time.ts";
import { readDeviceKey } from "../database/device-keys.ts";
import {
  isMakerRefused,
  isMismatch,
  type OperationAnswer,
  type PendingOperation,
  type PendingScan,
  type Refusal,
} from "../database/records.ts";
import { settingsOf } from "../database/settings.ts";
import { endReport, openReport, type QueueReport } from "../outbox/queue-reports.ts";
import { type OperationOutcome, settleOperation, undoTooLate } from "../outbox/settle.ts";
import type { OutgoingCall, RawResponse } from "../ports.ts";
import { classifyRepetition, isLeftBy, type Repetition } from "./repeat-operation.ts";
import { epochOf, type Failure, interpret, isDeclined, type Reply } from "./reply.ts";
import { type SendingPorts, settledAt } from "./send-scans.ts";
import { resolveNotFound } from "./session-access.ts";

/** What is sent with an operation besides the row itself. */
interface Along {
  /** What else the server is told. */
  readonly report: QueueReport | null;
  /** The key of the device whose scan an undo takes back. */
  readonly shown: Pick<QueueReport, "deviceKey">;
  /** The clocks when the server was heard last. */
  readonly heard: Measurement | null;
}

/** An operation's call. `target` is the undone scan as it is now: its number and its device id may have changed. */
export function operationCall(
  operation: PendingOperation,
  target: Pick<PendingScan, "seq" | "deviceId"> | null,
  { report, shown, heard }: Along,
): OutgoingCall {
  const { sessionId, areaCode, locationId, deviceId, pass, opId } = operation;
  const common = { sessionId, areaCode, locationId, pass, opId, ...report };
  switch (operation.kind) {
    case "undo": {
      const body: CallInput<typeof undoScan>["body"] = {
        ...{ ...common, ...shown },
        deviceId: target?.deviceId ?? deviceId,
        seq: target?.seq ?? operation.targetSeq,
      };
      return { method: "POST", path: undoScan.path, body };
    }
    case "reset": {
      return resetCall({ ...common, ...madeBy(operation), deviceId });
    }
    case "finish": {
      const { declaredTotal, knownAccepted, tagsUnheard, answer, ownOf } = operation;
      // Sent again after a restore: the pass ends as it did, even if the numbers happened to be equal now.
      if (operation.isResent === true && isMismatch(answer))
        return resetCall({ ...common, ...madeBy(operation), deviceId });
      const body: CallInput<typeof finishArea>["body"] = {
        ...{ ...common, ...madeBy(operation) },
        deviceId,
        declaredTotal,
        knownAccepted,
        ...timeDeclared(operation, heard),
        ...(tagsUnheard === undefined ? {} : { tagsUnheard }),
        ...(ownOf === undefined ? {} : { own: true, declaredById: ownOf }),
      };
      return { method: "POST", path: finishArea.path, body };
    }
  }
}

type Made = Pick<PendingOperation & { kind: "reset" | "finish" }, "madeById" | "isMakerUnknown">;

function madeBy({ madeById, isMakerUnknown }: Made): Pick<CallInput<typeof resetArea>["body"], "madeById"> {
  return madeById === undefined || isMakerUnknown === true ? {} : { madeById };
}

/** As the server is told it: nothing by a row of an older version, and no guess. */
function timeDeclared(
  operation: Pick<PendingOperation, "createdAt" | "madeAt" | "reading">,
  heard: Measurement | null,
): Pick<CallInput<typeof finishArea>["body"], "declaredAt" | "timeUnknown"> {
  if (operation.madeAt === undefined) return {};
  const declaredAt = operationTime(operation, heard);
  return declaredAt === null ? { timeUnknown: true } : { declaredAt };
}

function resetCall(body: CallInput<typeof resetArea>["body"]): OutgoingCall {
  return { method: "POST", path: resetArea.path, body };
}

function mapDone<From, To>(reply: Reply<From>, change: (answer: From) => To): Reply<To> {
  return reply.kind === "done" ? { kind: "done", answer: change(reply.answer) } : reply;
}

function interpretOperation(operation: PendingOperation, response: RawResponse): Reply<OperationAnswer> {
  const read = <Answer>(schema: z.ZodMiniType<Answer>, change: (answer: Answer) => OperationAnswer) =>
    mapDone(interpret(response, schema), change);
  const { answer } = operation;
  if (operation.isResent === true && isMismatch(answer)) {
    return read(resetArea.answer, () => answer);
  }
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
      return read(finishArea.answer, ({ matched, serverTotal, waitingFor, together }) => ({
        kind: "finish",
        matched,
        serverTotal,
        ...(waitingFor === undefined ? {} : { waitingFor }),
        ...(together === undefined ? {} : { together }),
      }));
  }
}

interface Resolved {
  readonly outcome: OperationOutcome | null;
  readonly failure: Failure | null;
}

const failedNow: OperationOutcome = { kind: "failed" };

/** After a restore an operation that is not possible any more was done once, and what it did is not there to be changed. */
function refused(operation: PendingOperation, refusal: Refusal): OperationOutcome {
  const isOfTotals = operation.kind === "undo" && undoTooLate.has(refusal.code);
  if (operation.isResent === true && !isOfTotals) {
    return { kind: "kept", isLeft: isLeftBy(operation, refusal) };
  }
  return { kind: "refused", refusal };
}

async function resolve(
  ports: SendingPorts,
  operation: PendingOperation,
  reply: Reply<OperationAnswer>,
): Promise<Resolved> {
  switch (reply.kind) {
    case "done":
      return { outcome: { kind: "answered", answer: reply.answer }, failure: null };
    case "refused":
      // Taken as a refusal, what may pass would move what was scanned after a reset into the pass before it.
      if (isDeclined(reply)) {
        const outcome: OperationOutcome = { kind: "failed", declined: reply.refusal };
        return { outcome, failure: { why: "declined", retryAfterMs: null, declined: operation } };
      }
      if (isMakerRefused(operation, reply.fields))
        return { outcome: { kind: "unknown_maker" }, failure: null };
      return { outcome: refused(operation, reply.refusal), failure: null };
    case "not_found":
      return resolveNotFound(ports.sessionAccess, operation.sessionId, reply.refusal);
    case "conflict":
      // Operations have no sequence number, so the contract has no such response.
      return { outcome: failedNow, failure: { why: "no_answer", retryAfterMs: null } };
    case "failed":
      return { outcome: failedNow, failure: reply };
  }
}

async function settle(
  ports: SendingPorts,
  operation: PendingOperation,
  outcome: OperationOutcome,
  epoch: string | null,
): Promise<void> {
  const now = settledAt(ports);
  const settled = await settleOperation(ports.database, operation, outcome, now, epoch);
  if (settled === null || outcome.kind === "failed" || outcome.kind === "unknown_maker") return;
  ports.bus.publish({ type: "operation_settled", operation: settled });
}

/** Ends a reset or finish that is not sent again; where the server could not be asked, it is tried later. */
async function leaveOperation(
  ports: SendingPorts,
  operation: PendingOperation,
  reply: Reply<Repetition>,
): Promise<Failure | null> {
  const answered = mapDone(reply, (): OperationAnswer => ({ kind: "none" }));
  const { outcome, failure } = await resolve(ports, operation, answered);
  const kept: OperationOutcome = { kind: "kept", isLeft: reply.kind === "done" && reply.answer === "left" };
  if (outcome !== null) await settle(ports, operation, outcome.kind === "answered" ? kept : outcome, null);
  return failure;
}

/** Refused or not, the server has kept the report, unless it could not find what it is of. */
const hasReport = (reply: Reply<unknown>) =>
  reply.kind === "done" || (reply.kind === "refused" && reply.refusal.httpStatus === 409);

/** Sends an undo, a reset or a finish, after which so many rows of its session and device id remain, and saves its outcome. Returns why sending must stop, or null. */
export async function sendOperation(
  ports: SendingPorts,
  operation: PendingOperation,
  pending: number,
): Promise<Failure | null> {
  const targetId = operation.kind === "undo" ? operation.targetId : null;
  const target = targetId === null ? undefined : await ports.database.get("pendingScans", targetId);
  if (target !== undefined && target.refusal !== null) {
    // The server never stored the scan, so there is nothing to undo there.
    await settle(ports, operation, { kind: "answered", answer: { kind: "none" } }, null);
    return null;
  }
  if (operation.isResent === true && operation.kind !== "undo") {
    const repetition = await classifyRepetition(ports, operation);
    if (repetition.kind !== "done" || repetition.answer !== "send")
      return leaveOperation(ports, operation, repetition);
  }
  const { database, clock } = ports;
  const { sessionId, deviceId } = operation;
  // An undo names the device of its scan; of another one's queue it would tell the wrong number.
  const isOfOwnQueue = target === undefined || target.deviceId === deviceId;
  const report = isOfOwnQueue ? await openReport(ports, { sessionId, deviceId, pending }) : null;
  // Whoever is signed in by now: it may be another person's scan, which the server lets nobody take back but the device itself.
  const shown = await readDeviceKey(settingsOf(database), target?.deviceId ?? deviceId);
  const along = { report, shown, heard: ports.heard() };
  const response = await ports.send(operationCall(operation, target ?? null, along));
  const reply = interpretOperation(operation, response);
  if (report !== null && hasReport(reply)) await endReport(database, operation, report, clock.now());
  const { outcome, failure } = await resolve(ports, operation, reply);
  if (outcome !== null) await settle(ports, operation, outcome, epochOf(response));
  return failure;
}

import type { PendingOperation, PendingScan } from "../database/records.ts";
import { countHeld, isHeldBy, owedReports } from "../outbox/queue-reports.ts";
import type { Held, OutboxReader } from "../outbox/read.ts";
import type { ExclusiveLock, Randomness, Timers } from "../ports.ts";
import { createHeldRows, type HeldRows } from "./held-rows.ts";
import { nextStep, withoutHeld } from "./next-step.ts";
import type { Failure } from "./reply.ts";
import { reportEmptied } from "./report-emptied.ts";
import { sendOperation } from "./send-operation.ts";
import { type SendingPorts, sendScans } from "./send-scans.ts";

export interface SyncEnginePorts extends SendingPorts {
  readonly reader: OutboxReader;
  readonly lock: ExclusiveLock;
  readonly timers: Timers;
  readonly random: Randomness;
}

/** Empties the outbox in order and restarts by itself after a failure (docs/SYNC.md, S9 to S19). */
export interface SyncEngine {
  /** A row has been written. Does nothing while the engine waits after a failure. */
  wake(): void;
  /** Sending may succeed now (online again, page visible, a person asked): ends the wait. */
  retryNow(): void;
  /** Who is signed in; with null nothing is sent and nothing is dropped. */
  setLogin(userId: string | null): void;
  /** Resolves when no run is in progress. */
  settled(): Promise<void>;
  stop(): void;
}

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/**
 * How long to wait after the given number of consecutive failures (1 or more), in milliseconds: doubles from a second to
 * half a minute, with random jitter between half and all of it, so that a shop's devices do not all retry at once. Never
 * less than the server's Retry-After.
 */
export function retryDelay(failures: number, fraction: number, retryAfterMs: number | null): number {
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 10));
  return Math.max(Math.round(full * (0.5 + fraction / 2)), retryAfterMs ?? 0);
}

/** How a run ended. */
interface Ended {
  /** Why it has to be tried again; null where there is nothing more to do. */
  readonly failure: Failure | null;
  /** Everything that this login may send has been sent, whether or not the server could be told so. */
  readonly isDrained: boolean;
}

async function runToEnd(
  ports: SyncEnginePorts,
  { held, told }: { readonly held: HeldRows; readonly told: Told },
  login: () => string | null,
): Promise<Ended> {
  for (;;) {
    if (login() === null) return { failure: null, isDrained: true };
    const rows = await ports.reader.unsettled();
    const step = nextStep(withoutHeld(rows, held.isHeld), ports.sessionAccess.maySend);
    if (step.kind === "nothing") {
      return { failure: await reportAllEmptied(ports, rows, told), isDrained: true };
    }
    const failure =
      step.kind === "operation"
        ? await sendOperation(ports, step.operation, pendingAfter(rows, [step.operation]))
        : await sendScans(ports, step.scans, pendingAfter(rows, step.scans));
    const isHeld = failure?.declined !== undefined && held.declined(failure.declined);
    if (failure !== null && !isHeld) return { failure, isDrained: false };
  }
}

/**
 * How many rows of a session and device id remain; an undo, a reset or a finish changes its counts as much as a scan does. A scan that is
 * sent again may be refused by the restored server, and remains until that is known.
 */
function pendingAfter(all: Held, sent: readonly (PendingScan | PendingOperation)[]): number {
  const [first] = sent;
  const leaving = sent.filter((row) => "kind" in row || row.isResent !== true);
  return first === undefined ? 0 : countHeld(all, first) - leaving.length;
}

/** What this page has told last of queues of which refused rows remain, by session and device id. */
type Told = Map<string, number>;

/** Of queues whose rows are all gone, or refused by a restored server, the server is to be told: once of as many that remain. */
async function reportAllEmptied(ports: SyncEnginePorts, rows: Held, told: Told): Promise<Failure | null> {
  for (const holder of await owedReports(ports.database)) {
    const pending = countHeld(rows, holder);
    const isSent = pending === rows.refused.filter(isHeldBy(holder)).length;
    if (!isSent || !ports.sessionAccess.maySend(holder.sessionId)) continue;
    const key = `${holder.sessionId} ${holder.deviceId}`;
    if (pending > 0 && told.get(key) === pending) continue;
    const failure = await reportEmptied(ports, { ...holder, pending });
    if (failure !== null) return failure;
    told.set(key, pending);
  }
  return null;
}

const storageFailed: Ended = { failure: { why: "busy", retryAfterMs: null }, isDrained: false };

export function createSyncEngine(ports: SyncEnginePorts): SyncEngine {
  const held = createHeldRows(ports.clock);
  const told: Told = new Map();
  let userId: string | null = null;
  let running: Promise<void> | null = null;
  let again = false;
  let failures = 0;
  let cancelRetry: (() => void) | null = null;
  let stopped = false;

  function afterRun({ failure, isDrained }: Ended): void {
    running = null;
    if (stopped) return;
    if (failure === null) failures = 0;
    else {
      failures += 1;
      const delay = retryDelay(failures, ports.random.fraction(), failure.retryAfterMs);
      cancelRetry = ports.timers.after(delay, endWait);
    }
    if (failure === null || isDrained) ports.bus.publish({ type: "drained" });
    else ports.bus.publish({ type: "stopped", reason: failure.why });
    if (again && cancelRetry === null) start();
  }

  async function runOnce(): Promise<Ended> {
    let isOver = false;
    try {
      return await ports.lock.hold(() =>
        runToEnd(ports, { held, told }, () => (stopped || isOver ? null : userId)),
      );
    } catch (error) {
      // The device's storage failed midway, or another tab took the lock; every row is as the last complete transaction left it.
      if (!stopped) globalThis.reportError(error);
      return storageFailed;
    } finally {
      // A tab that lost its lock learns of it in the middle of its run, which must not continue beside the next one.
      isOver = true;
    }
  }

  function start(): void {
    if (running !== null || stopped || userId === null) {
      again = running !== null;
      return;
    }
    again = false;
    running = runOnce().then(afterRun);
  }

  function endWait(): void {
    cancelRetry?.();
    cancelRetry = null;
    start();
  }

  function retryNow(): void {
    held.startOver();
    endWait();
  }

  return {
    wake() {
      if (cancelRetry === null) start();
    },
    retryNow,
    setLogin(next) {
      if (next === userId) return;
      userId = next;
      ports.sessionAccess.startOver();
      failures = 0;
      retryNow();
    },
    settled: async () => {
      while (running !== null) await running;
    },
    stop() {
      stopped = true;
      cancelRetry?.();
    },
  };
}

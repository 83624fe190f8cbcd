import type { OutboxReader } from "../outbox/read.ts";
import type { ExclusiveLock, Randomness, Timers } from "../ports.ts";
import { retryDelay } from "./backoff.ts";
import { nextStep } from "./next-step.ts";
import { sendOperation } from "./send-operation.ts";
import { type Failure, type SendingPorts, sendScans } from "./send-scans.ts";

export interface SyncEnginePorts extends SendingPorts {
  readonly reader: OutboxReader;
  readonly lock: ExclusiveLock;
  readonly timers: Timers;
  readonly random: Randomness;
}

/** Empties the outbox in order, and starts again by itself after a failure (docs/SYNC.md, S9 to S19). */
export interface SyncEngine {
  /** A row has been written. Does nothing while the engine waits after a failure. */
  wake(): void;
  /** Something says that it may work now (online again, page in sight, a person asked): does not wait any longer. */
  retryNow(): void;
  /** Who is signed in; null sends nothing and keeps everything. */
  setLogin(userId: string | null): void;
  /** Resolves when no run is going on. */
  settled(): Promise<void>;
  stop(): void;
}

async function runToEnd(ports: SyncEnginePorts, login: () => string | null): Promise<Failure | null> {
  for (;;) {
    if (login() === null) return null;
    const rows = await ports.reader.unsettled();
    const step = nextStep(rows, ports.sessionAccess.maySend);
    if (step.kind === "nothing") return null;
    const failure =
      step.kind === "operation"
        ? await sendOperation(ports, step.operation)
        : await sendScans(ports, step.scans, pendingAfter(rows.scans, step.scans));
    if (failure !== null) return failure;
  }
}

function pendingAfter(
  all: readonly { readonly sessionId: string }[],
  sent: readonly { readonly sessionId: string }[],
): number {
  return all.filter((scan) => scan.sessionId === sent[0]?.sessionId).length - sent.length;
}

const crashed: Failure = { why: "busy", retryAfterMs: null };

export function createSyncEngine(ports: SyncEnginePorts): SyncEngine {
  let userId: string | null = null;
  let running: Promise<void> | null = null;
  let again = false;
  let failures = 0;
  let cancelRetry: (() => void) | null = null;
  let stopped = false;

  function afterRun(failure: Failure | null): void {
    running = null;
    if (stopped) return;
    if (failure === null) {
      failures = 0;
      ports.bus.publish({ type: "drained" });
    } else {
      failures += 1;
      const delay = retryDelay(failures, ports.random.fraction(), failure.retryAfterMs);
      cancelRetry = ports.timers.after(delay, retryNow);
      ports.bus.publish({ type: "stopped", reason: failure.why });
    }
    if (again && cancelRetry === null) start();
  }

  async function runOnce(): Promise<Failure | null> {
    let isOver = false;
    try {
      return await ports.lock.hold(() => runToEnd(ports, () => (stopped || isOver ? null : userId)));
    } catch (error) {
      // The device's own storage failed in the middle, or another tab took the lock; every row still is what the last
      // complete transaction made it.
      globalThis.reportError(error);
      return crashed;
    } finally {
      // A tab whose lock was taken hears of it in the middle of its run, which must not go on beside the next one.
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

  function retryNow(): void {
    cancelRetry?.();
    cancelRetry = null;
    start();
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

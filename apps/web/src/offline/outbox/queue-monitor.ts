import { createEmitter } from "../../events/emitter.ts";
import { isSetAside, isUnsettled, type PendingOperation, type PendingScan } from "../database/records.ts";
import type { OutboxBus, OutboxEvent, StopReason } from "./events.ts";
import type { OutboxReader } from "./read.ts";

/** What the page shows of the queue. */
export interface QueueState {
  /** Scans and operations that the server has not acknowledged: the pending badge (docs/SYNC.md, S20). */
  readonly pending: number;
  /** How many of these are of sessions that this login can't send to, as far as this tab has tried (docs/SYNC.md, S17). */
  readonly barred: number;
  /** Refused permanently; stored and shown. */
  readonly setAside: number;
  /** Why sending has stopped; null while it continues or has nothing to do. */
  readonly stopped: StopReason | null;
}

export interface QueueMonitor {
  state(): QueueState;
  subscribe(listener: () => void): () => void;
}

function settledCounts(rows: readonly (PendingScan | PendingOperation)[]): {
  done: number;
  refused: number;
} {
  return {
    done: rows.filter((row) => !isUnsettled(row)).length,
    refused: rows.filter(isSetAside).length,
  };
}

function next(state: QueueState, event: OutboxEvent): QueueState {
  switch (event.type) {
    case "scan_added":
    case "operation_added":
      return { ...state, pending: state.pending + 1 };
    case "scans_settled":
    case "operation_settled": {
      const rows = event.type === "scans_settled" ? event.scans : [event.operation];
      const { done, refused } = settledCounts(rows);
      return {
        ...state,
        stopped: null,
        pending: Math.max(0, state.pending - done),
        setAside: state.setAside + refused,
      };
    }
    case "stopped":
      return { ...state, stopped: event.reason };
    case "drained":
      return { ...state, stopped: null };
    case "server_restored":
    case "reported":
    case "answered":
      return state;
    case "requeued": {
      const { setAside = 0 } = event;
      return { ...state, pending: state.pending + state.setAside - setAside, setAside };
    }
  }
}

/**
 * Follows the queue by the events of the bus, so that a long queue is not read for every scan, and recounts it whenever
 * sending ends.
 */
export async function createQueueMonitor(
  bus: OutboxBus,
  reader: OutboxReader,
  setAside: number,
  maySend: (sessionId: string) => boolean,
): Promise<QueueMonitor> {
  const changes = createEmitter();
  let state: QueueState = { pending: 0, barred: 0, setAside, stopped: null };
  const setState = (changed: QueueState) => {
    state = changed;
    changes.emit();
  };
  const recount = async () => {
    const { scans, operations } = await reader.unsettled();
    const rows = [...scans, ...operations];
    const pending = rows.length;
    const barred = rows.filter(({ sessionId }) => !maySend(sessionId)).length;
    if (pending !== state.pending || barred !== state.barred) setState({ ...state, pending, barred });
  };
  bus.subscribe((event) => {
    setState(next(state, event));
    const isIdle = event.type === "drained" || event.type === "stopped";
    if (isIdle || event.type === "server_restored") recount().catch(globalThis.reportError);
  });
  await recount();
  return {
    state: () => state,
    subscribe: changes.subscribe,
  };
}

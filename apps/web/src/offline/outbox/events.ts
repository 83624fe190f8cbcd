import { createEmitter } from "../../events/emitter.ts";
import type { PendingOperation, PendingScan } from "../database/records.ts";

/**
 * Why sending stopped. `busy` covers 408, 429 and 5xx: the server is reachable but cannot handle the call now. `declined`: it
 * would not take an operation for a reason that may pass.
 */
export type StopReason = "no_answer" | "unauthenticated" | "busy" | "declined";

/** What happens in the outbox, published to every tab of the device. */
export type OutboxEvent =
  | { readonly type: "scan_added"; readonly scan: PendingScan }
  | { readonly type: "operation_added"; readonly operation: PendingOperation }
  /** Acknowledged, refused, renumbered, or failed: the rows as they are now. */
  | { readonly type: "scans_settled"; readonly scans: readonly PendingScan[] }
  | { readonly type: "operation_settled"; readonly operation: PendingOperation }
  /** A report of the queue has been given this number. */
  | { readonly type: "reported"; readonly number: number }
  /** An answer to a search has been given this number. */
  | { readonly type: "answered"; readonly number: number }
  /** Sending stopped; rows stay in the queue. */
  | { readonly type: "stopped"; readonly reason: StopReason }
  /** Everything that this login may send has been sent. */
  | { readonly type: "drained" }
  /** Rows that had been set aside are back in the queue; so many are not, none where it does not say. */
  | { readonly type: "requeued"; readonly setAside?: number }
  /** The server was restored: what it had acknowledged is in the queue again. */
  | { readonly type: "server_restored" };

export interface OutboxBus {
  publish(event: OutboxEvent): void;
  subscribe(listener: (event: OutboxEvent) => void): () => void;
  close(): void;
}

/** Publishes to the listeners of this tab and, over the channel, to those of the device's other tabs. */
export function createOutboxBus(channel: BroadcastChannel | null): OutboxBus {
  const events = createEmitter<OutboxEvent>();
  let isClosed = false;
  channel?.addEventListener("message", (message: MessageEvent<OutboxEvent>) => events.emit(message.data));
  return {
    publish(event) {
      if (isClosed) return;
      channel?.postMessage(event);
      events.emit(event);
    },
    subscribe: events.subscribe,
    close() {
      isClosed = true;
      events.clear();
      channel?.close();
    },
  };
}

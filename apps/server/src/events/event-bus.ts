import type { LiveEvent } from "@stocktake/contract";

/** Carries what changed to every node's listeners: a hint to read again, never the data itself. */
export interface EventBus {
  /** Call after the commit. Returns at once; hints of one session are coalesced to two a second at most. */
  publish(event: LiveEvent): void;
  /** Receives the events of all nodes; the returned function ends it. */
  subscribe(listener: (event: LiveEvent) => void): () => void;
  /**
   * Receives the hash of each login that ends, on whatever node, in hexadecimal digits; null after a loss, when it is
   * unknown which have ended. The returned function ends it.
   */
  subscribeToEndedLogins(listener: (loginHash: string | null) => void): () => void;
  close(): Promise<void>;
}

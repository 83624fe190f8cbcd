import { setMaxListeners } from "node:events";
import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../kernel/clock.ts";

/** Gathers hints that something should be read again. */
export interface Hints {
  /** Reads after the pause, once for all hints of the same thing that come until then. A failure is logged. */
  give(what: string, pauseMs: number, read: () => Promise<void>): void;
  close(): Promise<void>;
}

export function createHints(clock: Clock, logger: FastifyBaseLogger): Hints {
  const closing = new AbortController();
  // Every Shopify location that is hinted at waits with a listener.
  setMaxListeners(0, closing.signal);
  const waiting = new Set<string>();
  const underWay = new Set<Promise<void>>();

  async function readLater(what: string, pauseMs: number, read: () => Promise<void>): Promise<void> {
    try {
      await clock.sleep(pauseMs, closing.signal);
      // From here on a new hint may speak of something that this reading does not see any more.
      waiting.delete(what);
      await read();
    } catch (error) {
      if (!closing.signal.aborted)
        logger.warn({ err: error, what }, "What Shopify hinted at could not be read");
    }
  }

  return {
    give(what, pauseMs, read) {
      if (waiting.has(what) || closing.signal.aborted) return;
      waiting.add(what);
      const reading = readLater(what, pauseMs, read).finally(() => underWay.delete(reading));
      underWay.add(reading);
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

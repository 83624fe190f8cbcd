import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../kernel/clock.ts";
import { RareLines } from "../kernel/rare-lines.ts";
import type { OperationRunner } from "./operation-runner.ts";

export interface SweepServices {
  readonly operations: Pick<OperationRunner, "sweep">;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

/** With a lease of 12 s, what a dead node has left is taken up within 15 s. */
const pauseMs = 3_000;

/** Takes over, again and again, what processes that are gone have left running. The returned function ends it. */
export function keepSweeping({ operations, clock, logger }: SweepServices): () => Promise<void> {
  const stop = new AbortController();
  const lines = new RareLines();
  const sweeping = (async () => {
    while (!stop.signal.aborted) {
      // The sleep rejects only because the server stops.
      await clock.sleep(pauseMs, stop.signal).catch(() => undefined);
      if (stop.signal.aborted) return;
      await operations.sweep().catch((error: unknown) => {
        lines.add("sweep", (facts) =>
          logger.warn({ err: error, ...facts }, "What other nodes may have left could not be taken over yet"),
        );
      });
    }
  })();
  return async () => {
    stop.abort();
    await sweeping;
  };
}

import type { CatalogueServices } from "./services.ts";

const firstPauseMs = 5_000;
const longestPauseMs = 300_000;

/**
 * Reads the catalogue in the background, again and again until Shopify responds: the server runs without it. The returned
 * function gives up.
 */
export function readUntilRead({ catalogue, clock, logger }: CatalogueServices): () => Promise<void> {
  const stop = new AbortController();
  const reading = (async () => {
    for (let pause = firstPauseMs; !stop.signal.aborted; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        return await catalogue.refresh(stop.signal);
      } catch (error) {
        if (stop.signal.aborted) return;
        logger.warn({ err: error }, "The products could not be read from Shopify yet; it is tried again");
      }
      // The sleep rejects only because the server stops.
      await clock.sleep(pause, stop.signal).catch(() => undefined);
    }
  })();
  return async () => {
    stop.abort();
    await reading;
  };
}

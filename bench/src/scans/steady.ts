import { setTimeout as pause } from "node:timers/promises";
import { postScan } from "@stocktake/contract";
import type { ApiClient } from "@stocktake/testkit";
import type { ScanSource } from "./load.ts";

/** How many phones scan, each once in so many milliseconds. */
export interface Pace {
  readonly phones: number;
  readonly everyMs: number;
}

/**
 * Phones that scan at a steady pace, whatever the answers take, until `over`; they begin one after the other. Returns the
 * milliseconds that each scan took, in rising order.
 */
export async function scanSteadily(
  api: ApiClient,
  makeSource: () => ScanSource,
  { phones, everyMs }: Pace,
  over: () => boolean,
): Promise<number[]> {
  const took: number[] = [];
  const scanning = Array.from({ length: phones }, async (_none, index) => {
    await pause((index * everyMs) / phones);
    await onePhone(api, makeSource(), everyMs, { took, over });
  });
  await Promise.all(scanning);
  return took.toSorted((left, right) => left - right);
}

async function onePhone(
  api: ApiClient,
  source: ScanSource,
  everyMs: number,
  { took, over }: { readonly took: number[]; readonly over: () => boolean },
): Promise<void> {
  const began = performance.now();
  const under: Promise<void>[] = [];
  for (let made = 0; !over(); made += 1) {
    await pause(Math.max(0, began + made * everyMs - performance.now()));
    // From when it is sent: that the bench's own process waits for a processor is not the server's time.
    const sent = performance.now();
    under.push(
      api.call(postScan, { body: source.next() }).then(() => {
        took.push(performance.now() - sent);
      }),
    );
  }
  await Promise.all(under);
}

import { setTimeout as pause } from "node:timers/promises";
import type { ScanPayload } from "@stocktake/contract";
import type { ScanSource } from "./load.ts";

/** How many phones scan, each once in so many milliseconds. */
export interface Pace {
  readonly phones: number;
  readonly everyMs: number;
}

/** A scan that was answered. */
export interface TimedScan {
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly milliseconds: number;
}

/**
 * Phones that scan at a steady pace, whatever the answers take, until `over`; they begin one after the other. Returns every scan, in the
 * order of the answers.
 * @param send resolves when the scan was answered; what it rejects with ends the measure
 */
export async function scanSteadily(
  send: (scan: ScanPayload) => Promise<unknown>,
  makeSource: () => ScanSource,
  { phones, everyMs }: Pace,
  over: () => boolean,
): Promise<TimedScan[]> {
  const scans: TimedScan[] = [];
  const scanning = Array.from({ length: phones }, async (_none, index) => {
    await pause((index * everyMs) / phones);
    await onePhone(send, makeSource(), everyMs, { scans, over });
  });
  await Promise.all(scanning);
  return scans;
}

/** The milliseconds that each took, in rising order. */
export function risingTimes(scans: readonly TimedScan[]): number[] {
  return scans.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right);
}

async function onePhone(
  send: (scan: ScanPayload) => Promise<unknown>,
  source: ScanSource,
  everyMs: number,
  { scans, over }: { readonly scans: TimedScan[]; readonly over: () => boolean },
): Promise<void> {
  const began = performance.now();
  const under: Promise<void>[] = [];
  for (let made = 0; !over(); made += 1) {
    await pause(Math.max(0, began + made * everyMs - performance.now()));
    // From when it is sent: that the bench's own process waits for a processor is not the server's time.
    const sent = performance.now();
    under.push(
      send(source.next()).then(() => {
        scans.push({ sentAt: performance.timeOrigin + sent, milliseconds: performance.now() - sent });
      }),
    );
  }
  await Promise.all(under);
}

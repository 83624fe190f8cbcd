import { areaOne, type EngineHarness } from "./engine-harness.ts";

/** A restore takes a while, in which no phone hears of the server. */
export async function restore(harness: EngineHarness, bringBack: () => void): Promise<void> {
  bringBack();
  harness.clock.advance(60_000);
}

/** Scans and sends what was scanned. */
export async function sendAll(harness: EngineHarness, ...inputs: string[]): Promise<void> {
  for (const input of inputs) await harness.scan(input);
  await harness.run();
}

/** Hears of the server again, as a page does by its probe. */
export async function hear(harness: EngineHarness, area = areaOne): Promise<void> {
  await harness.scan("next", area);
  await harness.run();
  harness.clock.advance(1_000);
  await harness.engine.settled();
}

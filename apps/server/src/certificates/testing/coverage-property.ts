import fc from "fast-check";
import { expect } from "vitest";
import type { CoverageScene } from "./coverage-scene.ts";
import { RandomHistory } from "./random-history.ts";
import { type History, history, phonesWithKey } from "./random-steps.ts";

/**
 * In random histories of a session, to some time after its end: after each step, what the server says is open is what the oracle says is,
 * and a certificate holds only where nothing is, and says what is so. Resolves to how often each thing happened that matters.
 */
export async function holdInHistories(
  scene: CoverageScene,
  runs: { readonly numRuns: number; readonly seed?: number },
): Promise<ReadonlyMap<string, number>> {
  const met = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(history, (drawn) => live(scene, drawn, met)),
    runs,
  );
  // A property about certificates says nothing where there are none.
  expect(met.get("certificates that held")).toBeGreaterThan(0);
  return met;
}

async function live(scene: CoverageScene, drawn: History, met: Map<string, number>): Promise<void> {
  await scene.forgetDevices();
  for (const phone of phonesWithKey) scene.withKey.add(phone);
  await scene.begin(drawn.beginning);
  if (drawn.follows) scene.follow();
  const lived = new RandomHistory(scene, drawn, met);
  try {
    for (const step of drawn.counting) await lived.live(step);
    await lived.end();
    for (const step of drawn.afterwards) await lived.live(step);
    await lived.conclude();
  } finally {
    await scene.unfollow();
  }
}

import fc from "fast-check";
import { expect } from "vitest";
import type { CoverageScene } from "./coverage-scene.ts";
import { RandomHistory } from "./random-history.ts";
import { history } from "./random-steps.ts";

/**
 * In random histories of a session, to some time after its end: after each step, what the server says is open is what the oracle knows is,
 * and a certificate holds only where nothing is. Resolves to how often one held.
 */
export async function holdInHistories(
  scene: CoverageScene,
  runs: { readonly numRuns: number },
): Promise<number> {
  let held = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ counting, afterwards }) => {
      await scene.begin();
      const run = new RandomHistory(scene);
      for (const step of counting) {
        await run.perform(step);
        await run.expectSame();
      }
      await run.end();
      for (const step of afterwards) {
        await run.perform(step);
        await run.expectSame();
      }
      held += run.held;
    }),
    runs,
  );
  // A property about certificates says nothing where there are none.
  expect(held).toBeGreaterThan(0);
  return held;
}

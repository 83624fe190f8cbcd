import { parseArgs } from "node:util";
import fc from "fast-check";
import "fake-indexeddb/auto";
import { type FuzzStage, openFuzzStage } from "./fuzz-stage.ts";
import { plans } from "./plan.ts";
import { collectReports } from "./reports.ts";
import { Trial } from "./trial.ts";

/*
 * Random counts against the built product, any number of them: npm run fuzz -- --runs 200 --seed 1.
 * Each run has its own seed, S, S + 1 and so on; a failing one prints its plan, which is then added to regression-plans.ts.
 */

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "0" },
    shrink: { type: "boolean", default: false },
  },
});

async function runSeed(stage: FuzzStage, seed: number): Promise<boolean> {
  const property = fc.asyncProperty(plans, async (plan) => {
    const reports = collectReports();
    await Trial.run(stage, plan);
    reports.requireNone();
  });
  const details = await fc.check(property, { seed, numRuns: 1, endOnFailure: !values.shrink });
  if (!details.failed) return true;
  process.stdout.write(`\nseed ${seed}: ${JSON.stringify(details.counterexample)}\n`);
  process.stdout.write(`${details.errorInstance instanceof Error ? details.errorInstance.stack : ""}\n`);
  return false;
}

async function main(): Promise<void> {
  const [runs, first, minutes] = [Number(values.runs), Number(values.seed), Number(values.minutes)];
  const deadline = minutes > 0 ? Date.now() + minutes * 60_000 : Number.POSITIVE_INFINITY;
  const stage = await openFuzzStage();
  const failed: number[] = [];
  let done = 0;
  try {
    for (; done < runs && Date.now() < deadline; done += 1) {
      if (!(await runSeed(stage, first + done))) failed.push(first + done);
      process.stdout.write(done % 50 === 49 ? `. ${done + 1}\n` : ".");
    }
  } finally {
    await stage.close();
  }
  process.stdout.write(`\n${done} counts from seed ${first}; failed: ${failed.join(", ") || "none"}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

await main();

import "fake-indexeddb/auto";
import { test } from "@playwright/test";
import fc from "fast-check";
import { type FuzzStage, openFuzzStage } from "./fuzz/fuzz-stage.ts";
import { type Plan, plans } from "./fuzz/plan.ts";
import { playRefusedReset } from "./fuzz/refused-reset.ts";
import { regressionPlans } from "./fuzz/regression-plans.ts";
import { collectReports } from "./fuzz/reports.ts";
import { Trial } from "./fuzz/trial.ts";

/*
 * The product's own sync engine, with its IndexedDB, against the built server and PostgreSQL over HTTP: several phones,
 * requests lost, late and doubled, pages that crash, undo, reset and finish, and what people and the server do in between
 * (docs/SYNC.md, S1 to S22). A slice of what `npm run fuzz` does for as long as it is let.
 */

const freshSeeds = [1];

let stage: FuzzStage;
test.beforeAll(async () => {
  stage = await openFuzzStage();
});
test.afterAll(() => stage.close());

async function play(plan: Plan): Promise<void> {
  const reports = collectReports();
  await Trial.run(stage, plan);
  reports.requireNone();
}

for (const { rule, plan } of regressionPlans.filter(({ isInSlice }) => isInSlice)) {
  test(rule, () => play(plan));
}

test("S15, S40: what was scanned after a reset that is refused, as the area is others', never counts beside their count", async () => {
  for (const isAgain of [false, true]) {
    for (const isAhead of [false, true]) await playRefusedReset(stage, { isAgain, isAhead });
  }
});

for (const seed of freshSeeds) {
  test(`S1 to S22: the server's totals are what the phones were told, whatever happens (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(plans, play), { seed, numRuns: 1, endOnFailure: true });
  });
}

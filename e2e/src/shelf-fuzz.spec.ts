import "fake-indexeddb/auto";
import { test } from "@playwright/test";
import fc from "fast-check";
import { collectReports } from "./fuzz/reports.ts";
import { openEnvironment } from "./fuzz/shelf/environment.ts";
import { regressionShelves } from "./fuzz/shelf/regression-shelves.ts";
import { type ShelfPlan, shelfPlans } from "./fuzz/shelf/shelf-plan.ts";
import { ShelfTrial } from "./fuzz/shelf/shelf-trial.ts";

/*
 * What lies on a shelf and what the product makes of it, in simulated time and without a browser: a slice of what
 * `npm run fuzz -- shelf` does for as long as it is let.
 */

const freshSeeds = [1];

let environment: Awaited<ReturnType<typeof openEnvironment>>;
test.beforeAll(async () => {
  environment = await openEnvironment();
});
test.afterAll(() => environment.close());

async function play(plan: ShelfPlan): Promise<void> {
  const reports = collectReports();
  await ShelfTrial.run(environment, plan);
  reports.requireNone();
}

for (const { rule, plan } of regressionShelves.filter(({ isInSlice }) => isInSlice)) {
  test(rule, () => play(plan));
}

for (const seed of freshSeeds) {
  test(`after a deploy Shopify has what is on the shelf, or the SKU is named (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(shelfPlans, play), { seed, numRuns: 1, endOnFailure: true });
  });
}

import { test } from "@playwright/test";
import { type CallStage, openCallStage } from "./fuzz/calls/call-stage.ts";
import { fuzzCalls } from "./fuzz/calls/call-trial.ts";

/*
 * Random requests of every call, made from its schema, against the built server: a slice of what `npm run fuzz -- calls`
 * does for as long as it is let.
 */

const freshSeeds = [1];
const requestsPerCall = 10;

let stage: CallStage;
test.beforeAll(async () => {
  stage = await openCallStage();
});
test.afterAll(() => stage.close());

for (const seed of freshSeeds) {
  test(`whatever is sent, the answer is proper or a proper refusal (seed ${seed})`, async () => {
    await fuzzCalls(stage, seed, requestsPerCall);
  });
}

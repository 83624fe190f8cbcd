import process from "node:process";
import { test } from "vitest";
import { holdInHistories } from "./testing/coverage-property.ts";
import { CoverageScene } from "./testing/coverage-scene.ts";

const scene = new CoverageScene({ follows: false });
const histories = 10_000;

test("no certificate holds while anything is open, in 10,000 random histories", async () => {
  const held = await holdInHistories(scene, { numRuns: histories });
  process.stdout.write(`${histories} histories; after ${held} of their steps a certificate held\n`);
});

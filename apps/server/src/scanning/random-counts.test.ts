import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { draws } from "../testing/draws.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { areasOfRun } from "./testing/areas-of-run.ts";
import { RandomRun } from "./testing/random-run.ts";
import { step } from "./testing/random-steps.ts";
import {
  type CountingScene,
  countingSlices,
  expectTotalsToMatchScans,
  startCounting,
} from "./testing/scene.ts";

let server: TestServer;
let scene: CountingScene;

beforeAll(async () => {
  server = await startTestServer({ slices: countingSlices });
  scene = await startCounting(server, { areaCodes: [] });
});
afterAll(() => server.close());

test("any sequence of scans, repeats, undo, reset, finish, reopen, restore and exceptions accepted and taken back is answered and stored as the oracle expects", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const run = new RandomRun(scene, await areasOfRun(scene));
      for (const each of steps) await run.perform(each);
      await run.expectSameState();
      await expectTotalsToMatchScans(server.database.database);
    }),
    draws(20),
  );
});

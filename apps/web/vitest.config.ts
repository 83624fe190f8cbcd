import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import type { SlowAnswers } from "./src/testing/slow-answers.ts";

// Pages speak in the browser's language and zone; tests read them in one of each. Worker processes take these from here.
process.env.LC_ALL = "en_US.UTF-8";
process.env.TZ = "UTC";

/** By SLOW_ANSWERS=80 the tests' servers take up to 80 ms there and back, by SLOW_ANSWERS=80,SEED as they did with that seed. */
function readSlowAnswers(given: string | undefined): SlowAnswers | null {
  if (given === undefined || given === "") return null;
  const [most, seed = String(Date.now())] = given.split(",");
  const mostMs = Number(most);
  if (!(mostMs > 0)) throw new Error("SLOW_ANSWERS takes milliseconds, and may take a seed: 80 or 80,1234.");
  process.stdout.write(`Slow answers: SLOW_ANSWERS=${mostMs},${seed} repeats them.\n`);
  return { mostMs, seed };
}

export default defineConfig({
  plugins: [react()],
  test: {
    name: "web",
    // After the others: a worker keeps its modules only while the next file in the queue is of the same project.
    sequence: { groupOrder: 1 },
    environment: "happy-dom",
    // A link that the app doesn't follow itself would take the window away from this test and those after it.
    environmentOptions: {
      happyDOM: {
        settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } },
      },
    },
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    provide: { slowAnswers: readSlowAnswers(process.env.SLOW_ANSWERS) },
    css: { modules: { classNameStrategy: "non-scoped" } },
    // Loading every module anew for each file is a third of the whole run; no test leaves anything behind in one,
    // nor in the window that they share.
    isolate: false,
    restoreMocks: true,
    // A busy machine is no failure; these hold up only a test that fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

import { describe, expect, test } from "vitest";
import { steadyTime } from "./clock.ts";

/** A machine on which time passes as the test says; asking for its uptime takes `askingTakes` milliseconds. */
function machine(told: (seconds: number) => number) {
  const state = { elapsed: 400, slept: 0, askingTakes: 0 };
  const steady = steadyTime({
    elapsed: () => state.elapsed,
    uptime: () => {
      state.elapsed += state.askingTakes;
      return told(5_000 + (state.elapsed + state.slept) / 1000);
    },
  });
  return { state, steady };
}

describe.each([
  ["in hundredths of a second", (seconds: number) => Math.floor(seconds * 100) / 100],
  ["in whole seconds", Math.floor],
])("steady time, where the system tells its uptime %s,", (_, told) => {
  test("passes as time does", () => {
    const { state, steady } = machine(told);
    const began = steady() - state.elapsed;
    for (let seconds = 0; seconds < 100; seconds += 1) {
      state.elapsed += 1_037;
      expect(steady() - state.elapsed).toBeCloseTo(began);
    }
  });

  test("passes while the machine sleeps", () => {
    const { state, steady } = machine(told);
    const began = steady();
    state.elapsed += 2_000;
    state.slept += 60_000;
    expect(Math.abs(steady() - began - 62_000)).toBeLessThanOrEqual(1_000);
  });

  test("is not put off where the process is held up while it asks", () => {
    const { state, steady } = machine(told);
    const began = steady() - state.elapsed;
    state.elapsed += 2_000;
    state.askingTakes = 8_000;
    const { elapsed } = state;
    expect(steady() - elapsed).toBeCloseTo(began);
  });
});

import { describe, expect, it, vi } from "vitest";
import { createManualClock, createSeededRandomness } from "../testing/manual-clock.ts";
import { createConnectivity } from "./connectivity.ts";

const random = createSeededRandomness();

describe("connectivity", () => {
  it("S19: is what the last request showed", () => {
    const connectivity = createConnectivity({ timers: createManualClock(), random, ask: async () => true });
    const changes: boolean[] = [];
    connectivity.subscribe((online) => changes.push(online));
    connectivity.report(true);
    connectivity.report(false);
    connectivity.report(false);
    connectivity.report(true);
    expect(changes).toEqual([false, true]);
  });

  it("S19: while offline the server is asked again and again, until it answers", async () => {
    const clock = createManualClock();
    const answers = [false, true];
    const connectivity = createConnectivity({
      timers: clock,
      random,
      ask: async () => answers.shift() ?? true,
    });
    connectivity.report(false);
    clock.advance(6_000);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    expect(connectivity.isOnline()).toBe(false);
    clock.advance(6_000);
    await vi.waitFor(() => expect(connectivity.isOnline()).toBe(true));
  });

  it("S19: hints that follow upon one another while the server is away ask it once a second", async () => {
    const clock = createManualClock();
    const askedAt: number[] = [];
    const began = clock.now();
    const ask = async () => {
      askedAt.push(clock.now() - began);
      return false;
    };
    const connectivity = createConnectivity({ timers: clock, random, ask });
    // As an event does that the failure itself brings about: each failure is the next hint.
    const hint = (): void => void connectivity.probe().then(hint);
    hint();
    for (let second = 1; second <= 3; second += 1) {
      await vi.waitFor(() => expect(askedAt).toHaveLength(second));
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1_000);
    }
    await vi.waitFor(() => expect(askedAt).toEqual([0, 1_000, 2_000, 3_000]));
    connectivity.stop();
  });

  it("S19: a hint during a question that fails is followed by another one", async () => {
    const clock = createManualClock();
    const answers = [false, true];
    const connectivity = createConnectivity({
      timers: clock,
      random,
      ask: async () => {
        if (answers.length === 2) void connectivity.probe();
        return answers.shift() ?? true;
      },
    });
    const asked = connectivity.probe();
    await vi.waitFor(() => expect(connectivity.isOnline()).toBe(false));
    clock.advance(1_000);
    expect(await asked).toBe(true);
    connectivity.stop();
  });
});

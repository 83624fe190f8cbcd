import { describe, expect, it, vi } from "vitest";
import { createManualClock, createSeededRandomness } from "../testing/manual-clock.ts";
import { createConnectivity } from "./connectivity.ts";

const random = createSeededRandomness();
const hasNetwork = () => true;

describe("connectivity", () => {
  it("S19: is the result of the last request", () => {
    const connectivity = createConnectivity({
      timers: createManualClock(),
      random,
      hasNetwork,
      ask: async () => true,
    });
    const changes: boolean[] = [];
    connectivity.subscribe((online) => changes.push(online));
    connectivity.report(true);
    connectivity.report(false);
    connectivity.report(false);
    connectivity.report(true);
    expect(changes).toEqual([false, true]);
  });

  it("S19: while offline the server is probed repeatedly until it responds", async () => {
    const clock = createManualClock();
    const answers = [false, true];
    const connectivity = createConnectivity({
      timers: clock,
      random,
      hasNetwork,
      ask: async () => answers.shift() ?? true,
    });
    connectivity.report(false);
    clock.advance(6_000);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    expect(connectivity.isOnline()).toBe(false);
    clock.advance(6_000);
    await vi.waitFor(() => expect(connectivity.isOnline()).toBe(true));
  });

  it("S19: probes requested in quick succession while the server is unreachable are made once a second", async () => {
    const clock = createManualClock();
    const askedAt: number[] = [];
    const began = clock.now();
    const ask = async () => {
      askedAt.push(clock.now() - began);
      return false;
    };
    const connectivity = createConnectivity({ timers: clock, random, hasNetwork, ask });
    // Like an event that the failure itself causes: each failure requests the next probe.
    const probeAgain = (): void => void connectivity.probe().then(probeAgain);
    probeAgain();
    for (let second = 1; second <= 3; second += 1) {
      await vi.waitFor(() => expect(askedAt).toHaveLength(second));
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1_000);
    }
    await vi.waitFor(() => expect(askedAt).toEqual([0, 1_000, 2_000, 3_000]));
    connectivity.stop();
  });

  it("S19: a probe requested during one that fails is followed by another", async () => {
    const clock = createManualClock();
    const answers = [false, true];
    const connectivity = createConnectivity({
      timers: clock,
      random,
      hasNetwork,
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

  it("S19: a request that began before the network went and ends after it does not show the network as being there", () => {
    const connectivity = createConnectivity({
      timers: createManualClock(),
      random,
      hasNetwork,
      ask: async () => true,
    });
    const endEarlier = connectivity.begin();
    connectivity.report(false);
    endEarlier(true);
    expect(connectivity.isOnline()).toBe(false);
    connectivity.report(true);
    expect(connectivity.isOnline()).toBe(true);
  });

  it("S19: a request that timed out long after others were answered does not show the network as gone, and the server is probed on", async () => {
    const clock = createManualClock();
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return true;
    };
    const connectivity = createConnectivity({ timers: clock, random, hasNetwork, ask });
    const endEarlier = connectivity.begin();
    connectivity.report(true);
    endEarlier(false);
    expect(connectivity.isOnline()).toBe(true);
    clock.advance(40_000);
    await vi.waitFor(() => expect(asked).toBe(1));
    connectivity.stop();
  });

  it("S19: a response while the browser says that there is no network is followed by another probe within seconds", async () => {
    const clock = createManualClock();
    const answers = [true, false];
    const ask = async () => answers.shift() ?? false;
    const connectivity = createConnectivity({ timers: clock, random, hasNetwork: () => false, ask });
    expect(await connectivity.probe()).toBe(true);
    clock.advance(6_000);
    await vi.waitFor(() => expect(connectivity.isOnline()).toBe(false));
    connectivity.stop();
  });

  it("S19: a probe requested during one that is answered is followed by another", async () => {
    const answers = [true, false];
    const connectivity = createConnectivity({
      timers: createManualClock(),
      random,
      hasNetwork,
      // The network goes as the first answer arrives.
      ask: async () => {
        if (answers.length === 2) void connectivity.probe();
        return answers.shift() ?? false;
      },
    });
    expect(await connectivity.probe()).toBe(false);
    expect(connectivity.isOnline()).toBe(false);
    connectivity.stop();
  });
});

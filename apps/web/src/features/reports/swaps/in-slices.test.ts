import type { Steps } from "@stocktake/contract";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inSlices } from "./in-slices.ts";

let clock = 0;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(performance, "now").mockImplementation(() => clock);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Each step takes so many milliseconds. */
function* stepsOf(count: number, ms: number): Steps<string> {
  for (let step = 0; step < count; step += 1) {
    clock += ms;
    yield;
  }
  return "done";
}

it("what is little is done at once", () => {
  const done = vi.fn();
  inSlices(stepsOf(3, 1), done);
  expect(done).toHaveBeenCalledWith("done");
});

it("what is much is done in slices that leave the page its time, and not at all once it is ended", () => {
  const done = vi.fn();
  inSlices(stepsOf(30, 3), done);
  let slices = 1;
  while (done.mock.calls.length === 0 && slices < 100) {
    vi.runOnlyPendingTimers();
    slices += 1;
  }
  expect(slices).toBeGreaterThanOrEqual(10);
  const never = vi.fn();
  const end = inSlices(stepsOf(30, 3), never);
  end();
  vi.runAllTimers();
  expect(never).not.toHaveBeenCalled();
});

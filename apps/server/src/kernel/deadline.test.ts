import { describe, expect, test } from "vitest";
import { createTestClock, TIME_LIMIT_MS } from "../shopify/testing/test-clock.ts";
import { DeadlineError, withDeadline } from "./deadline.ts";

/** Work that fails with an error of its own when it is stopped, as reading a body does. */
const stopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(new Error("body broke off"))),
  );

describe("work with a deadline", () => {
  test("that is stopped by its deadline fails with a DeadlineError, whatever it throws itself", async () => {
    const clock = createTestClock();
    const work = withDeadline(clock, TIME_LIMIT_MS, undefined, stopped);
    clock.advance(TIME_LIMIT_MS);
    await expect(work).rejects.toBeInstanceOf(DeadlineError);
  });

  test("that is stopped by its caller fails with the caller's reason", async () => {
    const caller = new AbortController();
    const work = withDeadline(createTestClock(), TIME_LIMIT_MS, caller.signal, stopped);
    caller.abort(new Error("called off"));
    await expect(work).rejects.toThrow("called off");
  });

  test("that fails by itself in time fails with its own error", async () => {
    const work = withDeadline(createTestClock(), TIME_LIMIT_MS, undefined, async () => {
      throw new Error("of its own");
    });
    await expect(work).rejects.toThrow("of its own");
  });
});

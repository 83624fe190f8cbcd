import { describe, expect, test } from "vitest";
import { createTestClock, type TestClock, TIME_LIMIT_MS } from "../shopify/testing/test-clock.ts";
import { DeadlineError, limitWaits, withDeadline } from "./deadline.ts";

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

describe("waits with a limit each", () => {
  const waits = (clock: TestClock, caller?: AbortSignal) => limitWaits(clock, TIME_LIMIT_MS, caller);

  test("fail with a DeadlineError once one of them takes too long, and from then on at once", async () => {
    const clock = createTestClock();
    const limited = waits(clock);
    expect(await limited.wait(async () => "a piece")).toBe("a piece");
    const wait = limited.wait(stopped);
    clock.advance(TIME_LIMIT_MS);
    await expect(wait).rejects.toBeInstanceOf(DeadlineError);
    await expect(limited.wait(async () => "a piece")).rejects.toBeInstanceOf(DeadlineError);
  });

  test("go on after any time that passed between two of them", async () => {
    const clock = createTestClock();
    const limited = waits(clock);
    await limited.wait(async () => "a piece");
    clock.advance(TIME_LIMIT_MS);
    await new Promise(setImmediate);
    expect(await limited.wait(async () => "the next")).toBe("the next");
    const wait = limited.wait(stopped);
    clock.advance(TIME_LIMIT_MS);
    await expect(wait).rejects.toBeInstanceOf(DeadlineError);
  });

  test("fail with the caller's reason, also where the caller had given up before", async () => {
    const caller = new AbortController();
    const wait = waits(createTestClock(), caller.signal).wait(stopped);
    caller.abort(new Error("called off"));
    await expect(wait).rejects.toThrow("called off");
    await expect(waits(createTestClock(), caller.signal).wait(stopped)).rejects.toThrow("called off");
  });

  test("fail with what the work throws itself, and have its signal aborted at their end", async () => {
    const limited = waits(createTestClock());
    await expect(limited.wait(() => Promise.reject(new Error("of its own")))).rejects.toThrow("of its own");
    let signal: AbortSignal | undefined;
    await limited.wait(async (given) => {
      signal = given;
    });
    limited.end();
    expect(signal?.aborted).toBe(true);
  });
});

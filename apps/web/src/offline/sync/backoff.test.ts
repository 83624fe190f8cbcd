import { expect, it } from "vitest";
import { retryDelay } from "./backoff.ts";

it("S11: doubles from a second to half a minute, with jitter between half and all of it", () => {
  expect([1, 2, 3, 4, 5, 6, 40].map((failures) => retryDelay(failures, 1, null))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
  expect(retryDelay(1, 0, null)).toBe(500);
  expect(retryDelay(6, 0, null)).toBe(15_000);
});

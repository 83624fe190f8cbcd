import { describe, expect, test } from "vitest";
import { connectionLimits } from "./connection-limits.ts";

describe("how many connections may be open", () => {
  test.each([
    [1_024, 384],
    [4_096, 1_920],
    [20_255, 9_999],
    [65_536, 10_000],
    [Number.POSITIVE_INFINITY, 10_000],
  ])("with %d descriptors: each may hold a file open beside itself", (softLimit, total) => {
    expect(connectionLimits(softLimit, false).total).toBe(total);
  });

  test("is a shop's worth even where the system gives hardly any descriptors", () => {
    expect(connectionLimits(256, false).total).toBe(100);
  });

  test("is bounded for one address, but not for a proxy that calls for everybody", () => {
    expect(connectionLimits(65_536, false).perAddress).toBe(2_400);
    expect(connectionLimits(65_536, true).perAddress).toBeNull();
  });
});

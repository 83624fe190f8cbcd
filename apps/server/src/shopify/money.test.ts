import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { largestCents } from "../kernel/money.ts";
import { centsOf } from "./variants.ts";

describe("an amount of money", () => {
  test.each([
    ["12.5", 1250],
    ["0", 0],
    ["1.10", 110],
    ["1.005", 101],
    ["1.00499999", 100],
    ["0.29", 29],
    ["19.999", 2000],
    ["-3.456", -346],
    ["-0.001", 0],
    ["1234567890123.45", 123_456_789_012_345],
  ])("%s is %d cents", (amount, cents) => {
    expect(centsOf(amount)).toBe(cents);
  });

  test.each(["", "1,50", "1e3", "NaN", ".5", "5.", " 1", "0x10", "1 000"])("%j is refused", (amount) => {
    expect(() => centsOf(amount)).toThrow(RangeError);
  });

  test.each([
    ["70368744177664.00", largestCents],
    ["-70368744177664", -largestCents],
    ["70368744177664.004", largestCents],
    ["70368744177664.01", null],
    ["70368744177664.005", null],
    ["9".repeat(400), null],
  ])("%s is %j cents: what no figure holds exactly is unknown", (amount, cents) => {
    expect(centsOf(amount)).toBe(cents);
  });

  test("with two places is exact, whatever it is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: largestCents }), (cents) => {
        const text = String(cents).padStart(3, "0");
        const amount = `${text.slice(0, -2)}.${text.slice(-2)}`;
        expect(centsOf(amount)).toBe(cents);
        // And it is shown as what it is.
        expect((cents / 100).toFixed(2)).toBe(amount);
      }),
    );
  });
});

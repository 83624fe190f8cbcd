import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centsOf } from "./money.ts";

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

  test.each(["", "1,50", "1e3", "NaN", ".5", "5.", " 1", "12345678901234"])("%j is refused", (amount) => {
    expect(() => centsOf(amount)).toThrow(RangeError);
  });

  test("with two places is exact, whatever it is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (cents) => {
        const text = String(cents).padStart(3, "0");
        expect(centsOf(`${text.slice(0, -2)}.${text.slice(-2)}`)).toBe(cents);
      }),
    );
  });
});

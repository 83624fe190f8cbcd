import { describe, expect, it } from "vitest";
import { compareSizes } from "./size-order.ts";

describe("the order of sizes", () => {
  it("runs from letters to numbers to words to the unknown", () => {
    const wanted = [
      ...["XXXS", "XXS", "XS", "S", "M", "L", "XL", "XXL", "XXXL", "4XL", "5XL", "6XL"],
      ...["6", "28", "36.5", "100"],
      ...["One Size", "Universal", "Free"],
    ];
    expect(wanted.toReversed().toSorted(compareSizes)).toEqual(wanted);
  });

  it("puts unknown and empty sizes last and equal among themselves", () => {
    expect(compareSizes("free", "Petite")).toBeLessThan(0);
    expect(compareSizes("Petite", null)).toBe(0);
    expect(compareSizes("", null)).toBe(0);
    expect(compareSizes("36 Petite", "Petite")).toBe(0);
    expect(compareSizes("EU 36", "Petite")).toBe(0);
  });

  it("reads sizes without regard to case, blanks and the decimal comma", () => {
    expect(compareSizes(" xl ", "XL")).toBe(0);
    expect(compareSizes("36,5", "36.5")).toBe(0);
    expect(compareSizes("36,25", "36.5")).toBeLessThan(0);
    expect(compareSizes("36.25", "One Size")).toBeLessThan(0);
  });
});

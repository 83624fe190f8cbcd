import { describe, expect, it } from "vitest";
import { costOfUnits } from "../kernel/money.ts";
import { varianceAtCount, varianceOf } from "./variance.ts";

describe("variance", () => {
  it("is counted less (start plus natural movement)", () => {
    expect(varianceOf({ startOnHand: 10, endOnHand: 7, counted: 9 })).toEqual({
      naturalMovement: -3,
      variance: 2,
    });
  });

  it("costs whole cents, and nothing is known where the cost is unknown", () => {
    expect(costOfUnits(-3, 1999)).toBe(-5997);
    expect(costOfUnits(-3, null)).toBeNull();
  });
});

describe("variance at the time of counting", () => {
  const readings = [
    { at: 0, onHand: 10 },
    { at: 100, onHand: 8 },
    { at: 200, onHand: 8 },
    { at: 300, onHand: 5 },
  ];

  it("is certain where stock did not move around the count", () => {
    expect(varianceAtCount(9, { first: 120, last: 180 }, readings)).toEqual({ low: 1, high: 1 });
  });

  it("is a range where stock moved between the readings around the count", () => {
    expect(varianceAtCount(9, { first: 50, last: 60 }, readings)).toEqual({ low: -1, high: 1 });
    expect(varianceAtCount(9, { first: 50, last: 250 }, readings)).toEqual({ low: -1, high: 4 });
  });

  it("is the variance at the end for what nobody counted, or without any reading", () => {
    expect(varianceAtCount(0, null, readings)).toEqual({ low: -5, high: -5 });
    expect(varianceAtCount(4, { first: 10, last: 20 }, [])).toEqual({ low: 4, high: 4 });
  });

  it("stays within the readings for counts before the first and after the last", () => {
    expect(varianceAtCount(9, { first: -50, last: -10 }, readings)).toEqual({ low: -1, high: -1 });
    expect(varianceAtCount(9, { first: 350, last: 400 }, readings)).toEqual({ low: 4, high: 4 });
  });
});

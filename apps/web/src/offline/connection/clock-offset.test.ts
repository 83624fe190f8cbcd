import { describe, expect, it } from "vitest";
import { narrowOffset, toServerTime } from "./clock-offset.ts";

describe("the server's clock", () => {
  const serverAhead = 3_700;
  const sample = (at: number, roundTrip: number) => ({
    sentAt: at,
    receivedAt: at + roundTrip,
    serverDate: Math.floor((at + roundTrip / 2 + serverAhead) / 1000) * 1000,
  });

  it("S5: one response bounds the offset to the header's second and the round trip", () => {
    const offset = narrowOffset(null, sample(1_000_000, 80));
    expect(offset.low).toBeLessThanOrEqual(serverAhead);
    expect(offset.high).toBeGreaterThanOrEqual(serverAhead);
    expect(offset.high - offset.low).toBe(1_080);
  });

  it("S5: more responses narrow it to the round trip", () => {
    let offset = narrowOffset(null, sample(1_000_000, 40));
    for (let at = 1_000_137; at < 1_040_000; at += 137) offset = narrowOffset(offset, sample(at, 40));
    expect(offset.high - offset.low).toBeLessThan(80);
    expect(Math.abs(toServerTime(0, offset) - serverAhead)).toBeLessThan(40);
  });

  it("S5: a response that contradicts the others restarts the measurement, because a clock was set", () => {
    const before = narrowOffset(null, sample(1_000_000, 40));
    const moved = { sentAt: 5_000_000, receivedAt: 5_000_040, serverDate: 1_100_000 };
    expect(narrowOffset(before, moved)).toEqual({ low: 1_100_000 - 5_000_040, high: 1_101_000 - 5_000_000 });
  });

  it("S5: while the offset is unknown the device's own time is used", () => {
    expect(toServerTime(42, null)).toBe(42);
  });
});

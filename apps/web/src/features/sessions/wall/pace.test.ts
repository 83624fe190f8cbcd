import { describe, expect, it } from "vitest";
import { expectedEnd, hourlyPace, type Sample, withSample } from "./pace.ts";

const minute = 60_000;

function samplesOf(...samples: readonly (readonly [minutes: number, scans: number])[]): readonly Sample[] {
  return samples.reduce<readonly Sample[]>(
    (all, [minutes, scans]) => withSample(all, { at: minutes * minute, scans }),
    [],
  );
}

describe("the pace of a count", () => {
  it("is unknown until a minute has been watched", () => {
    expect(hourlyPace([])).toBeNull();
    expect(hourlyPace(samplesOf([0, 10], [0.5, 40]))).toBeNull();
    expect(hourlyPace(samplesOf([0, 10], [1, 40]))).toBe(1_800);
  });

  it("is of the last ten minutes", () => {
    const samples = samplesOf([0, 0], [5, 1_000], [10, 1_100], [16, 1_160]);
    expect(hourlyPace(samples)).toBe(Math.round((160 * 60) / 11));
  });

  it("begins anew with a recount", () => {
    expect(hourlyPace(samplesOf([0, 500], [5, 900], [6, 700], [8, 760]))).toBe(1_800);
  });
});

describe("the expected end", () => {
  const start = "2026-03-01T08:00:00.000Z";
  const now = Date.parse(start) + 60 * minute;

  it("is told by how areas were closed so far", () => {
    expect(expectedEnd(start, now, 40, 10)).toBe(now + 180 * minute);
  });

  it.each([
    ["too few are closed", 40, 2],
    ["all are closed", 10, 10],
    ["there is none", 0, 0],
  ])("is unknown where %s", (_why, areas, closed) => {
    expect(expectedEnd(start, now, areas, closed)).toBeNull();
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { agoText, hourText, minutesBetween, signedText, varianceColor, zoneText } from "./formats.ts";

describe("numbers as pages show them", () => {
  it("a quantity above 0 has a plus sign, 0 has none", () => {
    expect([signedText(3), signedText(-3), signedText(0)]).toEqual(["+3", "-3", "0"]);
  });

  it("above 0 is green, below 0 red, 0 neither", () => {
    expect(varianceColor(1)).toContain("positive");
    expect(varianceColor(-1)).toContain("negative");
    expect(varianceColor(0)).toBeUndefined();
  });

  it("a duration is whole minutes and never negative, whatever the device's clock", () => {
    const start = "2026-03-01T08:00:00.000Z";
    expect(minutesBetween(start, Date.parse("2026-03-01T08:59:59.000Z"))).toBe(59);
    expect(minutesBetween(start, Date.parse("2026-03-01T07:00:00.000Z"))).toBe(0);
  });

  it("a time that has passed is given in its largest whole unit, and one ahead of the clock as now", () => {
    const now = Date.parse("2026-03-03T12:00:00.000Z");
    const before = (seconds: number) => agoText(new Date(now - seconds * 1_000).toISOString(), now);
    expect([-90, 59, 60, 7_199, 86_400 * 3].map(before)).toEqual([
      "now",
      "now",
      "1 minute ago",
      "1 hour ago",
      "3 days ago",
    ]);
  });
});

describe("the hour that begins at a time", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    { zone: "UTC", text: /^Fri,? 10\sPM$/ },
    { zone: "Asia/Kolkata", text: /^Sat,? 3:30\sAM$/ },
    { zone: "Pacific/Chatham", text: /^Sat,? 11:45\sAM$/ },
  ])("is told with its minutes where it has some, as in $zone", ({ zone, text }) => {
    vi.stubEnv("TZ", zone);
    expect(hourText("2026-02-27T22:00:00.000Z")).toMatch(text);
  });
});

describe("the zone that times are told in", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    [["2026-07-01T12:00:00.000Z"], "Europe/Berlin (GMT+2)"],
    [["2026-07-01T12:00:00.000Z", "2026-07-02T12:00:00.000Z"], "Europe/Berlin (GMT+2)"],
    [["2026-07-01T12:00:00.000Z", "2026-12-01T12:00:00.000Z"], "Europe/Berlin (GMT+2, later GMT+1)"],
  ])("has its offset at each of %j", (times, text) => {
    vi.stubEnv("TZ", "Europe/Berlin");
    expect(zoneText(...times)).toBe(text);
  });
});

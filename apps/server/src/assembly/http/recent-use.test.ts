import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RecentUse } from "./recent-use.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("what a person's calls took is added up, and a tenth of a second of it is forgotten in each second", () => {
  const use = new RecentUse();
  use.add("Ada", 500);
  use.add("Ada", 250);
  use.add("Bob", 100);
  expect([use.of("Ada"), use.of("Bob"), use.of("Cem")]).toEqual([750, 100, 0]);
  vi.advanceTimersByTime(2_000);
  expect([use.of("Ada"), use.of("Bob")]).toEqual([550, 0]);
  use.add("Bob", 40);
  vi.advanceTimersByTime(10_000);
  expect([use.of("Ada"), use.of("Bob")]).toEqual([0, 0]);
});

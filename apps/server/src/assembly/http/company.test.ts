import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Company } from "./company.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("whoever calls alone has no company, however often", () => {
  const company = new Company();
  expect(company.has("Ada")).toBe(false);
  for (let call = 0; call < 3; call += 1) company.note("Ada");
  expect(company.has("Ada")).toBe(false);
  expect(company.has("Bob")).toBe(true);
});

test("somebody else is company for two seconds after a call", () => {
  const company = new Company();
  company.note("Bob");
  company.note("Ada");
  expect([company.has("Ada"), company.has("Bob")]).toEqual([true, true]);
  vi.advanceTimersByTime(1_999);
  company.note("Ada");
  expect([company.has("Ada"), company.has("Bob")]).toEqual([true, true]);
  vi.advanceTimersByTime(1);
  expect([company.has("Ada"), company.has("Bob")]).toEqual([false, true]);
});

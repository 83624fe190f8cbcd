// @vitest-environment jsdom
import { afterEach, expect, it, vi } from "vitest";
import { listenToScanner } from "./scanner-input.ts";

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

it("the focus is left to a page that has just opened, and taken within 100 ms", () => {
  vi.useFakeTimers();
  const input = document.createElement("input");
  document.body.append(input);
  const stop = listenToScanner(input, { onCode: () => undefined, onUnended: () => undefined });
  expect(document.activeElement).toBe(document.body);
  vi.advanceTimersByTime(100);
  expect(document.activeElement).toBe(input);
  stop();
});

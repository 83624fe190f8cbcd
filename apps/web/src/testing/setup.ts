import { givingUpMs, waitLonger } from "@stocktake/testkit/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { rememberComputedStyles } from "./computed-styles.ts";

// What happy-dom lacks of a browser and Mantine asks for.
class QuietObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

function matchMedia(query: string): MediaQueryList {
  return Object.assign(new EventTarget(), {
    matches: false,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
}

waitLonger();
configure({ asyncUtilTimeout: givingUpMs });
afterAll(rememberComputedStyles());

vi.stubGlobal("ResizeObserver", QuietObserver);
vi.stubGlobal("matchMedia", matchMedia);
vi.stubGlobal("scrollTo", () => undefined);
Element.prototype.scrollIntoView = () => undefined;

const complaints: unknown[][] = [];

beforeEach(() => {
  complaints.length = 0;
  vi.spyOn(console, "error").mockImplementation((...complaint: unknown[]) => {
    complaints.push(complaint);
  });
});

afterEach(() => {
  cleanup();
  window.localStorage.clear();
  vi.unstubAllGlobals();
  vi.stubGlobal("ResizeObserver", QuietObserver);
  vi.stubGlobal("matchMedia", matchMedia);
  vi.stubGlobal("scrollTo", () => undefined);
  // An unexpected complaint of React's or the browser's fails the test that caused it.
  expect(complaints).toEqual([]);
});

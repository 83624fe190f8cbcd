import { createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, onTestFinished, vi } from "vitest";
import type { CounterHarness } from "./counter-harness.tsx";

export const shirt = "4006381333931";

/** A hand with a scanner: the debounce's clock stops between its scans. */
export interface ScanningHand {
  /** Scans a code so many milliseconds after the last one, with the suffix that ends it. */
  scan(code: string, after?: number, suffix?: string): Promise<void>;
  /** So many milliseconds pass. */
  waits(milliseconds: number): void;
  /** Waits until the station is ready, and scans into an empty count. */
  firstScan(): Promise<void>;
}

/** A hand for each test of a file, with a clock of its own. */
export function scannerInEachTest(): ScanningHand {
  let monotonic = 0;
  beforeEach(() => {
    monotonic = 10_000;
    vi.spyOn(performance, "now").mockImplementation(() => monotonic);
  });
  const scan = async (code: string, after = 1_500, suffix = "{Enter}") => {
    monotonic += after;
    // Without a pause between the keys: on a busy machine it lasts so long that the burst counts as broken off.
    await userEvent.keyboard(`${code}${suffix}`, { delay: null });
  };
  return {
    scan,
    waits(milliseconds) {
      monotonic += milliseconds;
    },
    async firstScan() {
      await screen.findByText("READY TO SCAN");
      await scan(shirt);
      await countBecomes("1");
    },
  };
}

/** Follows what the hand feels; returns how often it was the alarm, which is heard with it. */
export function feelAlarms(): () => number {
  const vibrate = vi.fn();
  Object.defineProperty(navigator, "vibrate", { configurable: true, value: vibrate });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "vibrate"));
  return () => vibrate.mock.calls.filter(([pattern]) => String(pattern) === "500,100,500").length;
}

export function count(): string | null {
  return screen.getByRole("status", { name: "Items Scanned" }).textContent;
}

export function banner(): Element | null {
  return document.querySelector("[data-state]");
}

/** Waits until the banner shows this, however large its parts are. */
export async function bannerShows(text: string): Promise<void> {
  await waitFor(() => expect(banner()?.textContent?.replaceAll("\u00a0", " ")).toContain(text));
}

export async function countBecomes(expected: string): Promise<void> {
  await waitFor(() => expect(count()).toBe(expected));
}

/** Waits until the server has acknowledged everything. */
export async function allSent(harness: CounterHarness): Promise<void> {
  await waitFor(() => expect(harness.device.queue.state().pending).toBe(0));
}

function press(field: HTMLElement, key: string, at: number): boolean {
  const event = createEvent.keyDown(field, { key });
  Object.defineProperty(event, "timeStamp", { value: at });
  return fireEvent(field, event);
}

const focused = () =>
  document.activeElement instanceof HTMLElement ? document.activeElement : document.body;

/** A scanner's burst wherever the focus is, as a page without a hidden input receives it. */
export function burst(code: string, suffix = "Enter"): boolean {
  for (const [index, key] of [...code].entries()) press(focused(), key, 1_000 + index);
  return press(focused(), suffix, 1_000 + code.length);
}

/** The second suffix that some scanners send behind their code, wherever the focus is by then. Returns whether it was let through. */
export function secondSuffix(code: string, key = "Enter"): boolean {
  return press(focused(), key, 1_010 + code.length);
}

/** A scanner's burst into a dialog's field, a key a millisecond. Returns whether the Enter behind it was let through. */
export function burstInto(field: HTMLInputElement, code: string): boolean {
  for (const [index, key] of [...code].entries()) {
    press(field, key, 1_000 + index);
    fireEvent.change(field, { target: { value: field.value + key } });
  }
  return press(field, "Enter", 1_000 + code.length);
}

/** At such a moment on the page's clock, an event of a field or its form. */
export function at(time: number, element: HTMLElement, event: Event): void {
  Object.defineProperty(event, "timeStamp", { value: time });
  fireEvent(element, event);
}

/** Writes as a phone's keyboard app does: no keydown but the Enter, which submits. */
export function writtenInto(field: HTMLInputElement, code: string, from: number, gap: number): void {
  let time = from;
  for (const character of code) {
    at(time, field, createEvent.input(field, { target: { value: field.value + character } }));
    time += gap;
  }
  if (field.form !== null) at(time, field.form, createEvent.submit(field.form));
}

/** A scanner's keys, so many milliseconds apart, into a field. The Enter submits. */
export function keyedInto(field: HTMLInputElement, code: string, from: number, gap: number): void {
  let time = from;
  for (const key of code) {
    press(field, key, time);
    at(time, field, createEvent.input(field, { target: { value: field.value + key } }));
    time += gap;
  }
  if (press(field, "Enter", time) && field.form !== null)
    at(time, field.form, createEvent.submit(field.form));
}

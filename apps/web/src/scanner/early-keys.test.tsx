import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { askForEarlyKeys, keepEarlyKeys } from "./early-keys.ts";
import { listenToScanner } from "./scanner-input.ts";
import { useBurstGuard } from "./use-burst-guard.ts";

const onCode = vi.fn<(code: string) => void>();
const onScan = vi.fn<(text: string) => void>();
const stops: (() => void)[] = [];

function add<Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag] {
  return document.body.appendChild(document.createElement(tag));
}

function press(key: string, { target = document.body, at = 0, ...modifiers }: Pressed = {}): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...modifiers });
  Object.defineProperty(event, "timeStamp", { value: at });
  target.dispatchEvent(event);
}

interface Pressed extends KeyboardEventInit {
  readonly target?: Element;
  readonly at?: number;
}

/** Each key so many milliseconds after the one before. */
function type(text: string, gapMs: number, target: Element = document.body): void {
  [...text, "Enter"].forEach((key, index) => {
    press(key, { target, at: 1_000 + index * gapMs });
  });
}

/** As the scanning screen does. */
function beginToListen(): HTMLInputElement {
  const input = add("input");
  stops.push(listenToScanner(input, { onCode, onUnended: onCode }));
  return input;
}

/** As the dashboard does. */
function Guard() {
  useBurstGuard(true, onScan);
  return null;
}

function open(path: string): void {
  window.history.replaceState(null, "", path);
  expect(window.location.pathname).toBe(path);
  keepEarlyKeys();
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  cleanup();
  for (const stop of stops.splice(0)) stop();
  // Whatever a test has left is nobody's.
  window.history.replaceState(null, "", "/");
  askForEarlyKeys();
  vi.useRealTimers();
  vi.clearAllMocks();
  document.body.replaceChildren();
});

describe("what is typed before anybody listens", () => {
  it("is handed to the scanning screen once it does, code by code, and once", () => {
    open("/counter/scan");
    type("4006381333931", 3);
    type("96385074", 3);
    expect(onCode).not.toHaveBeenCalled();
    const input = beginToListen();
    expect(onCode.mock.calls).toEqual([["4006381333931"], ["96385074"]]);
    expect(input.value).toBe("");
    beginToListen();
    expect(onCode).toHaveBeenCalledTimes(2);
  });

  it("is handed to the dashboard, which tells a burst from a person's typing by when each key was pressed", () => {
    open("/counter");
    type("by hand", 120);
    type("4006381333931", 3);
    render(<Guard />);
    expect(onScan.mock.calls).toEqual([["4006381333931", null]]);
  });

  it("goes on where the listener takes over in the middle of a code", () => {
    open("/counter/scan");
    for (const key of "40063") press(key);
    const input = beginToListen();
    expect(input.value).toBe("40063");
    for (const key of ["8", "Enter"]) press(key);
    expect(onCode.mock.calls).toEqual([["400638"]]);
  });

  it("is nobody's where it was typed into a field, or on a button", () => {
    open("/counter/scan");
    const secret = add("input");
    secret.type = "password";
    const label = add("button").appendChild(document.createElement("span"));
    const note = add("div");
    note.setAttribute("contenteditable", "true");
    for (const target of [secret, label, note, add("textarea"), add("select")]) type("secret", 3, target);
    beginToListen();
    expect(onCode).not.toHaveBeenCalled();
  });

  it("is none of the page's own shortcuts", () => {
    open("/counter/scan");
    press("r", { ctrlKey: true });
    press("F5");
    press("Escape");
    press("Enter");
    expect(beginToListen().value).toBe("");
    expect(onCode).not.toHaveBeenCalled();
  });

  it.each(["/login", "/admin", "/counter/join/abc", "/counter/invite/abc", "/counter/logins", "/"])(
    "is not kept for %s, where no scanner is listened to",
    (path) => {
      open(path);
      type("4006381333931", 3);
      beginToListen();
      expect(onCode).not.toHaveBeenCalled();
    },
  );

  it("is forgotten where the address has led elsewhere, and nothing is kept from then on", () => {
    open("/counter");
    type("4006381333931", 3);
    window.history.replaceState(null, "", "/login");
    type("a password", 3);
    window.history.replaceState(null, "", "/counter");
    type("96385074", 3);
    beginToListen();
    expect(onCode).not.toHaveBeenCalled();
  });

  it("is forgotten where another page asks for it", () => {
    open("/counter/scan");
    type("4006381333931", 3);
    window.history.replaceState(null, "", "/counter");
    beginToListen();
    window.history.replaceState(null, "", "/counter/scan");
    beginToListen();
    expect(onCode).not.toHaveBeenCalled();
  });

  it("is forgotten after half a minute", () => {
    open("/counter/scan");
    type("4006381333931", 3);
    vi.advanceTimersByTime(20_000);
    type("96385074", 3);
    vi.advanceTimersByTime(10_000);
    beginToListen();
    expect(onCode.mock.calls).toEqual([["96385074"]]);
  });

  it("is no more than 500 keys, the last ones", () => {
    open("/counter/scan");
    for (let scan = 0; scan < 100; scan += 1) type("12345678", 3);
    beginToListen();
    expect(onCode.mock.calls).toHaveLength(56);
    expect(onCode.mock.calls.at(-1)).toEqual(["12345678"]);
  });
});

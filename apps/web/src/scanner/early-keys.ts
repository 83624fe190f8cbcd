import { isCharacter, isSuffix } from "./keys.ts";

const askedFor = "stocktake:early-keys";

/** Has what was typed before this page listened typed once more, for whoever has just begun to; once. */
export function askForEarlyKeys(): void {
  window.dispatchEvent(new Event(askedFor));
}

/** Where a scanner is listened to from the page's start. */
const withScanner = /^\/counter(?:\/scan)?\/?$/;

// What a person scanned longer ago is scanned again by now, or means another place.
const keptMs = 30_000;
const mostKeys = 500;

/** What gets its keys itself: nothing of a field's is kept, be it a password's. */
const ofItsOwn = "input, textarea, select, button, a, [contenteditable]";

function isKept(event: KeyboardEvent): boolean {
  if (event.target instanceof Element && event.target.closest(ofItsOwn) !== null) return false;
  return isCharacter(event) || isSuffix(event);
}

/** The same key with its own time, by which a burst is told from a person's typing. It writes and presses nothing. */
function typeOnceMore({ key, timeStamp }: KeyboardEvent): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  Object.defineProperty(event, "timeStamp", { value: timeStamp });
  document.body.dispatchEvent(event);
}

/**
 * Keeps what a scanner types while the page's own script is still loaded, or draws: else it would meet nobody who listens, and be
 * lost without a word. Whoever listens first is given it, and decides by the same rules as of any other key. Ends with that, or
 * once another page is shown.
 */
export function keepEarlyKeys(): void {
  const { pathname } = window.location;
  if (!withScanner.test(pathname)) return;
  let kept: KeyboardEvent[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const end = () => {
    const keys = window.location.pathname === pathname ? kept : [];
    controller.abort();
    kept = [];
    return keys;
  };
  const keep = (event: KeyboardEvent) => {
    if (window.location.pathname !== pathname) return void end();
    if (!isKept(event)) return;
    kept = [...kept, event].slice(-mostKeys);
    setTimeout(() => {
      kept = kept.filter((key) => key !== event);
    }, keptMs);
  };
  window.addEventListener("keydown", keep, { capture: true, signal });
  window.addEventListener(askedFor, () => end().forEach(typeOnceMore), { signal });
}

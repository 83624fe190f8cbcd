import { useEffect, useRef } from "react";
import { askForEarlyKeys } from "./early-keys.ts";
import { isCharacter } from "./keys.ts";
import { createBurstDetector, stallMs } from "./keystrokes.ts";

/**
 * While a dialog waits for a person (`active`), a scanner's burst must not press its buttons: the Enter after it is
 * suppressed and `onScan` gets what was scanned, and the field that its characters are in, if any. Nor must a second suffix, be it on
 * what has the focus once the scan has closed the dialog.
 */
export function useBurstGuard(
  active: boolean,
  onScan: (text: string, field: HTMLInputElement | null) => void,
): void {
  // A new listener must not begin a burst anew that is half read.
  const listener = useRef(onScan);
  listener.current = onScan;
  useEffect(() => {
    if (!active) return;
    const detector = createBurstDetector();
    let isOver = false;
    const end = () => document.removeEventListener("keydown", guard, { capture: true });
    const guard = (event: KeyboardEvent) => {
      // Behind the dialog only what follows the scan at once: with a character another code, or a person's typing, begins.
      if (isOver && isCharacter(event)) return end();
      const text = detector.add(event, event.timeStamp);
      if (text === null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (text === "") return;
      listener.current(text, event.target instanceof HTMLInputElement ? event.target : null);
    };
    document.addEventListener("keydown", guard, { capture: true });
    askForEarlyKeys();
    return () => {
      isOver = true;
      setTimeout(end, stallMs);
    };
  }, [active]);
}

/** Takes what a scanner typed out of a text field again, where a person was writing. */
export function removeScanned(field: HTMLInputElement, scanned: string): void {
  const end = field.selectionEnd;
  if (end === null || field.value.slice(end - scanned.length, end) !== scanned) return;
  field.setRangeText("", end - scanned.length, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

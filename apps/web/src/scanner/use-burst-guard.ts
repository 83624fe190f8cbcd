import { useEffect, useRef } from "react";
import { askForEarlyKeys } from "./early-keys.ts";
import { createBurstDetector } from "./keystrokes.ts";

/**
 * While a dialog waits for a person (`active`), a scanner's burst must not press its buttons: the Enter after it is
 * suppressed and `onScan` gets what was scanned, and the field that its characters are in, if any.
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
    const guard = (event: KeyboardEvent) => {
      const text = detector.add(event, event.timeStamp);
      if (text === null) return;
      event.preventDefault();
      event.stopPropagation();
      listener.current(text, event.target instanceof HTMLInputElement ? event.target : null);
    };
    document.addEventListener("keydown", guard, { capture: true });
    askForEarlyKeys();
    return () => document.removeEventListener("keydown", guard, { capture: true });
  }, [active]);
}

/** Takes what a scanner typed out of a text field again, where a person was writing. */
export function removeScanned(field: HTMLInputElement, scanned: string): void {
  const end = field.selectionEnd;
  if (end === null || field.value.slice(end - scanned.length, end) !== scanned) return;
  field.setRangeText("", end - scanned.length, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

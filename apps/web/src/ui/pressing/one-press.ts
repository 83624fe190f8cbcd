import { type MouseEvent, useEffect, useRef } from "react";
import { doubleTapMs } from "./double-tap.ts";

/**
 * Takes one press of several: the second of a double click may come before the button is disabled, or be meant
 * the button that opened the dialog; a key that is held down presses on and on.
 */
export function useOnePress(press: () => void, busy: boolean): (event: MouseEvent) => void {
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    // From here on the button is disabled until the work has ended; then a press is meant.
    if (busy) pressedAt.current = Number.NEGATIVE_INFINITY;
  }, [busy]);
  return (event) => {
    const now = performance.now();
    if (event.detail > 1 || now - pressedAt.current < doubleTapMs) return;
    pressedAt.current = now;
    press();
  };
}

import { type KeyboardEvent, useRef } from "react";
import { stallMs } from "../../../scanner/keystrokes.ts";

/** What was in a field before the keys that are coming now: of a scanned code's characters a number input drops some. */
export function useTextBeforeBurst(text: string) {
  const before = useRef("");
  const lastKeyAt = useRef(Number.NEGATIVE_INFINITY);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.timeStamp - lastKeyAt.current > stallMs) before.current = text;
    lastKeyAt.current = event.timeStamp;
  };
  return { before, onKeyDown };
}

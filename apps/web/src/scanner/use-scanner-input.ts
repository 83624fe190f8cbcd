import { countingConstants } from "@stocktake/contract";
import { type FormEvent, type RefObject, useEffect, useRef } from "react";
import { cleanCode, createBurstDetector, isCharacter, isSuffix } from "./keystrokes.ts";

interface ScannerInput {
  readonly inputRef: RefObject<HTMLInputElement | null>;
  /** For the form around the input: keyboards of phones submit it instead of sending an Enter key. */
  readonly onSubmit: (event: FormEvent) => void;
}

function isEditable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable='true']");
}

/** Reads what the scanner typed and empties the input. The value is read from the element: a burst of 30 keys in 30 ms outruns any rendering. */
function takeCode(input: HTMLInputElement | null): string {
  const code = cleanCode(input?.value ?? "");
  if (input !== null) input.value = "";
  return code;
}

function onKey(event: KeyboardEvent, input: HTMLInputElement, submit: () => void): "tabbed" | "typed" | null {
  const isOurs = event.target === input;
  if (isSuffix(event)) {
    // Without a code a Tab is a person's, who wants to reach the buttons, and an Enter on a button presses it.
    if (input.value === "") return event.key === "Tab" ? "tabbed" : null;
    event.preventDefault();
    event.stopPropagation();
    submit();
    return "typed";
  }
  if (!isCharacter(event)) return null;
  if (isOurs) return "typed";
  const pressesButton = event.key === " " && event.target instanceof HTMLButtonElement;
  if (isEditable(event.target) || pressesButton) return null;
  event.preventDefault();
  input.value += event.key;
  input.focus({ preventScroll: true });
  return "typed";
}

// A scanner ends a code within milliseconds; no code is read by keys that come this far apart.
const unendedMs = 1_500;

// What is ended so soon after a part was dropped may be the rest of it, as over a radio link that stalled.
const restMs = 1_000;

/** Tells when characters have stood in the input for so long that no suffix will end them. */
function createUnendedWatch(): (value: string, at: number) => boolean {
  let seen = "";
  let since = 0;
  return (value, at) => {
    if (value !== seen) [seen, since] = [value, at];
    return value !== "" && at - since >= unendedMs;
  };
}

/**
 * Catches a keyboard-wedge scanner wherever the focus is: keys that hit the page or a button go to the hidden input, which
 * takes the focus back about every 100 ms, except while `paused` (a dialog is open) or while a person walks the buttons by
 * Tab. `onCode` gets each code without its Enter or Tab. `onUnended` gets what no Enter or Tab followed, as of a scanner
 * that sends none: left in the input it would spoil the next code. Give it stable functions.
 */
export function useScannerInput(
  onCode: (code: string) => void,
  onUnended: (text: string) => void,
  paused: boolean,
): ScannerInput {
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (paused) return;
    const controller = new AbortController();
    const options = { capture: true, signal: controller.signal };
    let isWalking = false;
    const isUnended = createUnendedWatch();
    let droppedAt = Number.NEGATIVE_INFINITY;
    const dropUnended = () => {
      const now = performance.now();
      if (!isUnended(inputRef.current?.value ?? "", now)) return;
      const text = takeCode(inputRef.current);
      if (text === "") return;
      droppedAt = now;
      onUnended(text);
    };
    const submit = () => {
      const code = takeCode(inputRef.current);
      if (code === "") return;
      const isRest = performance.now() - droppedAt < restMs;
      if (isRest) onUnended(code);
      else onCode(code);
    };
    const takeFocus = () => {
      const input = inputRef.current;
      if (input === null || isWalking || document.activeElement === input) return;
      input.focus({ preventScroll: true });
    };
    document.addEventListener(
      "keydown",
      (event) => {
        if (inputRef.current === null) return;
        const kind = onKey(event, inputRef.current, submit);
        if (kind !== null) isWalking = kind === "tabbed";
      },
      options,
    );
    document.addEventListener("pointerdown", () => (isWalking = false), options);
    takeFocus();
    const timer = window.setInterval(() => {
      takeFocus();
      dropUnended();
    }, countingConstants.refocusMs);
    return () => {
      controller.abort();
      window.clearInterval(timer);
    };
  }, [onCode, onUnended, paused]);
  useEffect(() => {
    // The rest of a burst that a dialog cut in two goes to the dialog, and is said there.
    if (paused) takeCode(inputRef.current);
  }, [paused]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const code = takeCode(inputRef.current);
    if (code !== "" && !paused) onCode(code);
  };
  return { inputRef, onSubmit };
}

/**
 * While a dialog waits for a person (`active`), a scanner's burst must not press its buttons: the Enter after it is
 * swallowed and `onSwallowed` hears what was scanned, and the field that its characters are in, if any. Give it a stable
 * function.
 */
export function useBurstGuard(
  active: boolean,
  onSwallowed: (text: string, field: HTMLInputElement | null) => void,
): void {
  useEffect(() => {
    if (!active) return;
    const detector = createBurstDetector();
    const guard = (event: KeyboardEvent) => {
      const text = detector.take(event, event.timeStamp);
      if (text === null) return;
      event.preventDefault();
      event.stopPropagation();
      onSwallowed(text, event.target instanceof HTMLInputElement ? event.target : null);
    };
    document.addEventListener("keydown", guard, { capture: true });
    return () => document.removeEventListener("keydown", guard, { capture: true });
  }, [active, onSwallowed]);
}

/** Takes what a scanner typed out of a text field again, where a person was writing. */
export function takeOut(field: HTMLInputElement, scanned: string): void {
  const end = field.selectionEnd;
  if (end === null || field.value.slice(end - scanned.length, end) !== scanned) return;
  field.setRangeText("", end - scanned.length, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

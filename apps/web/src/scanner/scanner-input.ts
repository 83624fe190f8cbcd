import { countingConstants } from "@stocktake/contract";
import { askForEarlyKeys } from "./early-keys.ts";
import { isCharacter, isSuffix } from "./keys.ts";
import { cleanCode, stallMs } from "./keystrokes.ts";

interface ScannerListener {
  /** Gets each code without its Enter or Tab. */
  readonly onCode: (code: string) => void;
  /** Gets what no Enter or Tab followed, as of a scanner that sends none: left in the input it would spoil the next code. */
  readonly onUnended: (text: string) => void;
}

function isEditable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable='true']");
}

/** Reads what the scanner typed and empties the input. The value is read from the element: a burst of 30 keys in 30 ms outruns any rendering. */
function readAndClear(input: HTMLInputElement): string {
  const code = cleanCode(input.value);
  input.value = "";
  return code;
}

/** Drops the rest of a burst that a dialog cut in two: it goes to the dialog, and is reported there. */
export function clearScannerInput(input: HTMLInputElement | null): void {
  if (input !== null) input.value = "";
}

/** Ends codes at the time of their suffix, and knows the second one that some scanners send, also where a radio link stalls. */
function createSuffixes(submit: () => void) {
  let endedAt = Number.NEGATIVE_INFINITY;
  return {
    isSecond: (at: number) => at - endedAt <= stallMs,
    end(at: number) {
      endedAt = at;
      submit();
    },
  };
}

type Suffixes = ReturnType<typeof createSuffixes>;

function onSuffix(event: KeyboardEvent, hasCode: boolean, suffixes: Suffixes): "tabbed" | "typed" | null {
  const { key, timeStamp } = event;
  // Without a code a Tab is a person's, who wants to reach the buttons, and an Enter on a button presses it.
  if (!hasCode && !suffixes.isSecond(timeStamp)) return key === "Tab" ? "tabbed" : null;
  event.preventDefault();
  event.stopPropagation();
  if (hasCode) suffixes.end(timeStamp);
  return "typed";
}

function onKey(event: KeyboardEvent, input: HTMLInputElement, suffixes: Suffixes): "tabbed" | "typed" | null {
  const isOurs = event.target === input;
  if (isSuffix(event)) return onSuffix(event, input.value !== "", suffixes);
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

/** Returns true when characters have been in the input for so long that no suffix will end them. */
function createUnendedWatch(): (value: string, at: number) => boolean {
  let seen = "";
  let since = 0;
  return (value, at) => {
    if (value !== seen) [seen, since] = [value, at];
    return value !== "" && at - since >= unendedMs;
  };
}

/** Hands over the codes of an input: what is ended soon after a part was dropped is the rest of that, not a code. */
function createCodeReader(input: HTMLInputElement, { onCode, onUnended }: ScannerListener) {
  const isUnended = createUnendedWatch();
  let droppedAt = Number.NEGATIVE_INFINITY;
  return {
    submit() {
      const code = readAndClear(input);
      if (code === "") return;
      const isRest = performance.now() - droppedAt < restMs;
      if (isRest) onUnended(code);
      else onCode(code);
    },
    dropUnended() {
      const now = performance.now();
      if (!isUnended(input.value, now)) return;
      const text = readAndClear(input);
      if (text === "") return;
      droppedAt = now;
      onUnended(text);
    },
  };
}

/** A question lies over the page that is no part of this screen, such as the one before a logout. */
const isQuestionOpen = () => document.querySelector("[role=dialog]") !== null;

/**
 * Catches a keyboard-wedge scanner wherever the focus is: keys that hit the page or a button go to the hidden input, which
 * takes the focus back about every 100 ms, except while a person walks the buttons by Tab or answers a question. Ends with the
 * returned function, as while a dialog of the screen is open.
 */
export function listenToScanner(input: HTMLInputElement, listener: ScannerListener): () => void {
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  const reader = createCodeReader(input, listener);
  const suffixes = createSuffixes(reader.submit);
  let isWalking = false;
  const focusInput = () => {
    if (isWalking || isQuestionOpen()) return;
    if (document.activeElement !== input) input.focus({ preventScroll: true });
  };
  document.addEventListener(
    "keydown",
    (event) => {
      const kind = onKey(event, input, suffixes);
      if (kind !== null) isWalking = kind === "tabbed";
    },
    options,
  );
  document.addEventListener("pointerdown", () => (isWalking = false), options);
  // Keyboards of phones submit the form instead of sending an Enter key.
  input.form?.addEventListener("submit", reader.submit, { signal: controller.signal });
  // Not at once: a page that has just opened is announced, and scrolled to its top, only while no field has the focus.
  const timer = window.setInterval(() => {
    focusInput();
    reader.dropUnended();
  }, countingConstants.refocusMs);
  askForEarlyKeys();
  return () => {
    controller.abort();
    window.clearInterval(timer);
  };
}

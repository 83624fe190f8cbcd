import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useState } from "react";
import { burstGapMs } from "./burst-gap.ts";
import { doubleTapMs } from "./double-tap.ts";

interface Place {
  readonly clientX: number;
  readonly clientY: number;
}

/** What a person or a scanner did last, wherever on the page. */
interface LastInput {
  /** Null where a key was pressed since: what opens then opens by it, be it a scanner's. */
  press: Place | null;
  /** When the last key was pressed; in milliseconds, as of events. */
  keyAt: number;
}

const nothingYet = (): LastInput => ({ press: null, keyAt: Number.NEGATIVE_INFINITY });

const LastInputContext = createContext<Readonly<LastInput>>(nothingYet());

/** A thumb falls on the same place when it falls within the breadth of a target made for it. */
const samePlacePx = 48;

function isSamePlace(left: Place, right: Place): boolean {
  return Math.hypot(left.clientX - right.clientX, left.clientY - right.clientY) <= samePlacePx;
}

/** A click that a key made, or an assistive technology, says that it was clicked no times. */
const isOfPointer = ({ detail }: MouseEvent) => detail > 0;

/** Notes where the page was pressed last, and when a key was, for the dialogs in it. */
export function MeantPressesProvider({ children }: { readonly children: ReactNode }) {
  const [last] = useState(nothingYet);
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const { clientX, clientY } = event;
      if (isOfPointer(event)) last.press = { clientX, clientY };
    };
    const onKey = ({ timeStamp }: KeyboardEvent) => {
      last.press = null;
      last.keyAt = timeStamp;
    };
    window.addEventListener("click", onClick, true);
    window.addEventListener("keydown", onKey, true);
    return () => {
      window.removeEventListener("click", onClick, true);
      window.removeEventListener("keydown", onKey, true);
    };
  }, [last]);
  return <LastInputContext value={last}>{children}</LastInputContext>;
}

/**
 * Keeps from what has just opened the presses that were meant for what lay there before: the second tap of a double tap, which a touch
 * does not tell from a tap of its own, and the second Enter that some scanners send. Nothing looks disabled meanwhile; a press
 * elsewhere, and a person's key, are taken at once.
 */
export function useMeantPresses(): void {
  const last = useContext(LastInputContext);
  // Before it is painted: a tap may wait already.
  useLayoutEffect(() => {
    const { press } = last;
    let until = performance.now() + doubleTapMs;
    // Of the keys that were coming one upon the other when it opened, until they pause.
    let runAt = last.keyAt;
    // A key that was down then repeats itself until it is let go.
    let mayBeHeld = true;
    const isInRun = (at: number) => at - runAt <= burstGapMs;
    const onKey = ({ timeStamp, repeat }: KeyboardEvent) => {
      mayBeHeld &&= repeat;
      runAt = mayBeHeld || isInRun(timeStamp) ? timeStamp : Number.NEGATIVE_INFINITY;
    };
    const isUnmeant = (event: MouseEvent) => {
      if (!isOfPointer(event)) return isInRun(event.timeStamp);
      // By the event's own time: a busy phone hands it over late.
      return press !== null && event.timeStamp < until && isSamePlace(press, event);
    };
    const onClick = (event: MouseEvent) => {
      if (!isUnmeant(event)) return;
      // Who taps on and on has not looked up yet.
      until = event.timeStamp + doubleTapMs;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("click", onClick, true);
    return () => {
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("click", onClick, true);
    };
  }, [last]);
}

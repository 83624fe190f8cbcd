import { CloseButton } from "@mantine/core";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { failureShown } from "./error-box.tsx";
import { useFallenFocus } from "./focus/fallen-focus.ts";
import { Notice } from "./notice.tsx";
import classes from "./success-message.module.css";

const pressable = "a, button, summary, [role=button], [role=option], [role=menuitem]";
// Not "change": a text field fires it only on blur, caused by the press of a button that would then move away.
const actions = ["click", "input", "submit", failureShown] as const;

/** A press on nothing interactive is no action: the person goes on reading. */
function isAction({ type, target }: Event): boolean {
  if (type !== "click") return true;
  return target instanceof Element && target.closest(pressable) !== null;
}

/** Calls `leave` once the person does the next thing on the page, or something there fails. */
function useGoingOn(region: RefObject<HTMLElement | null>, leave: (() => void) | undefined): void {
  useEffect(() => {
    if (leave === undefined) return;
    const onEvent = (event: Event) => {
      const within = event.target instanceof Node && region.current?.contains(event.target) === true;
      if (within || !isAction(event)) return;
      // Once the event is over: drawn anew before React has heard of what is typed, a field would lose its first letter.
      if (event.type === "input") setTimeout(leave);
      else leave();
    };
    // On the way down: what the page does with the event itself doesn't matter here.
    for (const action of actions) document.addEventListener(action, onEvent, true);
    return () => {
      for (const action of actions) document.removeEventListener(action, onEvent, true);
    };
  }, [region, leave]);
}

/** Long enough to look up and read it; what it covers is in sight again where nobody presses anything for hours. */
export const floatingMs = 20_000;

/** Calls `leave` after a while, but not under somebody's hand: while it is pointed at, or something within has the focus. */
function useLeavingByItself(
  region: RefObject<HTMLElement | null>,
  message: string | null,
  leave: (() => void) | undefined,
): void {
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  const leaves = leave !== undefined;
  useEffect(() => {
    if (message === null || !leaves) return;
    const timer = window.setInterval(() => {
      const { current } = region;
      const { activeElement } = document;
      const isFocused = activeElement !== current && current?.contains(activeElement) === true;
      if (!isFocused && current?.matches(":hover") !== true) latest.current?.();
    }, floatingMs);
    return () => window.clearInterval(timer);
  }, [region, message, leaves]);
}

interface SuccessMessageProps {
  /** What succeeded; null shows nothing. */
  readonly message: string | null;
  /** Takes the message away: when it is closed, and when the person goes on. */
  readonly onClose?: () => void;
  /** What can be done about it, as taking it back. */
  readonly action?: ReactNode;
  /** Lies over the page's heading, or the beginning of what it is in, so that nothing moves when it comes and goes. */
  readonly floats?: boolean;
}

/**
 * Confirms that something was done, until the person goes on; where it floats and offers nothing to do, for a while. It stays visible wherever the page is scrolled to. The region
 * is always there, so that screen readers announce what appears in it.
 */
export function SuccessMessage({ message, onClose, action = null, floats = false }: SuccessMessageProps) {
  const region = useRef<HTMLDivElement>(null);
  useGoingOn(region, message === null ? undefined : onClose);
  useLeavingByItself(region, message, floats && action === null ? onClose : undefined);
  useFallenFocus(region, message !== null);
  return (
    <div role="status" className={floats ? classes.floating : classes.region} ref={region} tabIndex={-1}>
      {message === null ? null : (
        <div className={classes.ground}>
          <Notice
            kind="success"
            action={
              <>
                {action}
                {onClose === undefined ? null : (
                  <CloseButton aria-label="Dismiss message" onClick={onClose} />
                )}
              </>
            }
          >
            {message}
          </Notice>
        </div>
      )}
    </div>
  );
}

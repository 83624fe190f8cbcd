import { type RefObject, useEffect, useRef } from "react";

/**
 * Takes the focus once it is there and can be used, also where it takes the place of something in the open dialog: what had it is
 * gone.
 */
export function useFirstFocus<Focused extends HTMLElement>(isUsable = true): RefObject<Focused | null> {
  const first = useRef<Focused>(null);
  useEffect(() => {
    if (isUsable) first.current?.focus({ preventScroll: true });
  }, [isUsable]);
  return first;
}

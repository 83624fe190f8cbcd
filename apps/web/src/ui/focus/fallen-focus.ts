import { type RefObject, useEffect } from "react";

function canHold(element: Element | null): element is Element {
  return (
    element !== null && element !== document.body && element.isConnected && !element.matches(":disabled")
  );
}

/**
 * Takes the focus to `target` where what had it is gone, or disabled: from the beginning of the page somebody who works by
 * keys would have to find the way back. Watches as long as `isShown`.
 */
export function useFallenFocus(target: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return;
    let holder = document.activeElement;
    const look = () => {
      const now = document.activeElement;
      if (canHold(now)) holder = now;
      // A press beside everything leaves the focus nowhere too: then what had it is still there, and nothing is taken over.
      else if (!canHold(holder)) target.current?.focus({ preventScroll: true });
    };
    look();
    const observer = new MutationObserver(look);
    const changes = { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] };
    observer.observe(document.body, changes);
    document.addEventListener("focusin", look);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", look);
    };
  }, [target, isShown]);
}

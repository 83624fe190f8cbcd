import { useEffect, useEffectEvent } from "react";
import { useBlocker } from "react-router";

/**
 * The browser's Back closes what is open instead of leaving the page beneath it, as people expect of a phone. A page may use it once: the
 * router asks one of those who would block.
 */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const blocker = useBlocker(({ historyAction }) => isOpen && historyAction === "POP");
  // It closes once: drawn anew for another reason, the page may still see the same Back.
  const closeOnce = useEffectEvent(close);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    blocker.reset();
    closeOnce();
  }, [blocker]);
}

import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from "react";
import { useBlocker } from "react-router";

/** What closes each dialog that is open, the uppermost last; null outside of all pages, where Back is the browser's alone. */
const OpenDialogsContext = createContext<(() => void)[] | null>(null);

/**
 * The browser's Back closes the uppermost dialog instead of leaving the page beneath it, as people expect of a phone. Once around all
 * pages: the router asks one of those who would block.
 */
export function BackClosesProvider({ children }: { readonly children: ReactNode }) {
  const [open] = useState<(() => void)[]>([]);
  const blocker = useBlocker(({ historyAction }) => open.length > 0 && historyAction === "POP");
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    blocker.reset();
    open.at(-1)?.();
  }, [blocker, open]);
  return <OpenDialogsContext value={open}>{children}</OpenDialogsContext>;
}

/** Has Back close what is drawn, as long as it is. What must not be closed now does nothing in `close`. */
export function useBackCloses(close: () => void): void {
  const open = useContext(OpenDialogsContext);
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (open === null) return;
    const entry = () => closeNow();
    open.push(entry);
    return () => void open.splice(open.indexOf(entry), 1);
  }, [open]);
}

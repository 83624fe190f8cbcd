import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/**
 * True while the page is being printed, so that what only paper has is rendered, and a table which renders only its visible
 * rows renders all. The browser prints the page as it is when `beforeprint` returns, hence the synchronous render.
 */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, []);
  return printing;
}

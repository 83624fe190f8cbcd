import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/**
 * True while the page is being printed, so that a table which draws only what is in sight draws everything. The browser
 * takes the page as it stands when `beforeprint` returns, hence the drawing at once.
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

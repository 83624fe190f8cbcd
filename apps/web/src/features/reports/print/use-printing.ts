import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

const notices = new Set<() => void>();
let printing = false;

function tellAll(): void {
  for (const notice of notices) notice();
}

function begin(): void {
  printing = true;
  flushSync(tellAll);
}

function end(): void {
  printing = false;
  tellAll();
}

function subscribe(notice: () => void): () => void {
  if (notices.size === 0) {
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
  }
  notices.add(notice);
  return () => {
    notices.delete(notice);
    if (notices.size > 0) return;
    window.removeEventListener("beforeprint", begin);
    window.removeEventListener("afterprint", end);
    printing = false;
  };
}

/**
 * True while the page is being printed, so that what only paper has is rendered, and a table which renders only its visible
 * rows renders all. The browser prints the page as it is when `beforeprint` returns, hence the synchronous render; what is
 * drawn for the first time by it is told so too.
 */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing);
}

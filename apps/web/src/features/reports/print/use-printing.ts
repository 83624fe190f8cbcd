import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

const notices = new Set<() => void>();
let printing = false;
let unfolded: readonly HTMLDetailsElement[] = [];

function tellAll(): void {
  for (const notice of notices) notice();
}

function begin(): void {
  printing = true;
  flushSync(tellAll);
  // Nobody can press a folding on paper: it would say only that there is something.
  unfolded = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
  for (const each of unfolded) each.open = true;
}

function end(): void {
  printing = false;
  for (const each of unfolded) each.open = false;
  unfolded = [];
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
 * rows renders all. What is folded away is unfolded for as long. The browser prints the page as it is when `beforeprint` returns, hence the synchronous render; what is
 * drawn for the first time by it is told so too.
 */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing);
}

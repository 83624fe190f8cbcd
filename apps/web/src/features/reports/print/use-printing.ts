import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { createObservable } from "../../../events/observable.ts";

const printing = createObservable(false);
let followers = 0;
let unfolded: readonly HTMLDetailsElement[] = [];

function begin(): void {
  flushSync(() => printing.set(true));
  // Nobody can press a folding on paper: it would say only that there is something.
  unfolded = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
  for (const each of unfolded) each.open = true;
}

function end(): void {
  for (const each of unfolded) each.open = false;
  unfolded = [];
  printing.set(false);
}

function subscribe(notice: () => void): () => void {
  if (followers === 0) {
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
  }
  followers += 1;
  const unsubscribe = printing.subscribe(notice);
  return () => {
    unsubscribe();
    followers -= 1;
    if (followers > 0) return;
    window.removeEventListener("beforeprint", begin);
    window.removeEventListener("afterprint", end);
    printing.set(false);
  };
}

/**
 * True while the page is being printed, so that what only paper has is rendered, and a table which renders only its visible
 * rows renders all. What is folded away is unfolded for as long. The browser prints the page as it is when `beforeprint` returns, hence the synchronous render; what is
 * drawn for the first time by it is told so too.
 */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, printing.get);
}

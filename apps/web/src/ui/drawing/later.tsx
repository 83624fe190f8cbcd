import { type ReactNode, useDeferredValue } from "react";

/**
 * Draws its children in a piece of their own, once what is beside them is on the page: a phone shows a page earlier, and hears its person
 * between the pieces. For what is below the others, or shows nothing before its own answers have come: it moves nothing then.
 */
export function Later({ children }: { readonly children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}

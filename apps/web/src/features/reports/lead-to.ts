import { useCallback } from "react";
import { useWriteAddress } from "./address.tsx";

/** The headings of the report's parts, by their ids. */
export const anchors = {
  variances: "variances",
  decisions: "scans-to-decide",
  areas: "variance-breakdown",
  history: "adjustment-history",
  audit: "audit-hash",
} as const;

/** A part of the report that something leads to, as the address names it. */
export type Part = keyof typeof anchors;

/** Leads to a part's heading and puts it below the report's bar; what it unfolds is drawn by then. */
export function leadTo(part: Part): void {
  const heading = document.getElementById(anchors[part]);
  heading?.focus({ preventScroll: true });
  requestAnimationFrame(() => heading?.scrollIntoView({ block: "start" }));
}

/** Whether the focus is in a part already, as it is for whoever was led there by a press. */
export function isIn(part: Part): boolean {
  const section = document.getElementById(anchors[part])?.closest("section");
  return section?.contains(document.activeElement) === true;
}

/** Whether somebody does something on the page already: what has the focus is neither its heading nor beside it. */
export function isAtWork(): boolean {
  const active = document.activeElement;
  if (active === null || active.matches("main, h1")) return false;
  return active.closest("main, [role=dialog], [role=menu]") !== null;
}

/** Leads to a part and names it in the address, so that whoever opens the address lands there too. */
export function useLeadTo(): (part: Part) => void {
  const write = useWriteAddress();
  return useCallback(
    (part) => {
      write({ tab: part });
      leadTo(part);
    },
    [write],
  );
}

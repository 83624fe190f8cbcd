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

function leadToHeading(heading: HTMLElement): void {
  heading.focus({ preventScroll: true });
  requestAnimationFrame(() => heading.scrollIntoView({ block: "start" }));
}

/** Leads to a part that is still to be drawn, unless whoever asked for it has gone on to something else by then. */
function leadOnceDrawn(part: Part): void {
  const asked = document.activeElement;
  const observer = new MutationObserver(() => {
    const heading = document.getElementById(anchors[part]);
    const isWaiting = document.activeElement === asked;
    if (heading === null && isWaiting) return;
    observer.disconnect();
    if (heading !== null && isWaiting) leadToHeading(heading);
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

/**
 * Leads to a part's heading and puts it below the report's bar; what it unfolds is drawn by then. The report is drawn in pieces: a part
 * that is not there yet is led to once it is.
 */
export function leadTo(part: Part): void {
  const heading = document.getElementById(anchors[part]);
  if (heading === null) leadOnceDrawn(part);
  else leadToHeading(heading);
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

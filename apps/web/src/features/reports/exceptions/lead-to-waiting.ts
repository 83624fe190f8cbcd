import type { ExceptionGroup } from "@stocktake/contract";
import type { Part } from "../lead-to.ts";
import { keyOf } from "./api.ts";
import { groupMark } from "./group-list.tsx";

/** Leads by `lead` to a group in the list of what waits; to the list's heading where it shows only others so far. */
export function leadToWaiting(group: ExceptionGroup, lead: (part: Part) => void): void {
  lead("decisions");
  requestAnimationFrame(() => {
    const listed = [...document.querySelectorAll<HTMLElement>(`[${groupMark}]`)];
    const found = listed.find((each) => each.getAttribute(groupMark) === keyOf(group));
    if (found === undefined) return;
    found.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
    found.scrollIntoView({ block: "center" });
  });
}

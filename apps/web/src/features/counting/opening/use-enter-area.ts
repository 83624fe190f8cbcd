import { useCallback, useRef } from "react";
import { useNavigate } from "react-router";
import type { SelectedArea } from "./counting-area.ts";

/** Within so long the page has changed, also on a slow phone. */
const changingPageMs = 1_000;

/** Leads into an area; once for a double tap: its second comes before the page has changed, and Back would lead into the area once more. */
export function useEnterArea(): (area: SelectedArea) => void {
  const navigate = useNavigate();
  const enteredAt = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(
    (area) => {
      if (performance.now() - enteredAt.current < changingPageMs) return;
      enteredAt.current = performance.now();
      void navigate("/counter/scan", { state: area });
    },
    [navigate],
  );
}

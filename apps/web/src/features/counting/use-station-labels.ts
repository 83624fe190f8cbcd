import { isAreaLabel } from "@stocktake/contract";
import { useCallback } from "react";
import { words } from "./messages.ts";
import type { LabelOpening, LabelOutcome } from "./use-label-opening.ts";
import type { StationCore, StationPorts, Taking } from "./use-station.ts";

function useOutcome({ play }: StationPorts, { dispatch }: StationCore) {
  return useCallback(
    (outcome: LabelOutcome) => {
      switch (outcome.kind) {
        case "opened":
          return dispatch({ type: "say", banner: null });
        case "here":
          play("knock");
          return dispatch({ type: "say", banner: { kind: "info", text: words.labelHere } });
        case "refused":
          play("buzz");
          return dispatch({ type: "say", banner: { kind: "error", text: outcome.error } });
      }
    },
    [play, dispatch],
  );
}

/**
 * Takes area labels out of what is scanned: they open their area, and never count. From an area that is closed or done,
 * too. Until the area is open, nothing that is scanned counts in the one being left.
 */
export function useStationLabels(
  ports: StationPorts,
  core: StationCore,
  { takeCode, isTooSoon }: Taking,
  { isUnderway, open }: LabelOpening,
): Taking["takeCode"] {
  const { play } = ports;
  const { dispatch } = core;
  const show = useOutcome(ports, core);
  return useCallback(
    (code, method) => {
      const isLabel = isAreaLabel(code);
      if (!isLabel && !isUnderway()) return takeCode(code, method);
      if (isTooSoon(code, method)) return;
      if (isUnderway()) {
        play("buzz");
        return dispatch({
          type: "say",
          banner: { kind: "warning", text: words.labelMeanwhile, detail: code },
        });
      }
      dispatch({ type: "say", banner: { kind: "info", text: words.labelOpens } });
      open(code).then(show, globalThis.reportError);
    },
    [takeCode, isTooSoon, isUnderway, open, play, dispatch, show],
  );
}

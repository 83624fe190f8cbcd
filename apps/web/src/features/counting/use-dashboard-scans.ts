import { isAreaLabel } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import type { CountingDevice } from "../../offline/offline.ts";
import type { SoundName } from "../../scanner/sounds.ts";
import { takeOut, useBurstGuard } from "../../scanner/use-scanner-input.ts";
import { areaBookQuery } from "./area-labels.ts";
import { words } from "./messages.ts";
import { useLabelOpening } from "./use-label-opening.ts";
import type { SelectionControl } from "./use-selection.ts";
import type { Starting } from "./use-starting.ts";

interface DashboardScansPorts {
  readonly device: CountingDevice;
  readonly userId: string;
  readonly control: SelectionControl;
  readonly starting: Starting;
  readonly play: (name: SoundName) => void;
  /** While a dialog has scans to itself. */
  readonly isPaused: boolean;
}

/** A scan on the dashboard: an area's label opens its area; anything else counts nowhere, and that is said. */
export function useDashboardScans({
  device,
  userId,
  control,
  starting,
  play,
  isPaused,
}: DashboardScansPorts): void {
  const { start, refuse, question } = starting;
  const { choose } = control;
  const { open, isUnderway } = useLabelOpening({ device, userId, storeId: null, presentAreaId: null }, start);
  useQuery(areaBookQuery(device, userId));
  const take = useCallback(
    (code: string, field: HTMLInputElement | null) => {
      if (field !== null) takeOut(field, code);
      const refused = (error: string) => {
        play("buzz");
        refuse(error);
      };
      // Of two labels the first opens: which of two answers comes first must not decide where a person stands.
      if (isUnderway()) return refused(words.labelMeanwhile);
      if (!isAreaLabel(code)) return refused(words.nothingOpen);
      refuse(null);
      open(code).then((outcome) => {
        if (outcome.kind === "opened") choose(outcome.selection);
        if (outcome.kind === "refused") refused(outcome.error);
      }, globalThis.reportError);
    },
    [open, isUnderway, choose, refuse, play],
  );
  useBurstGuard(question === null && !isPaused, take);
}

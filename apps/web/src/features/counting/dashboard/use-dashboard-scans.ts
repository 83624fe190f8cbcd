import { isAreaLabel } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import type { CountingDevice } from "../../../offline/offline.ts";
import type { SoundName } from "../../../scanner/feedback.ts";
import { removeScanned, useBurstGuard } from "../../../scanner/use-burst-guard.ts";
import { areaBookQuery } from "../lists/area-book.ts";
import { messages } from "../messages.ts";
import type { AreaOpening } from "../opening/area-opening.ts";
import type { Selection } from "../opening/start-counting.ts";
import type { SelectionControl } from "./use-selection.ts";

interface DashboardScans {
  readonly device: CountingDevice;
  readonly userId: string;
  readonly control: SelectionControl;
  readonly opening: AreaOpening;
  /** Starts an area whose products may still be coming. */
  readonly start: (selection: Selection) => void;
  readonly play: (name: SoundName) => void;
  /** While a dialog has scans to itself. */
  readonly isPaused: boolean;
}

/** A scan on the dashboard: an area's label opens its area; anything else counts nowhere, and an error tells so. */
export function useDashboardScans({
  device,
  userId,
  control,
  opening,
  start,
  play,
  isPaused,
}: DashboardScans): void {
  useQuery(areaBookQuery(device, userId));
  const refuse = (error: string) => {
    play("alarm");
    opening.refuse(error);
  };
  useBurstGuard(!isPaused, (code, field) => {
    if (field !== null) removeScanned(field, code);
    // Of two labels the first opens: which of two answers comes first must not decide where a person counts.
    if (opening.get().isLabelOpening) return refuse(messages.labelMeanwhile);
    if (!isAreaLabel(code)) return refuse(messages.nothingOpen);
    opening.refuse(null);
    opening.openLabel(code).then((outcome) => {
      if (outcome.kind === "opened") control.choose(outcome.selection);
      if (outcome.kind === "unsynced") {
        opening.refuse(null);
        start(outcome.selection);
      }
      if (outcome.kind === "refused") refuse(outcome.error);
    }, globalThis.reportError);
  });
}

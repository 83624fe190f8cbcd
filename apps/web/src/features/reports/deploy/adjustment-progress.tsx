import type { Adjustment } from "@stocktake/contract";
import { quantityText } from "../../../ui/formats.ts";
import { WorkProgress } from "../../../ui/operation-progress.tsx";
import { messages } from "../messages.ts";

interface AdjustmentProgressProps {
  readonly label: string;
  /** Null while it isn't known yet. */
  readonly progress: Adjustment["progress"];
}

/** How many chunks of a deploy or a rollback are done, on whatever page asked for it. */
export function AdjustmentProgress({ label, progress }: AdjustmentProgressProps) {
  const of = progress?.of ?? 0;
  const done = progress?.done ?? 0;
  const isKnown = of > 0;
  return (
    <WorkProgress
      label={label}
      amount={isKnown ? messages.deployDialog.chunks(quantityText(done), quantityText(of)) : ""}
      percent={isKnown ? (100 * done) / of : null}
    />
  );
}

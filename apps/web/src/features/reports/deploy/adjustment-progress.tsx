import { Progress, Text } from "@mantine/core";
import type { Adjustment } from "@stocktake/contract";
import { quantityText } from "../../../ui/formats.ts";
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
  const known = of > 0;
  return (
    <div role="status">
      <Text fz="sm" mb={4} className="tabular">
        {label} {known ? messages.deployDialog.chunks(quantityText(done), quantityText(of)) : ""}
      </Text>
      <Progress value={known ? (100 * done) / of : 100} striped animated={!known} aria-label={label} />
      <Text fz="sm" c="dimmed" mt={4}>
        {messages.deployDialog.goesOn}
      </Text>
    </div>
  );
}

import { Progress, Text } from "@mantine/core";
import type { Operation } from "@stocktake/contract";
import { quantityText } from "./formats.ts";

interface OperationProgressProps {
  readonly label: string;
  readonly operation: Operation | null;
}

function amountText(operation: Operation | null): string {
  if (operation === null || operation.done === 0) return "";
  if (operation.of === null) return quantityText(operation.done);
  return `${quantityText(operation.done)} of ${quantityText(operation.of)}`;
}

/** How far a long piece of work has come; it goes on when the page is left. */
export function OperationProgress({ label, operation }: OperationProgressProps) {
  const known = operation !== null && operation.of !== null && operation.of > 0;
  const percent = known ? (100 * operation.done) / (operation.of ?? 1) : 100;
  return (
    <div role="status">
      <Text fz="sm" mb={4} className="tabular">
        {label} {amountText(operation)}
      </Text>
      <Progress value={percent} striped={!known} animated={!known} aria-label={label} />
      <Text fz="sm" c="dimmed" mt={4}>
        This continues if you leave the page.
      </Text>
    </div>
  );
}

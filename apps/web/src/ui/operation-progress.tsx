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

interface WorkProgressProps {
  readonly label: string;
  readonly amount: string;
  /** Null while it isn't known. */
  readonly percent: number | null;
}

/** How far a long piece of work has come; it continues when the page is left. */
export function WorkProgress({ label, amount, percent }: WorkProgressProps) {
  const isUnknown = percent === null;
  return (
    <div role="status">
      <Text fz="sm" mb={4} className="tabular">
        {label} {amount}
      </Text>
      <Progress value={percent ?? 100} striped={isUnknown} animated={isUnknown} aria-label={label} />
      <Text fz="sm" c="dimmed" mt={4}>
        This continues if you leave the page.
      </Text>
    </div>
  );
}

/** The progress of an operation of the server. */
export function OperationProgress({ label, operation }: OperationProgressProps) {
  const { done = 0, of = null } = operation ?? {};
  const percent = of !== null && of > 0 ? (100 * done) / of : null;
  return <WorkProgress label={label} amount={amountText(operation)} percent={percent} />;
}

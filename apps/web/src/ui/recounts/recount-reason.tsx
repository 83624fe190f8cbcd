import { Textarea } from "@mantine/core";
import { lengthProblem, limits } from "@stocktake/contract";

const label = "Reason (Optional)";
const description = "Counters read it on their phones. Leave out figures: they count blind.";

/** Whether the reason can be sent. */
export function isReasonRight(reason: string): boolean {
  return lengthProblem("Reason", reason, limits.reason) === null;
}

interface RecountReasonProps {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
}

/** Why an area is to be counted again, in the dialog that asks for it. */
export function RecountReason({ reason, onChange }: RecountReasonProps) {
  return (
    <Textarea
      label={label}
      description={description}
      rows={2}
      data-autofocus
      value={reason}
      error={lengthProblem("Reason", reason, limits.reason)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

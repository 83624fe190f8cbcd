import { Button, Group } from "@mantine/core";
import type { Adjustment } from "@stocktake/contract";
import { openRowTexts, texts } from "./texts.ts";

/** What can be done with an entry of the history. */
export type HistoryAction = "rollback" | "resume" | "deploy-again" | "leave";

interface Offered {
  readonly action: HistoryAction;
  readonly label: string;
}

/**
 * Only an applied entry that has not been rolled back can be. A partial one goes on with what did not move, or is
 * complete without it. A failed one moved nothing, so it is resumed by deploying again, as long as nothing was since.
 */
function offeredFor(entry: Adjustment, isNewest: boolean, deployed: boolean): Offered[] {
  if (entry.rolledBackAt !== null) return [];
  switch (entry.status) {
    case "applied":
      return [{ action: "rollback", label: texts.rollback }];
    case "partial":
      if (entry.resumable === 0) return [];
      return [
        { action: "resume", label: texts.resume },
        { action: "leave", label: openRowTexts.leave },
      ];
    case "failed":
      return isNewest && !deployed ? [{ action: "deploy-again", label: texts.resume }] : [];
    case "pending":
      return [];
  }
}

interface AdjustmentActionsProps {
  readonly entry: Adjustment;
  readonly isNewest: boolean;
  readonly deployed: boolean;
  readonly busy: boolean;
  readonly onAction: (action: HistoryAction, entry: Adjustment) => void;
}

export function AdjustmentActions({ entry, isNewest, deployed, busy, onAction }: AdjustmentActionsProps) {
  return (
    <Group gap="xs">
      {offeredFor(entry, isNewest, deployed).map(({ action, label }) => (
        <Button
          key={action}
          variant="default"
          size="sm"
          disabled={busy || entry.rollingBack}
          onClick={() => onAction(action, entry)}
        >
          {action === "rollback" && entry.rollingBack ? texts.rollingBack : label}
        </Button>
      ))}
    </Group>
  );
}

import { Button } from "@mantine/core";
import { useState } from "react";
import { CountAgainDialog } from "../count-again-dialog.tsx";
import { type EarlierCount, restoreLabel } from "../earlier/earlier-counts.ts";
import { RestoreDialog } from "../earlier/restore-dialog.tsx";
import { messages } from "../messages.ts";
import type { AreaProgress } from "../progress-summary.ts";

const { again, earlier } = messages;

/** What has not been begun has nothing to count again. */
function canCountAgain({ status, scans }: AreaProgress): boolean {
  return status === "closed" || (status === "in_progress" && scans > 0);
}

interface AreaActionsProps {
  readonly area: AreaProgress;
  /** The count of it that was restarted last. */
  readonly last: EarlierCount | undefined;
  readonly variant: "subtle" | "default";
  readonly onDone: (message: string) => void;
}

/** Has an area counted again, or gives it back what it had counted before; each asks first. */
export function AreaActions({ area, last, variant, onDone }: AreaActionsProps) {
  const [asked, setAsked] = useState<"again" | "restore" | null>(null);
  const close = () => setAsked(null);
  // Where an area is complete, to go back to an earlier count is no next step: it comes last, and does not ask to be pressed.
  const isClosed = area.status === "closed";
  const restore =
    last === undefined ? null : (
      <Button
        variant={variant}
        {...(isClosed ? { c: "dimmed" } : {})}
        size="sm"
        aria-label={restoreLabel(last)}
        onClick={() => setAsked("restore")}
      >
        {earlier.restore}
      </Button>
    );
  return (
    <>
      {isClosed ? null : restore}
      {canCountAgain(area) ? (
        <Button
          variant={variant}
          size="sm"
          aria-label={again.title(area.code)}
          onClick={() => setAsked("again")}
        >
          {again.confirm}
        </Button>
      ) : null}
      {isClosed ? restore : null}
      {asked === "again" ? (
        <CountAgainDialog
          area={area}
          onDone={() => onDone(again.done(area.code, area.name))}
          onClose={close}
        />
      ) : null}
      {asked === "restore" && last !== undefined ? (
        <RestoreDialog count={last} onDone={onDone} onClose={close} />
      ) : null}
    </>
  );
}

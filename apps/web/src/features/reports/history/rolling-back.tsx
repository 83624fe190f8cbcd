import type { Adjustment, CallAnswer, rollbackReport } from "@stocktake/contract";
import { useState } from "react";
import { useRollback } from "../api.ts";
import { messages } from "../messages.ts";
import { RollbackDialog } from "./rollback-dialog.tsx";

function rollbackText({ status, totalAdjustments }: CallAnswer<typeof rollbackReport>): string {
  const { ended, partly } = messages.partialRollback;
  if (status === "pending") return ended;
  return status === "partial" ? partly(totalAdjustments) : messages.rollbackDone(totalAdjustments);
}

/** Asking about a rollback of the session's deploy, and sending it. */
export function useRollingBack(sessionId: string, onDone: (message: string) => void) {
  const [asking, setAsking] = useState(false);
  const rollback = useRollback(sessionId);
  const confirm = (plan: string | undefined) =>
    rollback.send(plan, (answer) => {
      setAsking(false);
      onDone(rollbackText(answer));
    });
  const ask = () => {
    rollback.reset();
    setAsking(true);
  };
  return { rollback, confirm, ask, asking: asking && !rollback.isLong, cancel: () => setAsking(false) };
}

interface RollingBackDialogProps extends ReturnType<typeof useRollingBack> {
  readonly sessionId: string;
  readonly entries: readonly Adjustment[];
}

export function RollingBackDialog(props: RollingBackDialogProps) {
  const { asking, sessionId, rollback, entries, confirm, cancel } = props;
  if (!asking) return null;
  return (
    <RollbackDialog
      sessionId={sessionId}
      rollback={rollback}
      progress={entries.find((entry) => entry.rollingBack)?.progress ?? null}
      onConfirm={confirm}
      onCancel={cancel}
    />
  );
}

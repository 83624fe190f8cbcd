import type { AreaStatus } from "@stocktake/contract";
import { useState } from "react";
import { useRecount } from "../../http/recount.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { isReasonRight, RecountReason } from "../../ui/recounts/recount-reason.tsx";
import { messages } from "./messages.ts";

const { again } = messages;

interface CountAgainDialogProps {
  readonly area: {
    readonly _id: string;
    readonly code: string;
    readonly name: string;
    readonly status?: AreaStatus;
  };
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Asks before an area is counted again from zero, and for what its counters are told. */
export function CountAgainDialog({ area, onDone, onClose }: CountAgainDialogProps) {
  const recount = useRecount();
  const [reason, setReason] = useState("");
  const confirm = () => {
    const alsoInProgress = area.status === "in_progress";
    recount.send({ areaId: area._id, reason, alsoInProgress }, () => {
      onDone?.();
      onClose();
    });
  };
  return (
    <ConfirmDialog
      title={again.title(area.code)}
      message={again.question(area.code, area.name)}
      consequences={again.consequences}
      confirmLabel={again.confirm}
      change={recount}
      errorFallback={again.failed}
      disabled={!isReasonRight(reason)}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <RecountReason reason={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

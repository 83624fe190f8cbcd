import { type Adjustment, cancelAdjustment } from "@stocktake/contract";
import { useState } from "react";
import { callApi } from "../../../http/call.ts";
import { staleAfter } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { messages } from "../messages.ts";

/** Asking for the end of a deploy or a rollback that is under way. */
export function useCancelling() {
  const [asked, setAsked] = useState<Adjustment | null>(null);
  const change = useChange(
    (adjustmentId: string) => callApi(cancelAdjustment, { params: { adjustmentId } }),
    staleAfter.report,
  );
  const confirm = () => {
    if (asked !== null) change.send(asked._id, () => setAsked(null));
  };
  const ask = (entry: Adjustment) => {
    change.reset();
    setAsked(entry);
  };
  return { change, asked, confirm, ask, leave: () => setAsked(null) };
}

/** What the button says that cancels what works on an entry. */
export function cancelLabel({ rollingBack, cancelling }: Adjustment): string {
  if (cancelling === true) return messages.underway.cancelBusy;
  return rollingBack ? messages.underway.cancelRollback : messages.underway.cancelDeploy;
}

export function CancelDialog({ change, asked, confirm, leave }: ReturnType<typeof useCancelling>) {
  if (asked === null) return null;
  return (
    <ConfirmDialog
      title={`${cancelLabel({ ...asked, cancelling: false })}?`}
      message={messages.underway.question}
      consequences={messages.underway.consequences}
      confirmLabel={cancelLabel({ ...asked, cancelling: false })}
      busyLabel={messages.underway.cancelBusy}
      change={change}
      errorFallback={messages.underway.cancelFailed}
      onConfirm={confirm}
      onCancel={leave}
    />
  );
}

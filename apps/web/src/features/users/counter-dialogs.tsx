import type { Counter } from "@stocktake/contract";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useDeleteCounter, useUpdateCounter } from "./api.ts";
import { texts } from "./texts.ts";

interface CounterDialogProps {
  readonly counter: Counter;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

export function DeactivateCounterDialog({ counter, onDone, onClose }: CounterDialogProps) {
  const update = useUpdateCounter();
  const succeed = () => {
    onDone(texts.deactivated(counter.username));
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.deactivateDialog.title}
      message={texts.deactivateDialog.question(counter.username)}
      consequences={texts.deactivateDialog.consequences}
      confirmLabel={texts.deactivate}
      busy={update.isPending}
      error={update.error}
      errorFallback={texts.updateFailed}
      onConfirm={() => update.send({ id: counter._id, isActive: false }, succeed)}
      onCancel={onClose}
    />
  );
}

export function DeleteCounterDialog({ counter, onDone, onClose }: CounterDialogProps) {
  const removal = useDeleteCounter();
  const succeed = () => {
    onDone(texts.deleted(counter.username));
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.deleteDialog.title}
      message={texts.deleteDialog.question(counter.username)}
      consequences={texts.deleteDialog.consequences}
      confirmLabel={texts.deleteDialog.confirm}
      busy={removal.isPending}
      error={removal.error}
      errorFallback={texts.deleteFailed}
      onConfirm={() => removal.send(counter._id, succeed)}
      onCancel={onClose}
    />
  );
}

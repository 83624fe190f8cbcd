import type { Store } from "@stocktake/contract";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useDeleteStore } from "./api.ts";
import { texts } from "./texts.ts";

interface DeleteStoreDialogProps {
  readonly store: Store;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

export function DeleteStoreDialog({ store, onDone, onClose }: DeleteStoreDialogProps) {
  const removal = useDeleteStore();
  const confirm = () =>
    removal.send(store._id, () => {
      onDone(texts.deleted(store.name));
      onClose();
    });
  return (
    <ConfirmDialog
      title={texts.deleteHeading}
      message={texts.deleteQuestion(store.name)}
      consequences={texts.deleteConsequences}
      confirmLabel={texts.deleteConfirm}
      busy={removal.isPending}
      error={removal.error}
      errorFallback={texts.deleteFailed}
      onConfirm={confirm}
      onCancel={onClose}
    />
  );
}

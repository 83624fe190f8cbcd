import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { messages } from "../messages.ts";
import { type EarlierCount, useRestorePass } from "./earlier-counts.ts";

const { earlier } = messages;

interface RestoreDialogProps {
  readonly count: EarlierCount;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

/** Asks before an earlier count takes the place of the present one. */
export function RestoreDialog({ count, onDone, onClose }: RestoreDialogProps) {
  const restore = useRestorePass();
  const succeed = () => {
    onDone(earlier.restored(count.areaName));
    onClose();
  };
  return (
    <ConfirmDialog
      title={earlier.restoreTitle}
      message={earlier.question(count.areaName, count.scans)}
      consequences={earlier.consequences}
      confirmLabel={earlier.restore}
      change={restore}
      danger={false}
      errorFallback={earlier.restoreFailed}
      onConfirm={() => restore.send({ areaId: count.areaId, pass: count.pass }, succeed)}
      onCancel={onClose}
    />
  );
}

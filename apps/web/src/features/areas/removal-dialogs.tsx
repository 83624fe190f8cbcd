import type { Area, Location } from "@stocktake/contract";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useDeleteArea, useDeleteLocation, useReopenArea } from "./api.ts";
import { texts } from "./texts.ts";

interface Outcome {
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

interface DeleteLocationDialogProps extends Outcome {
  readonly location: Location;
  readonly areas: number;
}

export function DeleteLocationDialog({ location, areas, onDone, onClose }: DeleteLocationDialogProps) {
  const removal = useDeleteLocation();
  const succeed = () => {
    onDone(texts.deleted(location.name));
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.deleteLocation.title}
      message={texts.deleteLocation.question(location.name)}
      consequences={texts.deleteLocation.consequences(areas)}
      confirmLabel={texts.deleteLocation.confirm}
      busy={removal.isPending}
      error={removal.error}
      errorFallback={texts.deleteLocationFailed}
      onConfirm={() => removal.send(location._id, succeed)}
      onCancel={onClose}
    />
  );
}

export function DeleteAreaDialog({ area, onDone, onClose }: Outcome & { area: Area }) {
  const removal = useDeleteArea();
  const succeed = () => {
    onDone(texts.deleted(area.name));
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.deleteArea.title}
      message={texts.deleteArea.question(area.code)}
      consequences={texts.deleteArea.consequences}
      confirmLabel={texts.deleteArea.confirm}
      busy={removal.isPending}
      error={removal.error}
      errorFallback={texts.deleteAreaFailed}
      onConfirm={() => removal.send(area._id, succeed)}
      onCancel={onClose}
    />
  );
}

export function ReopenAreaDialog({ area, onDone, onClose }: Outcome & { area: Area }) {
  const reopening = useReopenArea();
  const succeed = () => {
    onDone(texts.reopened(area.code));
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.reopenArea.title}
      message={texts.reopenArea.question(area.code)}
      consequences={texts.reopenArea.consequences}
      confirmLabel={texts.reopenArea.confirm}
      busy={reopening.isPending}
      error={reopening.error}
      errorFallback={texts.reopenFailed}
      onConfirm={() => reopening.send(area._id, succeed)}
      onCancel={onClose}
    />
  );
}

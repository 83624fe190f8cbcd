import { type Area, deleteArea, deleteLocation, type Location } from "@stocktake/contract";
import { useState } from "react";
import { callApi } from "../../http/call.ts";
import { useRecount } from "../../http/recount.ts";
import { staleAfter } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { isReasonRight, RecountReason } from "../../ui/recounts/recount-reason.tsx";
import { messages } from "./messages.ts";

function useDeleteLocation() {
  return useChange((id: string) => callApi(deleteLocation, { params: { id } }), staleAfter.location);
}

function useDeleteArea() {
  return useChange((id: string) => callApi(deleteArea, { params: { id } }), staleAfter.area);
}

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
    onDone(messages.deleted(location.name));
    onClose();
  };
  return (
    <ConfirmDialog
      title={messages.deleteLocation.title}
      message={messages.deleteLocation.question(location.name)}
      consequences={messages.deleteLocation.consequences(areas)}
      confirmLabel={messages.deleteLocation.confirm}
      change={removal}
      errorFallback={messages.deleteLocationFailed}
      onConfirm={() => removal.send(location._id, succeed)}
      onCancel={onClose}
    />
  );
}

export function DeleteAreaDialog({ area, onDone, onClose }: Outcome & { area: Area }) {
  const removal = useDeleteArea();
  const succeed = () => {
    onDone(messages.deleted(area.name));
    onClose();
  };
  return (
    <ConfirmDialog
      title={messages.deleteArea.title}
      message={messages.deleteArea.question(area.code)}
      consequences={messages.deleteArea.consequences}
      confirmLabel={messages.deleteArea.confirm}
      change={removal}
      errorFallback={messages.deleteAreaFailed}
      onConfirm={() => removal.send(area._id, succeed)}
      onCancel={onClose}
    />
  );
}

export function ReopenAreaDialog({ area, onDone, onClose }: Outcome & { area: Area }) {
  const reopening = useRecount();
  const [reason, setReason] = useState("");
  const succeed = () => {
    onDone(messages.reopened(area.code));
    onClose();
  };
  return (
    <ConfirmDialog
      title={messages.reopenArea.title}
      message={messages.reopenArea.question(area.code)}
      consequences={messages.reopenArea.consequences}
      confirmLabel={messages.reopenArea.confirm}
      change={reopening}
      errorFallback={messages.reopenFailed}
      disabled={!isReasonRight(reason)}
      onConfirm={() => reopening.send({ areaId: area._id, reason }, succeed)}
      onCancel={onClose}
    >
      <RecountReason reason={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

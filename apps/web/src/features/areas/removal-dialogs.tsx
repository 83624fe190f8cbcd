import { Button, Stack, Text } from "@mantine/core";
import {
  type Area,
  type CountingSession,
  deleteArea,
  deleteLocation,
  type Location,
} from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { useRecount } from "../../http/recount.ts";
import { reportPath } from "../../http/report-path.ts";
import { sessionsQuery } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { dateTimeText } from "../../ui/formats.ts";
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

interface ReopenAreaDialogProps extends Outcome {
  readonly area: Area;
  readonly location: Location;
}

/** Asks before an area is counted again from zero; where no session runs there is nothing to reopen, and it says what can be done. */
export function ReopenAreaDialog({ location, ...props }: ReopenAreaDialogProps) {
  const { data: sessions } = useQuery(sessionsQuery);
  const ofStore = sessions?.filter(({ storeId }) => storeId._id === location.storeId._id);
  const isOver = ofStore !== undefined && !ofStore.some(({ status }) => status === "active");
  if (isOver) return <SessionOverDialog area={props.area} last={ofStore[0]} onClose={props.onClose} />;
  return <ReopenDialog {...props} />;
}

interface SessionOverDialogProps extends Pick<Outcome, "onClose"> {
  readonly area: Area;
  /** The store's newest session. */
  readonly last: CountingSession | undefined;
}

function SessionOverDialog({ area, last, onClose }: SessionOverDialogProps) {
  const { title, ended, report, again, toReport, toSessions } = messages.sessionOver;
  return (
    <Dialog title={title(area.code)} onClose={onClose}>
      <Stack gap="sm">
        <Text>{ended(dateTimeText(last?.endedAt ?? null))}</Text>
        <Text>{report}</Text>
        <Text>{again}</Text>
        <DialogActions>
          {last === undefined ? null : (
            <Button component={Link} to={reportPath(last._id)} variant="default">
              {toReport}
            </Button>
          )}
          <Button component={Link} to="/admin/sessions">
            {toSessions}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

function ReopenDialog({ area, onDone, onClose }: Outcome & { area: Area }) {
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

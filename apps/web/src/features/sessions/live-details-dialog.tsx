import { Button, Stack, Text, Title } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { progressQuery } from "../../http/shared-queries.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { ScansCaption } from "../../ui/figures/scans-caption.tsx";
import { dateTimeText, deviceText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { type QuietColumn, QuietTable } from "../../ui/tables/quiet-table.tsx";
import type { SessionProgress } from "./api.ts";
import { CountAgainDialog } from "./count-again-dialog.tsx";
import { AreaState, canCountAgain } from "./live/area-state.tsx";
import { messages } from "./messages.ts";
import { type AreaProgress, areaName, type DeviceProgress } from "./progress-summary.ts";

const { live } = messages;

/** Who counted there; where they give totals of their own, whose are missing. */
function CountedBy({ area: { usernames, ownTotals, countedByOthers = [] } }: { area: AreaProgress }) {
  const missing = ownTotals?.missing ?? [];
  return (
    <>
      {usernames.join(", ") || "–"}
      {countedByOthers.length === 0 ? null : (
        <div>
          <StatusBadge tone="warning">{messages.assigning.byOthers(countedByOthers.join(", "))}</StatusBadge>
        </div>
      )}
      {missing.length === 0 ? null : (
        <Text fz="sm" c="dimmed">
          {live.totalsMissing(missing.join(", "))}
        </Text>
      )}
    </>
  );
}

const areaColumns = (onCountAgain: (area: AreaProgress) => void): readonly QuietColumn<AreaProgress>[] => [
  { header: "Area", cell: areaName },
  { header: "Status", cell: (area) => <AreaState area={area} /> },
  { header: "Scans", numeric: true, cell: (area) => quantityText(area.scans) },
  { header: "Assigned To", cell: ({ assignedTo = [] }) => assignedTo.join(", ") || "–" },
  { header: "Counted By", cell: (area) => <CountedBy area={area} /> },
  { header: "Last Scan", cell: (area) => dateTimeText(area.lastScanAt) },
  {
    header: "Actions",
    hiddenHeader: true,
    cell: (area) =>
      canCountAgain(area) ? (
        <Button
          variant="default"
          size="sm"
          onClick={() => onCountAgain(area)}
          aria-label={messages.again.title(area.code)}
        >
          {messages.again.confirm}
        </Button>
      ) : null,
  },
];

const deviceColumns: readonly QuietColumn<DeviceProgress>[] = [
  { header: "Counter", cell: (device) => device.username },
  { header: "Device", cell: (device) => deviceText(device.deviceId) },
  { header: "Scans", numeric: true, cell: (device) => quantityText(device.scans) },
  {
    header: "Not Sent",
    numeric: true,
    cell: ({ pending }) => (pending === null ? "–" : quantityText(pending)),
  },
  { header: "Last Seen", cell: (device) => dateTimeText(device.lastSeenAt) },
];

function Tables({ areas, devices, onDone }: SessionProgress & { onDone: (message: string) => void }) {
  const [again, setAgain] = useState<AreaProgress | null>(null);
  return (
    <>
      <Title order={3} fz="1rem">
        {live.areas}
      </Title>
      {areas.length === 0 ? (
        <Text c="dimmed">{live.noAreas}</Text>
      ) : (
        <QuietTable
          label={live.areas}
          columns={areaColumns(setAgain)}
          rows={areas}
          keyOf={(area) => area._id}
        />
      )}
      <Title order={3} fz="1rem">
        {live.devices}
      </Title>
      {devices.length === 0 ? (
        <Text c="dimmed">{live.nobody}</Text>
      ) : (
        <QuietTable
          label={live.devices}
          columns={deviceColumns}
          rows={devices}
          keyOf={(device) => device.deviceId}
        />
      )}
      {again === null ? null : (
        <CountAgainDialog
          area={again}
          onDone={() => onDone(messages.again.done(again.code, again.name))}
          onClose={() => setAgain(null)}
        />
      )}
    </>
  );
}

interface LiveDetailsDialogProps {
  readonly session: CountingSession;
  readonly onClose: () => void;
}

/** Every area and every device of a running count; it goes on living while it is open. */
export function LiveDetailsDialog({ session, onClose }: LiveDetailsDialogProps) {
  const { data, error, refetch } = useQuery(progressQuery(session._id));
  const [message, setMessage] = useState<string | null>(null);
  return (
    <Dialog title={live.title(session.storeId.name)} size="60rem" onClose={onClose}>
      <Stack gap="sm">
        <SuccessMessage floats message={message} onClose={() => setMessage(null)} />
        <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
        {data === undefined && error === null ? <LoadingState /> : null}
        {data === undefined ? null : <Tables {...data} onDone={setMessage} />}
        <ScansCaption />
        <Text c="dimmed" fz="xs">
          {live.notSentNote}
        </Text>
      </Stack>
    </Dialog>
  );
}

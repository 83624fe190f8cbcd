import { Group, Stack, Text, Title } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { progressQuery } from "../../http/shared-queries.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { ScansCaption } from "../../ui/figures/scans-caption.tsx";
import { dateTimeText, deviceText, noneText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { type QuietColumn, QuietTable } from "../../ui/tables/quiet-table.tsx";
import type { SessionProgress } from "./api.ts";
import { type EarlierCount, useLastCounts } from "./earlier/earlier-counts.ts";
import { AreaActions } from "./live/area-actions.tsx";
import { AreaState } from "./live/area-state.tsx";
import { messages } from "./messages.ts";
import { type AreaProgress, areaName, type DeviceProgress } from "./progress-summary.ts";

const { live } = messages;

/** Who counted there; where they give totals of their own, whose are missing. */
function CountedBy({ area: { usernames, ownTotals, countedByOthers = [] } }: { area: AreaProgress }) {
  const missing = ownTotals?.missing ?? [];
  return (
    <>
      {usernames.join(", ") || noneText}
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

const areaColumns = (
  last: ReadonlyMap<string, EarlierCount>,
  onDone: (message: string) => void,
): readonly QuietColumn<AreaProgress>[] => [
  { header: "Area", cell: areaName },
  { header: "Status", cell: (area) => <AreaState area={area} /> },
  { header: "Scans", numeric: true, cell: (area) => quantityText(area.scans) },
  { header: "Assigned To", cell: ({ assignedTo = [] }) => assignedTo.join(", ") || noneText },
  { header: "Counted By", cell: (area) => <CountedBy area={area} /> },
  { header: "Last Scan", cell: (area) => dateTimeText(area.lastScanAt) },
  {
    header: "Actions",
    hiddenHeader: true,
    cell: (area) => (
      <Group gap="xs" wrap="nowrap" justify="flex-end">
        <AreaActions area={area} last={last.get(area._id)} variant="default" onDone={onDone} />
      </Group>
    ),
  },
];

const deviceColumns: readonly QuietColumn<DeviceProgress>[] = [
  { header: "Counter", cell: (device) => device.username },
  { header: "Device", cell: (device) => deviceText(device.deviceId) },
  { header: "Scans", numeric: true, cell: (device) => quantityText(device.scans) },
  {
    header: "Not Sent",
    numeric: true,
    cell: ({ pending }) => (pending === null ? noneText : quantityText(pending)),
  },
  { header: "Last Seen", cell: (device) => dateTimeText(device.lastSeenAt) },
];

interface TablesProps extends SessionProgress {
  readonly sessionId: string;
  readonly onDone: (message: string) => void;
}

function Tables({ sessionId, areas, devices, onDone }: TablesProps) {
  const last = useLastCounts(sessionId);
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
          columns={areaColumns(last, onDone)}
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
        {data === undefined ? null : <Tables {...data} sessionId={session._id} onDone={setMessage} />}
        <ScansCaption />
        <Text c="dimmed" fz="xs">
          {live.notSentNote}
        </Text>
      </Stack>
    </Dialog>
  );
}

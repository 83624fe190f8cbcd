import { Stack, Text } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, dateTimeText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { progressQuery, type SessionProgress, type useEndSession } from "./api.ts";
import { DifferencesSoFar } from "./differences-so-far.tsx";
import { messages } from "./messages.ts";
import { areaName, summarizeProgress } from "./progress-summary.ts";
import classes from "./sessions.module.css";

const shownAtMost = 8;

function OpenArea({ area }: { area: SessionProgress["areas"][number] }) {
  const people = area.usernames.join(", ");
  const counted = area.scans === 0 ? "" : ` · ${countText(area.scans, "scan", "scans")} by ${people}`;
  return (
    <li>
      {areaName(area)} ({messages.areaStatus[area.status]}
      {area.recountNeeded ? `, ${messages.recount}` : ""}){counted}
    </li>
  );
}

function Device({ device }: { device: SessionProgress["devices"][number] }) {
  return (
    <li>
      {device.username}: {countText(device.pending ?? 0, "scan", "scans")} not sent, last seen{" "}
      {dateTimeText(device.lastSeenAt)}
    </li>
  );
}

function More({ count }: { count: number }) {
  return count > 0 ? <li>and {quantityText(count)} more</li> : null;
}

function Remaining({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Notice kind="warning" title={title}>
      {children === undefined ? null : <ul className={classes.left}>{children}</ul>}
    </Notice>
  );
}

/** What is unfinished; shown before anything is asked. */
function RemainingWork({ progress }: { progress: SessionProgress }) {
  const summary = summarizeProgress(progress);
  const { endDialog } = messages;
  const hasAreas = progress.areas.length > 0;
  if (hasAreas && summary.open.length + summary.unsent.length + summary.exceptions === 0) {
    return <Notice kind="success">{endDialog.ready}</Notice>;
  }
  return (
    <Stack gap="xs">
      {hasAreas ? null : <Remaining title={endDialog.noAreas} />}
      {summary.open.length === 0 ? null : (
        <Remaining title={endDialog.openAreas(summary.open.length)}>
          {summary.open.slice(0, shownAtMost).map((area) => (
            <OpenArea key={area._id} area={area} />
          ))}
          <More count={summary.open.length - shownAtMost} />
        </Remaining>
      )}
      {summary.unsent.length === 0 ? null : (
        <Remaining title={endDialog.unsent(summary.unsent.length)}>
          {summary.unsent.slice(0, shownAtMost).map((device) => (
            <Device key={device.deviceId} device={device} />
          ))}
          <More count={summary.unsent.length - shownAtMost} />
        </Remaining>
      )}
      {summary.exceptions === 0 ? null : <Remaining title={endDialog.exceptions(summary.exceptions)} />}
    </Stack>
  );
}

interface EndSessionDialogProps {
  readonly session: CountingSession;
  readonly ending: ReturnType<typeof useEndSession>;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

export function EndSessionDialog({ session, ending, onConfirm, onCancel }: EndSessionDialogProps) {
  const { data, error, isPending, refetch } = useQuery({ ...progressQuery(session._id), staleTime: 0 });
  const { endDialog } = messages;
  return (
    <ConfirmDialog
      title={endDialog.title}
      message={
        <Stack gap="sm">
          {isPending ? <LoadingState /> : null}
          <ErrorBox error={error} fallback={endDialog.progressFailed} onRetry={refetch} />
          {data === undefined ? null : <RemainingWork progress={data} />}
          <DifferencesSoFar session={session} />
          <Text>{endDialog.question(session.storeId.name)}</Text>
        </Stack>
      }
      consequences={endDialog.consequences}
      confirmLabel={messages.end}
      busyLabel={messages.ending}
      change={ending}
      disabled={isPending}
      errorFallback={messages.endFailed}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}

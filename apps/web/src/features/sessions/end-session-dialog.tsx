import { Anchor, Stack, Text } from "@mantine/core";
import type { CountingSession, CountSheet } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { progressQuery } from "../../http/shared-queries.ts";
import { sheetsOut, sheetsPath, sheetsQuery, sheetsUnstored } from "../../http/sheets.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, dateTimeText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useNow } from "../../ui/timers.ts";
import type { SessionProgress, useEndSession } from "./api.ts";
import { DifferencesSoFar } from "./differences-so-far.tsx";
import { messages } from "./messages.ts";
import { areaName, silentDevices, summarizeProgress } from "./progress-summary.ts";
import classes from "./sessions.module.css";

const shownAtMost = 8;
const silenceEveryMs = 15_000;

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

function SilentDevice({ device }: { device: SessionProgress["devices"][number] }) {
  return (
    <li>
      {device.username}: {messages.endDialog.lastSeen(dateTimeText(device.lastSeenAt))}
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

interface RemainingSheetsProps {
  readonly session: CountingSession;
  readonly title: string;
  /** What is to be done about them. */
  readonly label: string;
}

function RemainingSheets({ session, title, label }: RemainingSheetsProps) {
  return (
    <Remaining title={title}>
      <li>
        <Anchor component={Link} to={sheetsPath(session._id)}>
          {label}
        </Anchor>
      </li>
    </Remaining>
  );
}

interface RemainingWorkProps {
  readonly session: CountingSession;
  readonly progress: SessionProgress;
  /** The session's count sheets. */
  readonly sheets: readonly CountSheet[];
}

/** What is unfinished; shown before anything is asked. */
function RemainingWork({ session, progress, sheets }: RemainingWorkProps) {
  const now = useNow(silenceEveryMs);
  const { open, unsent, exceptions } = summarizeProgress(progress);
  const silent = silentDevices(progress, now);
  const [out, unstored] = [sheetsOut(sheets), sheetsUnstored(sheets)];
  const { endDialog } = messages;
  const hasAreas = progress.areas.length > 0;
  const left = [open, unsent, silent, out, unstored].flat().length + exceptions;
  if (hasAreas && left === 0) {
    return <Notice kind="success">{endDialog.ready}</Notice>;
  }
  return (
    <Stack gap="xs">
      {hasAreas ? null : <Remaining title={endDialog.noAreas} />}
      {open.length === 0 ? null : (
        <Remaining title={endDialog.openAreas(open.length)}>
          {open.slice(0, shownAtMost).map((area) => (
            <OpenArea key={area._id} area={area} />
          ))}
          <More count={open.length - shownAtMost} />
        </Remaining>
      )}
      {unsent.length === 0 ? null : (
        <Remaining title={endDialog.unsent(unsent.length)}>
          {unsent.slice(0, shownAtMost).map((device) => (
            <Device key={device.deviceId} device={device} />
          ))}
          <More count={unsent.length - shownAtMost} />
        </Remaining>
      )}
      {silent.length === 0 ? null : (
        <Remaining title={endDialog.silent(silent.length)}>
          {silent.slice(0, shownAtMost).map((device) => (
            <SilentDevice key={device.deviceId} device={device} />
          ))}
          <More count={silent.length - shownAtMost} />
        </Remaining>
      )}
      {out.length === 0 ? null : (
        <RemainingSheets {...{ session }} title={endDialog.sheets(out)} label={endDialog.keySheets} />
      )}
      {unstored.length === 0 ? null : (
        <RemainingSheets
          {...{ session }}
          title={endDialog.unstored(unstored)}
          label={endDialog.storeSheets}
        />
      )}
      {exceptions === 0 ? null : (
        <Remaining title={endDialog.exceptions(exceptions)}>
          <li>
            <Anchor component={Link} to={`/admin/sessions/${encodeURIComponent(session._id)}/exceptions`}>
              {endDialog.decide}
            </Anchor>
          </li>
        </Remaining>
      )}
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
  const sheets = useQuery({ ...sheetsQuery(session._id), staleTime: 0 });
  const { endDialog } = messages;
  return (
    <ConfirmDialog
      title={endDialog.title}
      message={
        <Stack gap="sm">
          {isPending || sheets.isPending ? <LoadingState /> : null}
          <ErrorBox error={error} fallback={endDialog.progressFailed} onRetry={refetch} />
          <ErrorBox error={sheets.error} fallback={endDialog.sheetsFailed} onRetry={sheets.refetch} />
          {data === undefined || sheets.data === undefined ? null : (
            <RemainingWork session={session} progress={data} sheets={sheets.data} />
          )}
          <DifferencesSoFar session={session} isEnding={ending.isPending} />
          <Text>{endDialog.question(session.storeId.name)}</Text>
        </Stack>
      }
      consequences={endDialog.consequences}
      confirmLabel={messages.end}
      busyLabel={messages.ending}
      change={ending}
      disabled={isPending || sheets.isPending}
      errorFallback={messages.endFailed}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}

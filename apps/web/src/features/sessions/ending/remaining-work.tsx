import { Anchor, Stack, Text } from "@mantine/core";
import type { CountingSession, CountSheet, OpenCoverage } from "@stocktake/contract";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { secondCountsPath } from "../../../http/second-counts.ts";
import { sheetsOut, sheetsPath, sheetsUnstored } from "../../../http/sheets.ts";
import { countText, dateTimeText, quantityText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { useNow } from "../../../ui/timers.ts";
import type { SessionProgress } from "../api.ts";
import { messages } from "../messages.ts";
import {
  areaName,
  clockOf,
  type DeviceProgress,
  recountText,
  type SilentDevice,
  silentDevices,
  summarizeProgress,
} from "../progress-summary.ts";
import classes from "../sessions.module.css";
import { notCountedOnPurpose } from "./messages.ts";

const shownAtMost = 8;
const silenceEveryMs = 15_000;
const { endDialog } = messages;

type Area = SessionProgress["areas"][number];

interface RemainingProps {
  readonly session: CountingSession;
  readonly progress: SessionProgress;
  /** When it was read, by the browser's clock. */
  readonly readAt: number;
  /** The session's count sheets. */
  readonly sheets: readonly CountSheet[];
  /** What the server has found to be open besides. */
  readonly coverage: readonly OpenCoverage[];
  /** The ids of the areas that are not counted on purpose. */
  readonly uncounted: ReadonlySet<string>;
}

/** What is unfinished, in a sentence, and where it is dealt with, if on another page. */
interface Warning {
  readonly text: string;
  readonly way?: { readonly to: string; readonly label: string };
}

function useRemaining({ progress, readAt, sheets, coverage, uncounted }: Omit<RemainingProps, "session">) {
  const now = useNow(silenceEveryMs);
  const { open, recounts, unsent, exceptions } = summarizeProgress(progress);
  return {
    ...{ recounts, unsent, exceptions },
    open: open.filter(({ _id }) => !uncounted.has(_id)),
    onPurpose: open.filter(({ _id }) => uncounted.has(_id)),
    silent: silentDevices(progress, clockOf(progress, readAt, now)),
    out: sheetsOut(sheets),
    unstored: sheetsUnstored(sheets),
    secondCounts: coverage.find(({ kind }) => kind === "second_counts"),
  };
}

type Remaining = ReturnType<typeof useRemaining>;

function warningsOf({ session, progress }: RemainingProps, left: Remaining): Warning[] {
  const { open, recounts, secondCounts, unsent, silent, exceptions, out, unstored } = left;
  const exceptionsPath = `/admin/sessions/${encodeURIComponent(session._id)}/exceptions`;
  const all: readonly (Warning | false)[] = [
    progress.areas.length === 0 && { text: endDialog.noAreas },
    open.length > 0 && { text: endDialog.openAreas(open.length) },
    recounts > 0 && { text: endDialog.recounts(recounts) },
    secondCounts !== undefined && {
      text: endDialog.secondCounts(secondCounts.count, secondCounts.names),
      way: { to: secondCountsPath(session._id), label: endDialog.toSecondCounts },
    },
    unsent.length > 0 && { text: endDialog.unsent(unsent.length) },
    silent.inOpenAreas.length > 0 && { text: endDialog.silent(silent.inOpenAreas.length) },
    out.length > 0 && {
      text: endDialog.sheets(out),
      way: { to: sheetsPath(session._id), label: endDialog.keySheets },
    },
    unstored.length > 0 && {
      text: endDialog.unstored(unstored),
      way: { to: sheetsPath(session._id), label: endDialog.storeSheets },
    },
    exceptions > 0 && {
      text: endDialog.exceptions(exceptions),
      way: { to: exceptionsPath, label: endDialog.decide },
    },
  ];
  return all.filter((warning) => warning !== false);
}

function areaLine(area: Area): string {
  const recount = recountText(area);
  const counted =
    area.scans === 0 ? "" : ` · ${countText(area.scans, "scan", "scans")} by ${area.usernames.join(", ")}`;
  return `${areaName(area)} (${messages.areaStatus[area.status]}${recount === null ? "" : `, ${recount}`})${counted}`;
}

function unsentLine({ username, pending, lastSeenAt }: DeviceProgress): string {
  return `${username}: ${messages.live.notSent(pending ?? 0)}, last seen ${dateTimeText(lastSeenAt)}`;
}

function silentLine({ username, since, hasSent }: SilentDevice): string {
  const time = dateTimeText(since);
  return `${username}: ${hasSent ? endDialog.lastSeen(time) : endDialog.onlyOpened(time)}`;
}

interface ListedProps<Row> {
  readonly title: string;
  /** What is true of them all. */
  readonly note?: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly lineOf: (row: Row) => string;
}

/** Which they are, as far as they can be read at a glance. */
function Listed<Row>({ title, note, rows, keyOf, lineOf }: ListedProps<Row>): ReactNode {
  if (rows.length === 0) return null;
  const further = rows.length - shownAtMost;
  return (
    <section aria-label={title}>
      <Text fw={560} fz="sm">
        {title}
      </Text>
      {note === undefined ? null : (
        <Text fz="sm" c="dimmed">
          {note}
        </Text>
      )}
      <ul className={classes.left}>
        {rows.slice(0, shownAtMost).map((row) => (
          <li key={keyOf(row)}>{lineOf(row)}</li>
        ))}
        {further > 0 ? <li>and {quantityText(further)} more</li> : null}
      </ul>
    </section>
  );
}

/** All that is unfinished, short enough to be seen whole: `children` comes between it and the lists of what it is. */
export function RemainingWork({ children, ...given }: RemainingProps & { readonly children: ReactNode }) {
  const left = useRemaining(given);
  const warnings = warningsOf(given, left);
  const { open, onPurpose, unsent, silent } = left;
  return (
    <Stack gap="sm">
      {warnings.length === 0 ? (
        <Notice kind="success">{endDialog.ready}</Notice>
      ) : (
        <Notice kind="warning" title={endDialog.unfinished}>
          <ul className={classes.left}>
            {warnings.map(({ text, way }) => (
              <li key={text}>
                <span>{text}</span>
                {way === undefined ? null : (
                  <>
                    {" "}
                    <Anchor component={Link} to={way.to} fz="inherit" underline="always">
                      {way.label}
                    </Anchor>
                  </>
                )}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {children}
      <Listed title={endDialog.areasLeft} rows={open} keyOf={({ _id }) => _id} lineOf={areaLine} />
      <Listed
        title={notCountedOnPurpose(onPurpose.length)}
        rows={onPurpose}
        keyOf={({ _id }) => _id}
        lineOf={areaName}
      />
      <Listed
        title={endDialog.unsentLeft}
        rows={unsent}
        keyOf={({ deviceId }) => deviceId}
        lineOf={unsentLine}
      />
      <Listed
        title={endDialog.silentLeft}
        note={endDialog.silentNote}
        rows={silent.inOpenAreas}
        keyOf={({ deviceId }) => deviceId}
        lineOf={silentLine}
      />
      <Listed
        title={endDialog.putAway}
        note={endDialog.putAwayNote}
        rows={silent.others}
        keyOf={({ deviceId }) => deviceId}
        lineOf={silentLine}
      />
    </Stack>
  );
}

import { Button, Group, Progress, Text } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ErrorBox } from "../../ui/error-box.tsx";
import { agoText, countText, dateTimeText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { useNow } from "../../ui/timers.ts";
import { progressQuery, type SessionProgress } from "./api.ts";
import { LiveDetailsDialog } from "./live-details-dialog.tsx";
import { messages } from "./messages.ts";
import {
  areasCountedBy,
  type CountingPerson,
  countingPeople,
  type ProgressSummary,
  summarizeProgress,
} from "./progress-summary.ts";
import classes from "./sessions.module.css";

const peopleShown = 4;
const agoEveryMs = 15_000;
/** Events tell what is counted; that Shopify can't be read makes none. */
const againEveryMs = 60_000;
const { live, areaStatus } = messages;

const states = [
  { key: "closed", label: areaStatus.closed, colour: "var(--stocktake-positive)" },
  { key: "inProgress", label: areaStatus.in_progress, colour: "var(--stocktake-info)" },
  { key: "notStarted", label: areaStatus.not_started, colour: "var(--stocktake-line)" },
] as const;

function AreaBar({ summary }: { summary: ProgressSummary }) {
  return (
    <div>
      <Progress.Root size="lg" aria-hidden="true">
        {states.map(({ key, colour }) => (
          <Progress.Section key={key} value={(100 * summary[key]) / summary.areas} color={colour} />
        ))}
      </Progress.Root>
      <ul className={classes.legend} aria-label={live.areas}>
        {states.map(({ key, label, colour }) => (
          <li key={key}>
            <span className={classes.dot} style={{ background: colour }} />
            {label} <strong className="tabular">{quantityText(summary[key])}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Totals({ summary }: { summary: ProgressSummary }) {
  return (
    <Group justify="space-between" gap="xs">
      <Text>
        <strong className={classes.figure}>{quantityText(summary.scans)}</strong> {live.scans(summary.scans)}
      </Text>
      {summary.exceptions === 0 ? null : (
        <StatusBadge tone="warning">{live.exceptions(summary.exceptions)}</StatusBadge>
      )}
    </Group>
  );
}

function whereText({ username, devices }: CountingPerson, areas: SessionProgress["areas"]): string {
  const counted = areasCountedBy(username, areas).map((area) => `${area.code} – ${area.name}`);
  const where = counted.length === 0 ? live.betweenAreas : counted.join(", ");
  return devices === 1 ? where : `${where} · ${live.onDevices(devices)}`;
}

function PersonLine({ person, areas }: { person: CountingPerson; areas: SessionProgress["areas"] }) {
  const now = useNow(agoEveryMs);
  return (
    <li className={classes.device}>
      <div className={classes.who}>
        <span className={classes.person}>{person.username}</span>
        <span className={classes.where}>{whereText(person, areas)}</span>
      </div>
      <div className={classes.seen}>
        {live.seen(agoText(person.lastSeenAt, now))}
        {person.pending === 0 ? null : (
          <StatusBadge tone="warning">{live.notSent(person.pending)}</StatusBadge>
        )}
      </div>
    </li>
  );
}

function People({ devices, areas }: SessionProgress) {
  if (devices.length === 0) return <Text c="dimmed">{live.nobody}</Text>;
  const people = countingPeople(devices);
  return (
    <ul className={classes.devices} aria-label={live.counters}>
      {people.slice(0, peopleShown).map((person) => (
        <PersonLine key={person.username} person={person} areas={areas} />
      ))}
      {people.length > peopleShown ? <li>{live.more(people.length - peopleShown)}</li> : null}
    </ul>
  );
}

/** Readings of Shopify's levels fail: nobody has to stop, but the report will have uncertain rows. */
function Unread({ since }: { since: SessionProgress["stockUnreadSince"] }) {
  if (since === undefined || since === null) return null;
  return (
    <Notice kind="warning" title={live.unreadTitle(dateTimeText(since))}>
      {live.unread}
    </Notice>
  );
}

interface LiveProgressProps {
  readonly session: CountingSession;
  /** Further things to open, beside the areas and devices. */
  readonly children: ReactNode;
}

/** How far a running count has come; the events keep it true without a reload. */
export function LiveProgress({ session, children }: LiveProgressProps) {
  const { data, error, refetch } = useQuery({ ...progressQuery(session._id), refetchInterval: againEveryMs });
  const [open, setOpen] = useState(false);
  if (data === undefined) {
    return error === null ? (
      <LoadingState />
    ) : (
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
    );
  }
  const summary = summarizeProgress(data);
  return (
    <>
      <Totals summary={summary} />
      <Unread since={data.stockUnreadSince} />
      {summary.areas === 0 ? <Text c="dimmed">{live.noAreas}</Text> : <AreaBar summary={summary} />}
      <People {...data} />
      <div className={classes.more}>
        <Button variant="subtle" size="sm" className={classes.quiet ?? ""} onClick={() => setOpen(true)}>
          {live.open(countText(summary.areas, "Area", "Areas"))}
        </Button>
        {children}
      </div>
      {open ? <LiveDetailsDialog session={session} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

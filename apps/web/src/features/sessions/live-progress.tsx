import { Anchor, Button, Group, Progress, Text } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { countAgainPath } from "../../http/count-again.ts";
import { coveragePath, coverageQuery } from "../../http/coverage.ts";
import { searchesPath } from "../../http/searches.ts";
import { differencesQuery, secondCountsPath } from "../../http/second-counts.ts";
import { invitationsQuery, progressQuery } from "../../http/shared-queries.ts";
import { coverageTexts } from "../../ui/certificates/coverage-messages.ts";
import { openThings } from "../../ui/certificates/coverage-text.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { ScansCaption } from "../../ui/figures/scans-caption.tsx";
import { agoText, areaText, countText, dateTimeText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { useNow } from "../../ui/timers.ts";
import type { SessionProgress } from "./api.ts";
import { AssignDialog } from "./assigning/assign-dialog.tsx";
import { AreaList } from "./live/area-list.tsx";
import { LiveDetailsDialog } from "./live-details-dialog.tsx";
import { messages } from "./messages.ts";
import {
  type CountingPerson,
  countingPeople,
  type ProgressSummary,
  summarizeProgress,
  whereText,
} from "./progress-summary.ts";
import classes from "./sessions.module.css";

const peopleAtFirst = 4;
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

function Totals({ summary, sessionId }: { summary: ProgressSummary; sessionId: string }) {
  return (
    <Group justify="space-between" gap="xs">
      <Text>
        <strong className={classes.figure}>{quantityText(summary.scans)}</strong> {live.scans(summary.scans)}
      </Text>
      {summary.recounts === 0 ? null : (
        <StatusBadge tone="warning">{live.recounts(summary.recounts)}</StatusBadge>
      )}
      {summary.exceptions === 0 ? null : (
        <Anchor component={Link} to={`/admin/sessions/${sessionId}/exceptions`}>
          <StatusBadge tone="warning">{live.exceptions(summary.exceptions)}</StatusBadge>
        </Anchor>
      )}
    </Group>
  );
}

const namedArea = ({ code, name }: SessionProgress["areas"][number]) => areaText(code, name);

/** Where somebody counts, and where that are several, on how many devices. */
function placeText(person: CountingPerson, areas: SessionProgress["areas"]): string {
  const where = whereText(person, areas, namedArea);
  return person.devices < 2 ? where : `${where} · ${live.onDevices(person.devices)}`;
}

function PersonLine({ person, areas }: { person: CountingPerson; areas: SessionProgress["areas"] }) {
  const now = useNow(agoEveryMs);
  return (
    <li className={classes.device}>
      <div className={classes.who}>
        <span className={classes.person}>{person.username}</span>
        <span className={classes.where}>{placeText(person, areas)}</span>
      </div>
      <div className={classes.seen}>
        {person.lastSeenAt === null ? null : live.seen(agoText(person.lastSeenAt, now))}
        {person.pending === 0 ? null : (
          <StatusBadge tone="warning">{live.notSent(person.pending)}</StatusBadge>
        )}
      </div>
    </li>
  );
}

function People({ sessionId, devices, areas }: SessionProgress & { readonly sessionId: string }) {
  const [everyone, setEveryone] = useState(false);
  const { data: invited = [] } = useQuery(invitationsQuery(sessionId));
  const people = countingPeople(devices, invited);
  if (people.length === 0) return <Text c="dimmed">{live.nobody}</Text>;
  const shown = everyone ? people : people.slice(0, peopleAtFirst);
  return (
    <>
      <ul className={classes.devices} aria-label={live.counters}>
        {shown.map((person) => (
          <PersonLine key={person.username} person={person} areas={areas} />
        ))}
      </ul>
      {shown.length === people.length ? null : (
        <Button variant="subtle" size="sm" className={classes.quiet ?? ""} onClick={() => setEveryone(true)}>
          {live.everyone(people.length)}
        </Button>
      )}
    </>
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

/** Leads to the areas that are counted once more, and says how many figures wait for a choice there. */
function SecondCountsLink({ sessionId }: { sessionId: string }) {
  const { data = [] } = useQuery(differencesQuery(sessionId));
  const open = data.filter(({ settledAs, thirdCountOpen }) => settledAs === null && !thirdCountOpen).length;
  return (
    <Button
      component={Link}
      to={secondCountsPath(sessionId)}
      variant={open > 0 ? "light" : "subtle"}
      size="sm"
      className={open > 0 ? "" : (classes.quiet ?? "")}
    >
      {live.secondCounts(open)}
    </Button>
  );
}

/** Leads to what the session still leaves open, and says how much that is. */
function CoverageLink({ sessionId }: { sessionId: string }) {
  const { data } = useQuery({ ...coverageQuery(sessionId), refetchInterval: againEveryMs });
  const open = data === undefined ? null : openThings(data);
  const text = open === 0 ? coverageTexts.nothingOpen : coverageTexts.things(open ?? 0);
  return (
    <QuietLink to={coveragePath(sessionId)}>
      {open === null ? coverageTexts.label : coverageTexts.card(text)}
    </QuietLink>
  );
}

function QuietLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <Button component={Link} to={to} variant="subtle" size="sm" className={classes.quiet ?? ""}>
      {children}
    </Button>
  );
}

interface LiveProgressProps {
  readonly session: CountingSession;
  readonly onDone: (message: string) => void;
  /** Further things to open, beside the areas and devices. */
  readonly children: ReactNode;
}

/** How far a running count has come; the events keep it true without a reload. */
export function LiveProgress({ session, onDone, children }: LiveProgressProps) {
  const { data, error, refetch } = useQuery({ ...progressQuery(session._id), refetchInterval: againEveryMs });
  const [open, setOpen] = useState(false);
  const [isAssigning, setAssigning] = useState(false);
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
      <Totals summary={summary} sessionId={session._id} />
      <ScansCaption />
      <Unread since={data.stockUnreadSince} />
      {summary.areas === 0 ? <Text c="dimmed">{live.noAreas}</Text> : <AreaBar summary={summary} />}
      <AreaList areas={data.areas} onDone={onDone} />
      <People sessionId={session._id} {...data} />
      <div className={classes.more}>
        <Button variant="subtle" size="sm" className={classes.quiet ?? ""} onClick={() => setOpen(true)}>
          {live.open(countText(summary.areas, "Area", "Areas"))}
        </Button>
        <Button variant="subtle" size="sm" className={classes.quiet ?? ""} onClick={() => setAssigning(true)}>
          {messages.assigning.open}
        </Button>
        <SecondCountsLink sessionId={session._id} />
        <QuietLink to={countAgainPath(session._id)}>{live.countAgain}</QuietLink>
        {session.scope === "partial" ? null : (
          <QuietLink to={searchesPath(session._id)}>{live.neverCounted}</QuietLink>
        )}
        <CoverageLink sessionId={session._id} />
        {children}
        <QuietLink to={`/admin/wall?session=${encodeURIComponent(session._id)}`}>
          {messages.wall.open}
        </QuietLink>
      </div>
      {isAssigning ? (
        <AssignDialog session={session} areas={data.areas} onClose={() => setAssigning(false)} />
      ) : null}
      {open ? <LiveDetailsDialog session={session} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

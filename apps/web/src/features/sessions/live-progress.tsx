import { Anchor, Button, Group, Progress, Text } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { countAgainPath } from "../../http/count-again.ts";
import { coveragePath, coverageQuery } from "../../http/coverage.ts";
import { searchesPath } from "../../http/searches.ts";
import { differencesQuery, secondCountsPath } from "../../http/second-counts.ts";
import { progressQuery } from "../../http/shared-queries.ts";
import { coverageTexts } from "../../ui/certificates/coverage-messages.ts";
import { openThings } from "../../ui/certificates/coverage-text.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { ScansCaption } from "../../ui/figures/scans-caption.tsx";
import { countText, dateTimeText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import type { SessionProgress } from "./api.ts";
import { AssignDialog } from "./assigning/assign-dialog.tsx";
import { AreaList } from "./live/area-list.tsx";
import { People } from "./live/people.tsx";
import { LiveDetailsDialog } from "./live-details-dialog.tsx";
import { messages } from "./messages.ts";
import { type ProgressSummary, summarizeProgress } from "./progress-summary.ts";
import classes from "./sessions.module.css";

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
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    ...progressQuery(session._id),
    refetchInterval: againEveryMs,
  });
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
      <AreaList sessionId={session._id} areas={data.areas} onDone={onDone} />
      <People sessionId={session._id} progress={data} readAt={dataUpdatedAt} />
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

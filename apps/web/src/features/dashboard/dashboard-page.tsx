import { SimpleGrid, Stack, VisuallyHidden } from "@mantine/core";
import { type CountingSession, countingConstants, type Health } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { healthQuery } from "../../http/health.ts";
import { reportPath } from "../../http/report-path.ts";
import { areasQuery, sessionsQuery, storesQuery } from "../../http/shared-queries.ts";
import { useSignedIn } from "../../identity/identity.ts";
import { UpdateNotice } from "../../service-worker/update-notice.tsx";
import { Later } from "../../ui/drawing/later.tsx";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { StatCard } from "../../ui/figures/stat-card.tsx";
import { StatusRow } from "../../ui/figures/status-row.tsx";
import { dateTimeText, longDateText } from "../../ui/formats.ts";
import { ForwardIcon } from "../../ui/icons.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { countName } from "../../ui/search/session-text.ts";
import { Section } from "../../ui/section.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { ActivityChart } from "./activity-chart.tsx";
import { FirstSteps, type FirstStepsTaken, useFirstSteps } from "./first-steps.tsx";
import { help } from "./help.ts";
import { messages, quickActions, trends } from "./messages.ts";
import classes from "./quick-actions.module.css";

/** A running session leads to where it is run, an ended one to its report. */
function SessionRow({ session }: { session: CountingSession }) {
  const active = session.status === "active";
  const name = countName(session.storeId.name, session.name);
  const started = dateTimeText(session.startedAt);
  const link = active
    ? { to: "/admin/sessions", label: messages.toSession(name, started) }
    : {
        to: reportPath(session._id),
        label: messages.toReport(name, started),
      };
  return (
    <StatusRow name={name} note={started} link={link}>
      <StatusBadge tone={active ? "positive" : "neutral"}>{active ? "Active" : "Closed"}</StatusBadge>
    </StatusRow>
  );
}

/** The newest sessions, as many as the specification shows. */
function RecentSessions() {
  return (
    <Loaded query={useQuery(sessionsQuery)} fallback={messages.failed}>
      {(sessions) =>
        sessions.length === 0 ? (
          <EmptyState title={messages.noSessions}>{messages.noSessionsText}</EmptyState>
        ) : (
          <div>
            {sessions.slice(0, countingConstants.recentSessions).map((session) => (
              <SessionRow key={session._id} session={session} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

const parts = [
  { name: "Database", key: "database", working: "Connected" },
  { name: "Shopify API", key: "shopify", working: "Connected" },
  { name: "Sync Status", key: "sync", working: "Up to date" },
] as const;

function PartBadge({ part, working }: { part: Health["database"] | undefined; working: string }) {
  // The specification's text is shown unless the server reports otherwise.
  if (part === undefined || part.status === "ok") return <StatusBadge tone="positive">{working}</StatusBadge>;
  if (part.status === "unavailable") return <StatusBadge tone="negative">Unavailable</StatusBadge>;
  return <StatusBadge tone="warning">Not configured</StatusBadge>;
}

function SystemStatus() {
  const { data, isError } = useQuery(healthQuery);
  return (
    <div>
      {parts.map(({ name, key, working }) => (
        <StatusRow key={key} name={name}>
          {isError ? (
            <StatusBadge tone="neutral">Unknown</StatusBadge>
          ) : (
            <PartBadge part={data?.[key]} working={working} />
          )}
        </StatusRow>
      ))}
    </div>
  );
}

function QuickActions() {
  return (
    <section>
      <VisuallyHidden component="h2">{messages.quickActions}</VisuallyHidden>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={{ base: "xs", sm: "sm" }}>
        {quickActions.map((action) => (
          <Link key={action.to} to={action.to} className={classes.action}>
            <span>
              <span className={classes.label}>{action.label}</span>
              <br />
              <span className={classes.note}>{action.note}</span>
            </span>
            <span className={classes.arrow}>
              <ForwardIcon />
            </span>
          </Link>
        ))}
      </SimpleGrid>
    </section>
  );
}

/** The dashboard's figures; null while a list has not arrived. */
function useFigures() {
  const stores = useQuery(storesQuery);
  const sessions = useQuery(sessionsQuery);
  const areas = useQuery(areasQuery);
  const areasIn = (status: string) => areas.data?.filter((area) => area.status === status).length ?? null;
  return {
    error: stores.error ?? sessions.error ?? areas.error,
    retry: () => Promise.all([stores.refetch(), sessions.refetch(), areas.refetch()]),
    activeSessions: sessions.data?.filter((session) => session.status === "active").length ?? null,
    totalStores: stores.data?.length ?? null,
    pendingAreas: areasIn("in_progress"),
    completedAreas: areasIn("closed"),
  };
}

function Figures() {
  const figures = useFigures();
  return (
    <>
      <ErrorBox error={figures.error} fallback={messages.failed} onRetry={figures.retry} />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: "xs", sm: "sm" }}>
        <StatCard
          label={messages.activeSessions}
          value={figures.activeSessions}
          trend={trends.activeSessions}
        />
        <StatCard label={messages.totalStores} value={figures.totalStores} />
        <StatCard
          label={messages.pendingAreas}
          value={figures.pendingAreas}
          trend={trends.pendingAreas}
          caption={
            figures.activeSessions === 0
              ? messages.pendingAreasIdle(figures.pendingAreas ?? 0)
              : messages.pendingAreasLeaveOut
          }
        />
        <StatCard
          label={messages.completedAreas}
          value={figures.completedAreas}
          trend={trends.completedAreas}
          caption={messages.completedAreasOf}
        />
      </SimpleGrid>
    </>
  );
}

function Content({ done }: { readonly done: FirstStepsTaken }) {
  return (
    <>
      {done === null ? null : <FirstSteps done={done} />}
      <Figures />
      <QuickActions />
      <Later>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <Section title={messages.recentSessions}>
            <RecentSessions />
          </Section>
          <Section title={messages.systemStatus}>
            <SystemStatus />
          </Section>
        </SimpleGrid>
        <Section title={messages.activityChart}>
          <ActivityChart />
        </Section>
      </Later>
    </>
  );
}

interface DashboardPageProps {
  /** What has to be said before the figures. */
  readonly notices?: ReactNode;
}

export function DashboardPage({ notices }: DashboardPageProps) {
  const { user } = useSignedIn();
  const { isReady, done } = useFirstSteps();
  return (
    <Stack gap="md">
      <PageHeader
        title={`Welcome, ${user.username}!`}
        subtitle={longDateText(new Date())}
        help={{ ...help, name: messages.title }}
      />
      <UpdateNotice />
      {notices}
      {isReady ? <Content done={done} /> : <LoadingState />}
    </Stack>
  );
}

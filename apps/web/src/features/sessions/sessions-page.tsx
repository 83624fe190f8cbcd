import { Anchor, SimpleGrid, Stack } from "@mantine/core";
import type { CountingSession, Store } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { sessionsQuery, storesQuery } from "../../http/shared-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { NoStores } from "../../ui/no-stores.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { type QuietColumn, QuietTable } from "../../ui/tables/quiet-table.tsx";
import { ActiveSessionCard } from "./active-session-card.tsx";
import { help } from "./help.ts";
import { LoadDeviceFile } from "./load-device-file.tsx";
import { messages } from "./messages.ts";
import classes from "./sessions.module.css";
import { StartSessionCard } from "./start-session-card.tsx";

function ReportLink({ session }: { session: CountingSession }) {
  if (session.status !== "closed") return null;
  return (
    <Anchor
      component={Link}
      to={`/admin/reports?session=${encodeURIComponent(session._id)}`}
      aria-label={`${messages.viewReport} of ${session.storeId.name}, ${dateTimeText(session.startedAt)}`}
    >
      {messages.viewReport}
    </Anchor>
  );
}

const columns: readonly QuietColumn<CountingSession>[] = [
  { header: "Store", cell: (session) => session.storeId.name },
  {
    header: "Status",
    cell: ({ status }) => (
      <StatusBadge tone={status === "active" ? "positive" : "neutral"}>
        {status === "active" ? "Active" : "Closed"}
      </StatusBadge>
    ),
  },
  { header: "Started", cell: (session) => dateTimeText(session.startedAt) },
  { header: "Ended", cell: (session) => dateTimeText(session.endedAt) },
  { header: "Report", hiddenHeader: true, cell: (session) => <ReportLink session={session} /> },
];

function RecentSessions({ sessions }: { sessions: readonly CountingSession[] }) {
  if (sessions.length === 0)
    return <EmptyState title={messages.noRecent}>{messages.noRecentText}</EmptyState>;
  return (
    <QuietTable
      label={messages.recentHeading}
      columns={columns}
      rows={sessions}
      keyOf={(session) => session._id}
    />
  );
}

/** Draws the invitations of a session; given by the application, because features don't import each other. */
export type RenderInvitations = (session: CountingSession, onClose: () => void) => ReactNode;

interface SessionsPageProps {
  readonly renderInvitations: RenderInvitations;
}

/** Specification, section 2: only one active session a store is offered. */
export function storesToStart(stores: readonly Store[], sessions: readonly CountingSession[]): Store[] {
  const counting = new Set(
    sessions.filter((session) => session.status === "active").map((session) => session.storeId._id),
  );
  return stores.filter((store) => store.isActive && !counting.has(store._id));
}

interface ActiveSessionsProps extends SessionsPageProps {
  readonly sessions: readonly CountingSession[];
  readonly onDone: (message: string) => void;
}

function ActiveSessions({ sessions, onDone, renderInvitations }: ActiveSessionsProps) {
  const [invited, setInvited] = useState<CountingSession | null>(null);
  const active = sessions.filter((session) => session.status === "active");
  if (active.length === 0) return <EmptyState title={messages.noActive}>{messages.noActiveText}</EmptyState>;
  return (
    <>
      <div className={classes.active}>
        {active.map((session) => (
          <ActiveSessionCard
            key={session._id}
            session={session}
            onInvite={() => setInvited(session)}
            onDone={onDone}
          />
        ))}
      </div>
      {invited === null ? null : renderInvitations(invited, () => setInvited(null))}
    </>
  );
}

interface StartSessionsProps {
  readonly stores: readonly Store[];
  readonly sessions: readonly CountingSession[];
  readonly onDone: (message: string) => void;
}

function StartSessions({ stores, sessions, onDone }: StartSessionsProps) {
  const offered = storesToStart(stores, sessions);
  if (stores.length === 0) return <NoStores>{messages.noStoresText}</NoStores>;
  if (offered.length === 0) {
    return <EmptyState title={messages.nothingToStart}>{messages.nothingToStartText}</EmptyState>;
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
      {offered.map((store) => (
        <StartSessionCard key={store._id} store={store} onDone={onDone} />
      ))}
    </SimpleGrid>
  );
}

function SessionLists({
  renderInvitations,
  onDone,
}: SessionsPageProps & Pick<ActiveSessionsProps, "onDone">) {
  const { data: stores } = useQuery(storesQuery);
  const { data: sessions } = useQuery(sessionsQuery);
  if (stores === undefined || sessions === undefined) return <LoadingState />;
  return (
    <>
      <Section title={messages.activeHeading}>
        <ActiveSessions sessions={sessions} onDone={onDone} renderInvitations={renderInvitations} />
      </Section>
      <Section title={messages.startHeading}>
        <StartSessions stores={stores} sessions={sessions} onDone={onDone} />
      </Section>
      <Section title={messages.recentHeading}>
        <RecentSessions sessions={sessions} />
      </Section>
      <LoadDeviceFile />
    </>
  );
}

export function SessionsPage({ renderInvitations }: SessionsPageProps) {
  const stores = useQuery(storesQuery);
  const sessions = useQuery(sessionsQuery);
  const [message, setMessage] = useState<string | null>(null);
  const error = stores.error ?? sessions.error;
  const retry = () => Promise.all([stores.refetch(), sessions.refetch()]);
  return (
    <Stack gap="md">
      <PageHeader title={messages.title} subtitle={messages.subtitle} help={help} />
      <SuccessMessage message={message} onClose={() => setMessage(null)} />
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={retry} />
      {error === null ? <SessionLists renderInvitations={renderInvitations} onDone={setMessage} /> : null}
    </Stack>
  );
}

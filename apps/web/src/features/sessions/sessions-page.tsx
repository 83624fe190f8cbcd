import { Anchor, SimpleGrid, Stack, Text } from "@mantine/core";
import type { CountingSession, Store } from "@stocktake/contract";
import { useQueries, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { reportPath } from "../../http/report-path.ts";
import { plansQuery, sessionsQuery, storesQuery } from "../../http/shared-queries.ts";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { isSettled, useReady } from "../../ui/drawing/use-ready.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { NoStores } from "../../ui/no-stores.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchableList } from "../../ui/search/searchable-list.tsx";
import { countName, sessionText } from "../../ui/search/session-text.ts";
import { Section } from "../../ui/section.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { type QuietColumn, QuietTable } from "../../ui/tables/quiet-table.tsx";
import { ActiveSessionCard, queriesOfCard } from "./active-session-card.tsx";
import { help } from "./help.ts";
import { LoadDeviceFile } from "./load-device-file.tsx";
import { messages } from "./messages.ts";
import { PlannedSessions } from "./planned/planned-sessions.tsx";
import { EditDescriptionButton, Note } from "./session-description.tsx";
import classes from "./sessions.module.css";
import { StartSessionCard } from "./start-session-card.tsx";

function ReportLink({ session }: { session: CountingSession }) {
  if (session.status !== "closed") return null;
  return (
    <Anchor
      component={Link}
      to={reportPath(session._id)}
      aria-label={`${messages.viewReport} of ${session.storeId.name}, ${dateTimeText(session.startedAt)}`}
    >
      {messages.viewReport}
    </Anchor>
  );
}

function SessionCell({ session }: { session: CountingSession }) {
  return (
    <div>
      {countName(session.storeId.name, session.name)}
      <Note session={session} />
      {session.archived === undefined ? null : (
        <Text size="sm" c="dimmed">
          {messages.archivedIn(session.archived)}
        </Text>
      )}
    </div>
  );
}

const columnsWith = (onDone: (message: string) => void): readonly QuietColumn<CountingSession>[] => [
  { header: "Store", cell: (session) => <SessionCell session={session} /> },
  {
    header: "Status",
    cell: ({ status, archived }) => (
      <StatusBadge tone={status === "active" ? "positive" : "neutral"}>
        {status === "active" ? "Active" : archived === undefined ? "Closed" : messages.archived}
      </StatusBadge>
    ),
  },
  { header: "Started", cell: (session) => dateTimeText(session.startedAt) },
  { header: "Ended", cell: (session) => dateTimeText(session.endedAt) },
  { header: "Report", hiddenHeader: true, cell: (session) => <ReportLink session={session} /> },
  {
    header: messages.words.edit,
    hiddenHeader: true,
    cell: (session) =>
      session.archived === undefined ? <EditDescriptionButton session={session} onDone={onDone} /> : null,
  },
];

function RecentSessions({ sessions, onDone }: Pick<ActiveSessionsProps, "sessions" | "onDone">) {
  if (sessions.length === 0)
    return <EmptyState title={messages.noRecent}>{messages.noRecentText}</EmptyState>;
  return (
    <SearchableList label={messages.recentHeading} rows={sessions} textOf={sessionText}>
      {(found) => (
        <QuietTable
          label={messages.recentHeading}
          columns={columnsWith(onDone)}
          rows={found}
          keyOf={(session) => session._id}
        />
      )}
    </SearchableList>
  );
}

/** Draws the invitations of a session; given by the application, because features don't import each other. */
export type RenderInvitations = (session: CountingSession, onClose: () => void) => ReactNode;

interface SessionsPageProps {
  readonly renderInvitations: RenderInvitations;
}

/** The stores in which a session runs. */
function countingStores(sessions: readonly CountingSession[]): ReadonlySet<string> {
  return new Set(sessions.filter(({ status }) => status === "active").map(({ storeId }) => storeId._id));
}

/** Specification, section 2: only one active session a store is offered. */
export function storesToStart(stores: readonly Store[], sessions: readonly CountingSession[]): Store[] {
  const counting = countingStores(sessions);
  return stores.filter((store) => store.isActive && !counting.has(store._id));
}

/** Of which store a session was started, or which session was ended, where that is what was done. */
interface Done {
  readonly startedStoreId?: string | undefined;
  readonly endedId?: string | undefined;
}

type OnDone = (message: string, done?: Done) => void;

interface ActiveSessionsProps extends SessionsPageProps {
  readonly sessions: readonly CountingSession[];
  /** The store whose session was started here last. */
  readonly startedStoreId: string | null;
  readonly onDone: OnDone;
}

function ActiveSessions({ sessions, startedStoreId, onDone, renderInvitations }: ActiveSessionsProps) {
  const [invited, setInvited] = useState<CountingSession | null>(null);
  const active = sessions.filter((session) => session.status === "active");
  if (active.length === 0) return <EmptyState title={messages.noActive}>{messages.noActiveText}</EmptyState>;
  return (
    <>
      <SearchableList label={messages.activeHeading} rows={active} textOf={sessionText}>
        {(found) => (
          <div className={classes.active}>
            {found.map((session) => (
              <ActiveSessionCard
                key={session._id}
                session={session}
                isStartedHere={session.storeId._id === startedStoreId}
                onInvite={() => setInvited(session)}
                onDone={onDone}
              />
            ))}
          </div>
        )}
      </SearchableList>
      {invited === null ? null : renderInvitations(invited, () => setInvited(null))}
    </>
  );
}

interface StartSessionsProps {
  readonly stores: readonly Store[];
  readonly sessions: readonly CountingSession[];
  /** The store whose session somebody came here to start. */
  readonly storeToStart: string | null;
  readonly onDone: OnDone;
}

function StartSessions({ stores, sessions, storeToStart, onDone }: StartSessionsProps) {
  const offered = storesToStart(stores, sessions);
  if (stores.length === 0) return <NoStores>{messages.noStoresText}</NoStores>;
  if (offered.length === 0) {
    return <EmptyState title={messages.nothingToStart}>{messages.nothingToStartText}</EmptyState>;
  }
  return (
    <SearchableList label={messages.startHeading} rows={offered} textOf={({ name }) => name}>
      {(found) => (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
          {found.map((store) => (
            <StartSessionCard
              key={store._id}
              store={store}
              onDone={onDone}
              asksAtOnce={store._id === storeToStart}
            />
          ))}
        </SimpleGrid>
      )}
    </SearchableList>
  );
}

interface SessionListsProps extends ActiveSessionsProps {
  readonly stores: readonly Store[];
}

/** Whether it is known how tall the cards of active sessions and plans are: they come above most of what is pressed here. */
function useCardsReady(sessions: readonly CountingSession[]): boolean {
  const active = sessions.filter(({ status }) => status === "active");
  const cards = useQueries({ queries: active.flatMap(({ _id }) => queriesOfCard(_id)) });
  const plans = useQuery(plansQuery);
  return useReady(cards.every(isSettled) && isSettled(plans));
}

function SessionLists(props: SessionListsProps) {
  const { stores, sessions, onDone, startedStoreId } = props;
  const [search] = useSearchParams();
  const storeToStart = startedStoreId === null ? search.get("start") : null;
  const isReady = useCardsReady(sessions);
  if (!isReady) return <LoadingState />;
  const active = (
    <Section key="active" title={messages.activeHeading}>
      <ActiveSessions {...props} />
    </Section>
  );
  const planned = <PlannedSessions key="planned" stores={stores} sessions={sessions} onDone={onDone} />;
  const start = (
    <Section key="start" title={messages.startHeading}>
      <StartSessions stores={stores} sessions={sessions} storeToStart={storeToStart} onDone={onDone} />
    </Section>
  );
  const isCounting = sessions.some(({ status }) => status === "active");
  return (
    <>
      {/* What can be done comes before what there is none of. */}
      {isCounting ? [active, planned, start] : [start, planned, active]}
      <Section title={messages.recentHeading}>
        <RecentSessions sessions={sessions} onDone={onDone} />
      </Section>
      <LoadDeviceFile />
    </>
  );
}

export function SessionsPage({ renderInvitations }: SessionsPageProps) {
  const stores = useQuery(storesQuery);
  const sessions = useQuery(sessionsQuery);
  const [message, setMessage] = useState<string | null>(null);
  const [{ startedStoreId = null, endedId }, setDone] = useState<Done>({});
  const finish: OnDone = (told, done = {}) => {
    setMessage(told);
    setDone(done);
  };
  const query = {
    data: stores.data && sessions.data && { stores: stores.data, sessions: sessions.data },
    error: stores.error ?? sessions.error,
    refetch: () => Promise.all([stores.refetch(), sessions.refetch()]),
  };
  return (
    <Stack gap="md">
      <SuccessMessage
        floats
        message={message}
        onClose={() => setMessage(null)}
        action={
          endedId === undefined ? null : (
            <Anchor component={Link} to={reportPath(endedId)}>
              {messages.viewReport}
            </Anchor>
          )
        }
      />
      <PageHeader title={messages.title} subtitle={messages.subtitle} help={help} />
      <Loaded query={query} fallback={messages.fetchFailed}>
        {(lists) => (
          <SessionLists
            {...lists}
            renderInvitations={renderInvitations}
            startedStoreId={startedStoreId}
            onDone={finish}
          />
        )}
      </Loaded>
    </Stack>
  );
}

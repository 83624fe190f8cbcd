import { Anchor, Stack } from "@mantine/core";
import { type CountingSession, type Invitation, listCounters } from "@stocktake/contract";
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { callAllPages } from "../../http/call.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { invitationsQuery, sessionsQuery } from "../../http/shared-queries.ts";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchableList } from "../../ui/search/searchable-list.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { type QuietColumn, QuietTable } from "../../ui/tables/quiet-table.tsx";
import { AddCounterForm } from "./counter-forms.tsx";
import { CounterList } from "./counter-list.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";

const countersQuery = queryOptions({
  queryKey: [queryRoots.counters],
  queryFn: ({ signal }) => callAllPages(listCounters, { signal }),
  select: (answer) => answer.counters,
});

const { temporary } = messages;

/** A person invited to an active session. */
interface TemporaryCounter extends Invitation {
  readonly session: CountingSession;
}

function useTemporaryCounters() {
  const sessions = useQuery(sessionsQuery);
  const active = sessions.data?.filter((session) => session.status === "active") ?? [];
  const lists = useQueries({ queries: active.map((session) => invitationsQuery(session._id)) });
  const isRead = [sessions, ...lists].every(({ data }) => data !== undefined);
  const counters = active.flatMap((session, index): TemporaryCounter[] =>
    (lists[index]?.data ?? []).map((invitation) => ({ ...invitation, session })),
  );
  return {
    data: isRead ? counters : undefined,
    error: sessions.error ?? lists.find((list) => list.error !== null)?.error ?? null,
    refetch: () => Promise.all([sessions.refetch(), ...lists.map((list) => list.refetch())]),
  };
}

const columns: readonly QuietColumn<TemporaryCounter>[] = [
  { header: "Name", cell: (counter) => counter.counterName },
  { header: "Email", cell: (counter) => counter.email },
  { header: "Store", cell: (counter) => counter.session.storeId.name },
  {
    header: "Status",
    cell: ({ usedAt }) => (
      <StatusBadge tone={usedAt === null ? "neutral" : "positive"}>
        {usedAt === null ? temporary.invited : temporary.joined}
      </StatusBadge>
    ),
  },
  { header: "Joined", cell: (counter) => dateTimeText(counter.usedAt) },
];

function TemporaryList({ counters }: { readonly counters: readonly TemporaryCounter[] }) {
  if (counters.length === 0) return <EmptyState title={temporary.none}>{temporary.noneText}</EmptyState>;
  return (
    <>
      <SearchableList
        label={temporary.heading}
        rows={counters}
        textOf={({ counterName, email, session }) => `${counterName} ${email ?? ""} ${session.storeId.name}`}
      >
        {(found) => (
          <QuietTable
            label={temporary.heading}
            columns={columns}
            rows={found}
            keyOf={(counter) => counter._id}
          />
        )}
      </SearchableList>
      <Anchor component={Link} to="/admin/sessions">
        {temporary.manage}
      </Anchor>
    </>
  );
}

/** Who counts by invitation: they exist as long as their session does, and are managed there. */
function TemporaryCounters() {
  return (
    <Loaded query={useTemporaryCounters()} fallback={messages.fetchFailed}>
      {(counters) => <TemporaryList counters={counters} />}
    </Loaded>
  );
}

export function UsersPage() {
  const { data, error, isPending, refetch } = useQuery(countersQuery);
  const [message, setMessage] = useState<string | null>(null);
  return (
    <Stack gap="md">
      <SuccessMessage floats message={message} onClose={() => setMessage(null)} />
      <PageHeader title={messages.title} subtitle={messages.subtitle} help={help} />
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      <Section title={messages.addHeading}>
        <AddCounterForm onDone={setMessage} />
      </Section>
      <Section title={messages.listHeading}>
        {isPending ? <LoadingState /> : null}
        {data === undefined ? null : <CounterList counters={data} onDone={setMessage} />}
      </Section>
      <Section title={messages.temporary.heading}>
        <TemporaryCounters />
      </Section>
    </Stack>
  );
}

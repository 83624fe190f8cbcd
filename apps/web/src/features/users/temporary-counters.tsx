import { Anchor } from "@mantine/core";
import type { CountingSession, Invitation } from "@stocktake/contract";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { invitationsQuery, sessionsQuery } from "../../http/shared-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { type QuietColumn, QuietTable } from "../../ui/tables/quiet-table.tsx";
import { messages } from "./messages.ts";

const { temporary } = messages;

/** A person invited to an active session. */
interface TemporaryCounter extends Invitation {
  readonly session: CountingSession;
}

function useTemporaryCounters() {
  const sessions = useQuery(sessionsQuery);
  const active = sessions.data?.filter((session) => session.status === "active") ?? [];
  const lists = useQueries({ queries: active.map((session) => invitationsQuery(session._id)) });
  return {
    counters: active.flatMap((session, index): TemporaryCounter[] =>
      (lists[index]?.data ?? []).map((invitation) => ({ ...invitation, session })),
    ),
    isPending: sessions.isPending || lists.some((list) => list.isPending),
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

/** Who counts by invitation: they exist as long as their session does, and are managed there. */
export function TemporaryCounters() {
  const { counters, isPending, error, refetch } = useTemporaryCounters();
  if (error !== null) return <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />;
  if (isPending) return <LoadingState />;
  if (counters.length === 0) return <EmptyState title={temporary.none}>{temporary.noneText}</EmptyState>;
  return (
    <>
      <QuietTable
        label={temporary.heading}
        columns={columns}
        rows={counters}
        keyOf={(counter) => counter._id}
      />
      <Anchor component={Link} to="/admin/sessions">
        {temporary.manage}
      </Anchor>
    </>
  );
}

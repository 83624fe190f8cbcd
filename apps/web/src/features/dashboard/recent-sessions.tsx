import { type CountingSession, countingConstants } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { sessionsQuery } from "../../http/shared-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { StatusRow } from "../../ui/status-row.tsx";
import { texts } from "./texts.ts";

function SessionRow({ session }: { session: CountingSession }) {
  const active = session.status === "active";
  return (
    <StatusRow name={session.storeId.name} note={dateTimeText(session.startedAt)}>
      <StatusBadge tone={active ? "positive" : "neutral"}>{active ? "Active" : "Closed"}</StatusBadge>
    </StatusRow>
  );
}

/** The newest sessions, as many as the specification shows. */
export function RecentSessions() {
  const { data, isPending } = useQuery(sessionsQuery);
  if (isPending) return <LoadingState />;
  if (data === undefined || data.length === 0) {
    return <EmptyState title={texts.noSessions}>{texts.noSessionsText}</EmptyState>;
  }
  return (
    <div>
      {data.slice(0, countingConstants.recentSessions).map((session) => (
        <SessionRow key={session._id} session={session} />
      ))}
    </div>
  );
}

import { Anchor } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { Link } from "react-router";
import { EmptyState } from "../../ui/empty-state.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { type QuietColumn, QuietTable } from "../../ui/quiet-table.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { texts } from "./texts.ts";

function ReportLink({ session }: { session: CountingSession }) {
  if (session.status !== "closed") return null;
  return (
    <Anchor
      component={Link}
      to={`/admin/reports?session=${encodeURIComponent(session._id)}`}
      aria-label={`${texts.viewReport} of ${session.storeId.name}, ${dateTimeText(session.startedAt)}`}
    >
      {texts.viewReport}
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

export function RecentSessions({ sessions }: { sessions: readonly CountingSession[] }) {
  if (sessions.length === 0) return <EmptyState title={texts.noRecent}>{texts.noRecentText}</EmptyState>;
  return (
    <QuietTable
      label={texts.recentHeading}
      columns={columns}
      rows={sessions}
      keyOf={(session) => session._id}
    />
  );
}

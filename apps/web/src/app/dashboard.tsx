import { DashboardPage } from "../features/dashboard/dashboard-page.tsx";
import { GuessingNotices } from "../features/notices/guessing-notices.tsx";
import { RestoredSessions } from "../features/reports/release/restored-sessions.tsx";

/** The dashboard with what the administrator is warned of, and what a restore has left to be decided. */
export function Dashboard() {
  const notices = (
    <>
      <GuessingNotices />
      <RestoredSessions />
    </>
  );
  return <DashboardPage notices={notices} />;
}

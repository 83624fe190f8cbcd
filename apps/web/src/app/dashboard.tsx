import { DashboardPage } from "../features/dashboard/dashboard-page.tsx";
import { RestoredSessions } from "../features/reports/release/restored-sessions.tsx";

/** The dashboard with what a restore has left to be decided, which is a matter of the reports. */
export function Dashboard() {
  return <DashboardPage notices={<RestoredSessions />} />;
}

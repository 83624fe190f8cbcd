import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { areasQuery, sessionsQuery, storesQuery } from "../../http/shared-queries.ts";
import { useSignedIn } from "../../identity/identity.ts";
import { UpdateNotice } from "../../service-worker/update-notice.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { longDateText } from "../../ui/formats.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { StatCard } from "../../ui/stat-card.tsx";
import { ActivityChart } from "./activity-chart.tsx";
import { QuickActions } from "./quick-actions.tsx";
import { RecentSessions } from "./recent-sessions.tsx";
import { SystemStatus } from "./system-status.tsx";
import { texts, trends } from "./texts.ts";

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
      <ErrorBox error={figures.error} fallback={texts.failed} onRetry={figures.retry} />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: "xs", sm: "sm" }}>
        <StatCard label={texts.activeSessions} value={figures.activeSessions} trend={trends.activeSessions} />
        <StatCard label={texts.totalStores} value={figures.totalStores} />
        <StatCard label={texts.pendingAreas} value={figures.pendingAreas} trend={trends.pendingAreas} />
        <StatCard label={texts.completedAreas} value={figures.completedAreas} trend={trends.completedAreas} />
      </SimpleGrid>
    </>
  );
}

export function DashboardPage() {
  const { user } = useSignedIn();
  return (
    <Stack gap="md">
      <PageHeader title={`Welcome back, ${user.username}!`} subtitle={longDateText(new Date())} />
      <UpdateNotice />
      <Figures />
      <QuickActions />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Section title={texts.recentSessions}>
          <RecentSessions />
        </Section>
        <Section title={texts.systemStatus}>
          <SystemStatus />
        </Section>
      </SimpleGrid>
      <Section title={texts.activityChart}>
        <ActivityChart />
      </Section>
    </Stack>
  );
}

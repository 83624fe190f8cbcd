import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { sessionsQuery } from "../../http/shared-queries.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";
import { completedOf, sessionShown } from "./report-query.ts";
import { ReportView } from "./report-view.tsx";
import { SessionPicker } from "./session-picker.tsx";

/** The newest session, until another is chosen; that one is in the address, so that a report can be linked to and survives a reload. */
export function ReportsPage() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [search, setSearch] = useSearchParams();
  const completed = data === undefined ? undefined : completedOf(data);
  const selectedId = completed === undefined ? null : sessionShown(completed, search.get("session"));
  return (
    <Stack gap="md">
      <PageHeader title={messages.title} subtitle={messages.subtitle} help={help} />
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      <div className="screen-only">
        <Section title={messages.selectSession}>
          {completed === undefined ? (
            error === null && <LoadingState />
          ) : (
            <SessionPicker
              sessions={completed}
              selectedId={selectedId}
              onSelect={(id) => setSearch({ session: id }, { preventScrollReset: true })}
            />
          )}
        </Section>
      </div>
      {selectedId === null ? null : <ReportView key={selectedId} sessionId={selectedId} />}
    </Stack>
  );
}

import { Stack } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { sessionsQuery } from "../../http/shared-queries.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { AddressWriter, useWriteAddress } from "./address.tsx";
import { FoldingSection } from "./folding/folding-section.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";
import classes from "./print/paper.module.css";
import { completedOf, sessionShown } from "./report-query.ts";
import { ReportView } from "./report-view.tsx";
import { SessionPicker } from "./session-picker.tsx";

function sessionsText(completed: readonly CountingSession[] | undefined): string {
  return completed === undefined ? "" : countText(completed.length, "session", "sessions");
}

/** The newest session, until another is chosen; which it is is in the address, so that a link still leads to it when there is a newer one. */
function Page() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [search, setSearch] = useSearchParams();
  const completed = data === undefined ? undefined : completedOf(data);
  const asked = search.get("session");
  const selectedId = completed === undefined ? null : sessionShown(completed, asked);
  const chosen = asked === null ? selectedId : null;
  const write = useWriteAddress();
  useEffect(() => {
    if (chosen !== null) write({ session: chosen });
  }, [chosen, write]);
  return (
    <Stack gap="md" className={classes.paper ?? ""} data-coming={completed === undefined && error === null}>
      <div className="screen-only">
        <PageHeader title={messages.title} subtitle={messages.subtitle} help={help} />
      </div>
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      {data === undefined || selectedId !== null || asked === null ? null : (
        <Notice kind="info" role="status">
          {data.some(({ _id }) => _id === asked) ? messages.stillCounting : messages.notFound}
        </Notice>
      )}
      <div className="screen-only">
        <FoldingSection
          title={messages.selectSession}
          count={sessionsText(completed)}
          isNeeded={completed !== undefined && selectedId === null}
        >
          {completed === undefined ? (
            error === null && <LoadingState />
          ) : (
            <SessionPicker
              sessions={completed}
              selectedId={selectedId}
              onSelect={(id) => setSearch({ session: id }, { preventScrollReset: true })}
            />
          )}
        </FoldingSection>
      </div>
      {selectedId === null ? null : <ReportView key={selectedId} sessionId={selectedId} />}
    </Stack>
  );
}

export function ReportsPage() {
  return (
    <AddressWriter>
      <Page />
    </AddressWriter>
  );
}

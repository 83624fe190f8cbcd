import { Anchor, Button, Stack } from "@mantine/core";
import { exportAudit, listAudit } from "@stocktake/contract";
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { callApi, pageOf, sendCall } from "../../http/call.ts";
import { sessionsQuery } from "../../http/shared-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useSaving } from "../../ui/saving/use-saving.ts";
import { Section } from "../../ui/section.tsx";
import { AuditEntries } from "./audit-entries.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { type AuditFilter, filterIn, isEmpty, queryOf, searchOf } from "./filter.ts";
import { help } from "./help.ts";
import { messages } from "./messages.ts";

/** As many as a person looks through before asking for more. */
const entriesAPage = 50;

/** The entries that fit, newest first, page after page; the first page's cursor is empty. */
function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ["audit", filter],
    queryFn: ({ signal, pageParam }) =>
      callApi(listAudit, {
        query: {
          ...queryOf(filter),
          ...pageOf(entriesAPage, pageParam),
        },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    // Another filter keeps the entries on the page until the new ones have come.
    placeholderData: keepPreviousData,
    // A person who opens the page wants to see what just happened.
    refetchOnMount: "always",
  });
}

function useExportAudit() {
  return useSaving(
    (filter: AuditFilter) => sendCall(exportAudit, { query: queryOf(filter) }),
    "audit-log.csv",
  );
}

function useStoreNames(): (sessionId: string) => string {
  const { data: sessions = [] } = useQuery(sessionsQuery);
  const names = new Map(sessions.map(({ _id, storeId }) => [_id, storeId.name.trim()]));
  return (sessionId) => names.get(sessionId) || messages.unknownStore;
}

function NoEntries({ filter }: { filter: AuditFilter }) {
  return isEmpty(filter) ? (
    <EmptyState title={messages.none}>{messages.noneText}</EmptyState>
  ) : (
    <EmptyState title={messages.nothingFits}>{messages.nothingFitsText}</EmptyState>
  );
}

function EntryList({ filter }: { filter: AuditFilter }) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(auditQuery(filter));
  const storeOf = useStoreNames();
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Stack gap="sm">
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      {isPending ? <LoadingState /> : null}
      {data !== undefined && entries.length === 0 ? <NoEntries filter={filter} /> : null}
      {entries.length === 0 ? null : <AuditEntries entries={entries} storeOf={storeOf} />}
      {hasNextPage ? (
        <Button
          variant="default"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
          style={{ alignSelf: "center" }}
        >
          {isFetchingNextPage ? messages.loadingMore : messages.more}
        </Button>
      ) : null}
    </Stack>
  );
}

export function AuditPage() {
  const [search, setSearch] = useSearchParams();
  const filter = filterIn(search);
  const exporting = useExportAudit();
  return (
    <Stack gap="md">
      <div>
        <Anchor component={Link} to="/admin/settings" className="screen-only">
          {messages.back}
        </Anchor>
        <PageHeader
          title={messages.title}
          subtitle={messages.subtitle}
          help={help}
          actions={
            <Button variant="default" disabled={exporting.isPending} onClick={() => exporting.send(filter)}>
              {exporting.isPending ? messages.exporting : messages.exportCsv}
            </Button>
          }
        />
      </div>
      <ErrorBox error={exporting.error} fallback={messages.exportFailed} />
      <Section title={messages.filters}>
        <AuditFilters filter={filter} onChange={(changed) => setSearch(searchOf(changed))} />
      </Section>
      <Section title={messages.entries}>
        <EntryList filter={filter} />
      </Section>
    </Stack>
  );
}

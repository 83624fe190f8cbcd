import { Button, Stack } from "@mantine/core";
import { type ReportItem, type ReportView as View, varianceReport } from "@stocktake/contract";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/shared-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, dateTimeText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Section } from "../../ui/section.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { type DeployAnswer, type Report, useIncludeFigure } from "./api.ts";
import { AuditSection } from "./audit-section.tsx";
import { SkippedRows } from "./deploy/skipped-rows.tsx";
import { ExceptionsPanel } from "./exceptions/exceptions-panel.tsx";
import { AdjustmentHistory } from "./history/adjustment-history.tsx";
import { messages } from "./messages.ts";
import { ReportActions, ReportSettings } from "./report-actions.tsx";
import { type ReportChoice, useReportChoice } from "./report-choice.ts";
import { anchors, leadTo, ReportNotices } from "./report-notices.tsx";
import { ReportParts } from "./report-parts.tsx";
import { ExplainedRow, useExplainedRow } from "./row/explained-row.tsx";
import { ReportCharts } from "./summary/report-charts.tsx";
import { defaultFilter } from "./summary/report-shares.ts";
import { ReportTotals } from "./summary/report-totals.tsx";
import { AdjustCountDialog } from "./table/adjust-count-dialog.tsx";
import { ReportControls } from "./table/report-controls.tsx";
import { filterReport, type ReportFilter, sortGroups } from "./table/report-filter.ts";
import { groupReport } from "./table/report-groups.ts";
import { ImageOverlay } from "./table/thumbnail.tsx";
import { VarianceTable } from "./table/variance-table.tsx";

function reportQuery(sessionId: string, view: View) {
  return queryOptions({
    queryKey: [queryRoots.report, sessionId, view],
    queryFn: ({ signal }) => callApi(varianceReport, { params: { sessionId }, query: { view }, signal }),
    // Turning the view keeps the report on the page until the other has come.
    placeholderData: keepPreviousData,
  });
}

interface VarianceSectionProps {
  readonly report: Report;
  readonly choice: ReportChoice;
  readonly onChoose: (choice: ReportChoice) => void;
  readonly onDone: (message: string) => void;
}

/** The chosen filter, or what the report shows by itself. */
function filterOf({ items }: Pick<Report, "items">, { filter }: ReportChoice): ReportFilter {
  return filter ?? defaultFilter(items);
}

/** The chosen rows in their groups. Typing goes before drawing: the rows may be thousands. */
function useChosenRows({ report, choice }: Pick<VarianceSectionProps, "report" | "choice">) {
  const { search, sort, ...rest } = useDeferredValue(choice);
  const filter = filterOf(report, { search, sort, ...rest });
  const items = useMemo(() => filterReport(report.items, filter, search, report), [report, filter, search]);
  const groups = useMemo(() => sortGroups(groupReport(items), sort), [items, sort]);
  return { items, groups };
}

function NothingShown({ report, onChoose }: Pick<VarianceSectionProps, "report" | "onChoose">) {
  if (report.items.length === 0) {
    return <EmptyState title={messages.noVariances}>{messages.noVariancesText}</EmptyState>;
  }
  const action = (
    <Button variant="default" onClick={() => onChoose({ filter: "variances", search: "", sort: "product" })}>
      {messages.showEverything}
    </Button>
  );
  return (
    <EmptyState title={messages.nothingFits} action={action}>
      {messages.nothingFitsText}
    </EmptyState>
  );
}

/** The report's heading on paper, where the session's card is not. */
function PrintedHeading({ session }: Pick<Report, "session">) {
  const name = session.storeId.name.trim() || messages.unknownStore;
  return (
    <p className="print-only">
      {messages.printed(name, dateTimeText(session.startedAt), dateTimeText(session.endedAt))}
    </p>
  );
}

function amountText(shown: number, report: Report): string {
  const all = countText(report.items.length, "item", "items");
  return shown === report.items.length ? all : messages.shown(quantityText(shown), all);
}

function VarianceSection({ report, choice, onChoose, onDone }: VarianceSectionProps) {
  const { items, groups } = useChosenRows({ report, choice });
  const [adjusted, setAdjusted] = useState<ReportItem | null>(null);
  const [shown, setShown] = useState<{ image: string; title: string } | null>(null);
  const including = useIncludeFigure(report.session._id);
  const { send } = including;
  const include = useCallback(
    ({ sku, included }: ReportItem) =>
      send({ sku, included: !included }, () =>
        onDone(included ? messages.uncertain.leftOutDone(sku) : messages.uncertain.includedDone(sku)),
      ),
    [send, onDone],
  );
  const { explained, explain } = useExplainedRow();
  const openImage = useCallback((image: string, title: string) => setShown({ image, title }), []);
  return (
    <Section title={messages.report} anchor={anchors.variances} aside={amountText(items.length, report)}>
      <PrintedHeading session={report.session} />
      <ReportControls choice={choice} filter={filterOf(report, choice)} onChange={onChoose} />
      <ErrorBox error={including.error} fallback={messages.uncertain.failed} />
      {items.length === 0 ? (
        <NothingShown report={report} onChoose={onChoose} />
      ) : (
        <VarianceTable
          groups={groups}
          currency={report.summary.currency}
          deployed={report.deployed}
          onAdjust={setAdjusted}
          onInclude={include}
          onExplain={explain}
          onOpenImage={openImage}
          explained={explained}
        />
      )}
      {explained === null ? null : (
        <ExplainedRow
          report={report}
          groups={groups}
          sku={explained}
          onGo={explain}
          onClose={() => explain(null)}
          onAdjust={setAdjusted}
          onInclude={include}
        />
      )}
      {adjusted === null ? null : (
        <AdjustCountDialog
          sessionId={report.session._id}
          item={adjusted}
          onDone={onDone}
          onClose={() => setAdjusted(null)}
        />
      )}
      {shown === null ? null : <ImageOverlay {...shown} onClose={() => setShown(null)} />}
    </Section>
  );
}

function messageOf(answer: DeployAnswer): string | null {
  if (answer.totalAdjustments === 0) return messages.nothingToDeploy;
  return answer.status === "failed" ? null : messages.deployDone(answer.totalAdjustments);
}

interface LoadedReportProps {
  readonly report: Report;
  readonly choice: ReportChoice;
  readonly onChoose: (choice: ReportChoice) => void;
}

/** What the last deploy skipped; no longer true once it is rolled back. */
function skippedBy(answer: DeployAnswer | null, { deployed }: Report): DeployAnswer["skipped"] {
  const isCurrent = answer !== null && (deployed || answer.totalAdjustments === 0);
  return isCurrent ? answer.skipped : [];
}

function LoadedReport({ report, choice, onChoose }: LoadedReportProps) {
  const [message, setMessage] = useState<string | null>(null);
  const [answer, setAnswer] = useState<DeployAnswer | null>(null);
  const skipped = skippedBy(answer, report);
  const showRows = (filter: ReportFilter) => {
    onChoose({ ...choice, filter, search: "" });
    leadTo(anchors.variances);
  };
  const onDeployed = (given: DeployAnswer) => {
    setMessage(messageOf(given));
    setAnswer(given);
  };
  return (
    <>
      <ReportActions report={report} view={viewOf(choice)} onDeployed={onDeployed} onDone={setMessage} />
      <SuccessMessage message={message} onClose={() => setMessage(null)} />
      <SkippedRows title={messages.notDeployed(skipped.length)} skipped={skipped} />
      <ReportTotals report={report} onFilter={showRows} />
      <ReportNotices report={report} onDone={setMessage} />
      <ReportSettings report={report} />
      <ReportParts report={report} />
      <ReportCharts report={report} />
      <VarianceSection report={report} choice={choice} onChoose={onChoose} onDone={setMessage} />
      <ExceptionsPanel report={report} onDone={setMessage} />
      <AdjustmentHistory report={report} onDeployed={onDeployed} onDone={setMessage} />
      <AuditSection sessionId={report.session._id} hash={report.auditHash ?? null} />
    </>
  );
}

/** Only products without a variance are not among those with one. */
function viewOf({ filter }: ReportChoice): View {
  return filter === "all" ? "all" : "variances";
}

/** The report of one session and everything that can be done with it. */
export function ReportView({ sessionId }: { sessionId: string }) {
  const { choice, choose } = useReportChoice();
  const { data, error, refetch } = useQuery(reportQuery(sessionId, viewOf(choice)));
  return (
    <Stack gap="md">
      <ErrorBox error={error} fallback={messages.reportFailed} onRetry={refetch} />
      {data === undefined && error === null ? <LoadingState /> : null}
      {data === undefined ? null : <LoadedReport report={data} choice={choice} onChoose={choose} />}
    </Stack>
  );
}

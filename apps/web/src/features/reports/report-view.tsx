import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { InPieces, Piece } from "../../ui/drawing/in-pieces.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import type { DeployAnswer, Report } from "./api.ts";
import { AuditSection } from "./audit-section.tsx";
import { CountAgainSection } from "./count-again-section.tsx";
import { CoverageSection } from "./coverage-section.tsx";
import { NotDeployed, useTold } from "./deploy/not-deployed.tsx";
import { ReportExceptions } from "./exceptions/report-exceptions.tsx";
import { AdjustmentHistory } from "./history/adjustment-history.tsx";
import { useLeadTo } from "./lead-to.ts";
import { messages } from "./messages.ts";
import { PrintCover } from "./print/print-cover.tsx";
import { useReportTitle } from "./print/report-title.ts";
import { ReportActions, ReportSettings } from "./report-actions.tsx";
import { type Choose, everyRow, type ReportChoice, useReportChoice } from "./report-choice.ts";
import { ReportNotices } from "./report-notices.tsx";
import { LedToPart, ReportParts } from "./report-parts.tsx";
import { reportQuery, viewOf } from "./report-query.ts";
import classes from "./reports.module.css";
import { useExplainedRow } from "./row/explained-row.tsx";
import { SampleFindings } from "./sample-findings.tsx";
import { ReportCharts } from "./summary/report-charts.tsx";
import { ReportTotals } from "./summary/report-totals.tsx";
import { LikelySwapped } from "./swaps/likely-swapped.tsx";
import { useSwaps } from "./swaps/swaps.ts";
import { inView } from "./table/in-view.ts";
import type { ReportFilter } from "./table/report-filter.ts";
import { VarianceSection } from "./variance-section.tsx";

/** What came of a deploy; null where the page says it otherwise. One that took long was answered before it ended, with what it was to do. */
function messageOf({ status, totalAdjustments, skipped }: DeployAnswer): string | null {
  if (totalAdjustments === 0) {
    return skipped.length === 0 ? messages.nothingToDeploy : messages.nothingDeployed;
  }
  switch (status) {
    case "pending":
      return messages.deployEnded;
    case "partial":
      return messages.deployedPartly(totalAdjustments);
    case "applied":
      return messages.deployDone(totalAdjustments);
    case "failed":
      return null;
  }
}

interface LoadedReportProps {
  readonly report: Report;
  readonly choice: ReportChoice;
  readonly onChoose: Choose;
}

/** Leads to rows from what speaks of them: nothing else narrows them then. */
function useRowsShown(onChoose: Choose) {
  const lead = useLeadTo();
  const show = useCallback(
    (narrowed: Partial<ReportChoice>) => {
      onChoose({ ...everyRow, ...narrowed });
      lead("variances");
    },
    [onChoose, lead],
  );
  const showPlace = useCallback((place: string) => show({ place }), [show]);
  const showSku = useCallback((sku: string) => show({ sku }), [show]);
  const showFilter = useCallback((filter: ReportFilter) => show({ filter }), [show]);
  const showAll = useCallback(() => show({}), [show]);
  return { showFilter, showPlace, showSku, showAll };
}

/** Likely swapped SKUs, and those among them that a row has led to. */
function useShownSwaps(report: Report, choice: ReportChoice) {
  const [asked, setAsked] = useState<{ readonly sku: string } | null>(null);
  const isInView = useMemo(() => inView(report, choice), [report, choice]);
  const { explain } = useExplainedRow();
  const showSwap = useCallback((sku: string) => setAsked({ sku }), []);
  return { ...useSwaps(report), asked, isInView, explain, showSwap };
}

function LoadedReport({ report, choice, onChoose }: LoadedReportProps) {
  const [message, setMessage] = useState<string | null>(null);
  const { told, tell } = useTold(report);
  useReportTitle(report.session);
  const { showFilter, showPlace, showSku, showAll } = useRowsShown(onChoose);
  const { swaps, swapOf, asked, isInView, explain, showSwap } = useShownSwaps(report, choice);
  const onDeployed = (given: DeployAnswer) => {
    setMessage(messageOf(given));
    tell(given);
  };
  // Few enough that the rows come soon, each small enough that a tap between them is heard.
  return (
    <InPieces>
      <Piece>
        <ReportActions report={report} view={viewOf(choice)} onDeployed={onDeployed} onDone={setMessage} />
        <SuccessMessage floats message={message} onClose={() => setMessage(null)} />
        <NotDeployed report={report} told={told} />
        <div className={`${classes.onScreen} screen-only`}>
          <ReportTotals report={report} onFilter={showFilter} />
        </div>
      </Piece>
      <Piece>
        <PrintCover report={report} />
        <ReportNotices report={report} onFilter={showFilter} onDone={setMessage} />
        <ReportSettings report={report} />
        <ReportParts report={report} />
      </Piece>
      <Piece>
        <div className={`${classes.onScreen} screen-only`}>
          <ReportCharts report={report} onPlace={showPlace} onSku={showSku} onFilter={showFilter} />
          <LikelySwapped
            swaps={swaps}
            currency={report.summary.currency}
            asked={asked}
            isInView={isInView}
            onExplain={explain}
            onShowRows={showAll}
          />
        </div>
      </Piece>
      <Piece>
        <SampleFindings sessionId={report.session._id} />
        <div className={`${classes.onScreen} screen-only`}>
          <CountAgainSection sessionId={report.session._id} />
        </div>
        <VarianceSection
          report={report}
          choice={choice}
          swapOf={swapOf}
          onSwap={showSwap}
          onChoose={onChoose}
          onDone={setMessage}
        />
      </Piece>
      <Piece>
        <ReportExceptions report={report} />
        <AdjustmentHistory report={report} onDeployed={onDeployed} onDone={setMessage} />
        <CoverageSection sessionId={report.session._id} />
        <div className={`${classes.onScreen} screen-only`}>
          <AuditSection sessionId={report.session._id} hash={report.auditHash ?? null} />
        </div>
        <LedToPart />
      </Piece>
    </InPieces>
  );
}

/** The report of one session and everything that can be done with it. */
export function ReportView({ sessionId }: { sessionId: string }) {
  const { choice, choose } = useReportChoice();
  const { data: newest, error, refetch } = useQuery(reportQuery(sessionId, viewOf(choice)));
  // First drawn in pieces: a whole report at once would make a phone's taps wait. What changes it is drawn at once.
  const isBegun = useDeferredValue(newest !== undefined);
  const data = isBegun ? newest : undefined;
  return (
    <Stack gap="md">
      <ErrorBox error={error} fallback={messages.reportFailed} onRetry={refetch} />
      {data === undefined && error === null ? <LoadingState /> : null}
      {data === undefined ? null : <LoadedReport report={data} choice={choice} onChoose={choose} />}
    </Stack>
  );
}

import { Stack } from "@mantine/core";
import type { ReportItem, ReportView as View } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Section } from "../../ui/section.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { AdjustCountDialog } from "./adjust-count-dialog.tsx";
import { AdjustmentHistory } from "./adjustment-history.tsx";
import { type DeployAnswer, type Report, reportQuery } from "./api.ts";
import { ExceptionsPanel } from "./exceptions-panel.tsx";
import { ReportActions } from "./report-actions.tsx";
import { groupReport } from "./report-groups.ts";
import { ReportSummary } from "./report-summary.tsx";
import { SkippedRows } from "./skipped-rows.tsx";
import { texts } from "./texts.ts";
import { ImageOverlay } from "./thumbnail.tsx";
import { VarianceTable } from "./variance-table.tsx";

interface VarianceSectionProps {
  readonly report: Report;
  readonly onDone: (message: string) => void;
}

function VarianceSection({ report, onDone }: VarianceSectionProps) {
  const groups = useMemo(() => groupReport(report.items), [report.items]);
  const [adjusted, setAdjusted] = useState<ReportItem | null>(null);
  const [shown, setShown] = useState<{ image: string; title: string } | null>(null);
  return (
    <Section title={texts.report} aside={countText(report.items.length, "item", "items")}>
      {report.items.length === 0 ? (
        <EmptyState title={texts.noVariances}>{texts.noVariancesText}</EmptyState>
      ) : (
        <VarianceTable
          groups={groups}
          currency={report.summary.currency}
          deployed={report.deployed}
          onAdjust={setAdjusted}
          onOpenImage={(image, title) => setShown({ image, title })}
        />
      )}
      <ReportSummary summary={report.summary} />
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
  if (answer.totalAdjustments === 0) return texts.nothingToDeploy;
  return answer.status === "failed" ? null : texts.deployDone(answer.totalAdjustments);
}

interface LoadedReportProps {
  readonly report: Report;
  readonly view: View;
  readonly onView: (view: View) => void;
}

function LoadedReport({ report, view, onView }: LoadedReportProps) {
  const [message, setMessage] = useState<string | null>(null);
  const [skipped, setSkipped] = useState<DeployAnswer["skipped"]>([]);
  const onDeployed = (answer: DeployAnswer) => {
    setMessage(messageOf(answer));
    setSkipped(answer.skipped);
  };
  return (
    <>
      <ReportActions report={report} view={view} onView={onView} onDeployed={onDeployed} />
      <SuccessMessage message={message} onClose={() => setMessage(null)} />
      <SkippedRows skipped={skipped} />
      <VarianceSection report={report} onDone={setMessage} />
      <ExceptionsPanel report={report} onDone={setMessage} />
      <AdjustmentHistory sessionId={report.session._id} onDone={setMessage} />
    </>
  );
}

/** The report of one session and everything that can be done with it. */
export function ReportView({ sessionId }: { sessionId: string }) {
  const [view, setView] = useState<View>("variances");
  const { data, error, refetch } = useQuery(reportQuery(sessionId, view));
  return (
    <Stack gap="md">
      <ErrorBox error={error} fallback={texts.reportFailed} onRetry={refetch} />
      {data === undefined && error === null ? <LoadingState /> : null}
      {data === undefined ? null : <LoadedReport report={data} view={view} onView={setView} />}
    </Stack>
  );
}

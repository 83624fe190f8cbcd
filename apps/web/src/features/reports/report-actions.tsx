import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { type Basis, exportReport, type ReportView, setBasis } from "@stocktake/contract";
import { callApi, sendCall } from "../../http/call.ts";
import { staleAfter } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Section } from "../../ui/section.tsx";
import type { DeployAnswer, Report } from "./api.ts";
import { AdjustmentProgress } from "./deploy/adjustment-progress.tsx";
import { DeployDialog } from "./deploy/deploy-dialog.tsx";
import { useDeploying } from "./deploy/use-deploying.ts";
import { messages } from "./messages.ts";

function useSetBasis(sessionId: string) {
  return useChange(
    (basis: Basis) => callApi(setBasis, { params: { sessionId }, body: { basis } }),
    staleAfter.report,
  );
}

function useExportCsv(sessionId: string) {
  return useChange(async (view: ReportView) => {
    const response = await sendCall(exportReport, { params: { sessionId }, query: { view } });
    saveFile(await response.blob(), `variance-report-${sessionId}.csv`);
  }, []);
}

interface ReportActionsProps {
  readonly report: Report;
  /** What a CSV file of it holds. */
  readonly view: ReportView;
  readonly onDeployed: (answer: DeployAnswer) => void;
}

function ExportButton({ sessionId, view }: { sessionId: string; view: ReportView }) {
  const exporting = useExportCsv(sessionId);
  return (
    <>
      <Button variant="default" disabled={exporting.isPending} onClick={() => exporting.send(view)}>
        {exporting.isPending ? messages.exporting : messages.exportCsv}
      </Button>
      <ErrorBox error={exporting.error} fallback={messages.exportFailed} />
    </>
  );
}

function BasisChoice({ report }: { report: Report }) {
  const change = useSetBasis(report.session._id);
  return (
    <div>
      <NativeSelect
        label={messages.basis.label}
        value={report.basis}
        disabled={report.deployed || change.isPending}
        maw="26rem"
        data={[
          { value: "end", label: messages.basis.end },
          { value: "count", label: messages.basis.count },
        ]}
        onChange={(event) => change.send(event.currentTarget.value === "count" ? "count" : "end")}
      />
      <Text fz="sm" c="dimmed" mt={4} maw="44rem">
        {report.basis === "count"
          ? `${messages.basis.countHint} ${messages.basis.countNote}`
          : messages.basis.endNote}
      </Text>
      <ErrorBox error={change.error} fallback={messages.basisFailed} />
    </div>
  );
}

function deployLabel(underway: boolean, deployed: boolean): string {
  if (underway) return messages.deploying;
  return deployed ? messages.deployed : messages.deploy;
}

export function ReportActions({ report, view, onDeployed }: ReportActionsProps) {
  const { deploy, underway, progress, confirm, ask, asking, cancel } = useDeploying(report, onDeployed);
  return (
    <Section title={messages.actions}>
      <Stack gap="sm">
        <Group gap="xs">
          <ExportButton sessionId={report.session._id} view={view} />
          <Button variant="default" onClick={() => window.print()}>
            {messages.print}
          </Button>
          <Button disabled={underway || report.deployed || report.session.restored === true} onClick={ask}>
            {deployLabel(underway, report.deployed)}
          </Button>
        </Group>
        {underway && !asking ? <AdjustmentProgress label={messages.deploying} progress={progress} /> : null}
        {asking ? null : <ErrorBox error={deploy.error} fallback={messages.deployFailed} />}
        <BasisChoice report={report} />
        <Notice kind="info" title={messages.autoSave}>
          {messages.autoSaveText}
        </Notice>
      </Stack>
      {asking ? (
        <DeployDialog
          report={report}
          deploy={deploy}
          progress={progress}
          onConfirm={confirm}
          onCancel={cancel}
        />
      ) : null}
    </Section>
  );
}

import { Button, Card, NativeSelect, SimpleGrid, Text } from "@mantine/core";
import {
  type Adjustment,
  type Basis,
  exportReport,
  exportScans,
  type ReportView,
  setBasis,
} from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { callApi, sendCall } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { useSaving } from "../../ui/saving/use-saving.ts";
import { countName } from "../../ui/search/session-text.ts";
import { type DeployAnswer, historyQuery, type Report } from "./api.ts";
import { AdjustmentProgress } from "./deploy/adjustment-progress.tsx";
import { DeployDialog } from "./deploy/deploy-dialog.tsx";
import { deployStateOf } from "./deploy/deploy-state.ts";
import { useDeploying } from "./deploy/use-deploying.ts";
import { FoldingSection, useNarrow } from "./folding/folding-section.tsx";
import { RollingBackDialog, useRollingBack } from "./history/rolling-back.tsx";
import { messages } from "./messages.ts";
import classes from "./report-bar.module.css";
import { withoutEndStock as withoutEndStockTexts } from "./table/messages.ts";
import { useBarHeight } from "./use-bar-height.ts";

function useSetBasis(sessionId: string) {
  return useChange(
    (basis: Basis) => callApi(setBasis, { params: { sessionId }, body: { basis } }),
    staleAfter.report,
  );
}

interface ReportActionsProps {
  readonly report: Report;
  /** What a CSV file of it holds. */
  readonly view: ReportView;
  readonly onDeployed: (answer: DeployAnswer) => void;
  readonly onDone: (message: string) => void;
}

interface ExportProps {
  readonly label: string;
  readonly failed: string;
  readonly file: string;
  readonly ask: () => Promise<Response>;
  readonly onDone: () => void;
}

function ExportButton({ label, failed, file, ask, onDone }: ExportProps) {
  const exporting = useSaving((_: undefined) => ask(), file);
  return (
    <>
      <Button
        variant="default"
        disabled={exporting.isPending}
        onClick={() => exporting.send(undefined, onDone)}
      >
        {exporting.isPending ? messages.exporting : label}
      </Button>
      <ErrorBox error={exporting.error} fallback={failed} />
    </>
  );
}

function BasisChoice({ report }: { report: Report }) {
  const change = useSetBasis(report.session._id);
  const withoutEndStock = report.session.withoutEndStock === true;
  const endNote = withoutEndStock ? withoutEndStockTexts.note : messages.basis.endNote;
  return (
    <div>
      <NativeSelect
        label={messages.basis.label}
        value={report.basis}
        disabled={report.deployed || change.isPending}
        maw="26rem"
        data={[
          { value: "end", label: withoutEndStock ? withoutEndStockTexts.basis : messages.basis.end },
          { value: "count", label: messages.basis.count },
        ]}
        onChange={(event) => change.send(event.currentTarget.value === "count" ? "count" : "end")}
      />
      <Text fz="sm" c="dimmed" mt={4} maw="44rem">
        {report.basis === "count" ? `${messages.basis.countHint} ${messages.basis.countNote}` : endNote}
      </Text>
      <ErrorBox error={change.error} fallback={messages.basisFailed} />
    </div>
  );
}

/** Not while it is held back by a restore, and never where its Shopify location was gone at the end. */
function isDeployable({ restored, withoutEndStock }: Report["session"]): boolean {
  return restored !== true && withoutEndStock !== true;
}

function deployLabel(underway: boolean, deployed: boolean): string {
  if (underway) return messages.deploying;
  return deployed ? messages.deployed : messages.deploy;
}

function SessionLine({ report, state }: { readonly report: Report; readonly state: string }) {
  const { storeId, endedAt, name, note } = report.session;
  const store = storeId.name.trim() || messages.unknownStore;
  return (
    <>
      <div className={classes.line}>
        {state} · {countName(store, name)}, {dateTimeText(endedAt)}
      </div>
      {note === undefined || note === null ? null : <div className={classes.line}>{note}</div>}
    </>
  );
}

interface RollBackButtonProps {
  readonly report: Report;
  readonly entries: readonly Adjustment[];
  readonly rollingBack: ReturnType<typeof useRollingBack>;
  readonly onAsk: () => void;
}

/** Beside "Deployed": what undoes it, as the history offers it too. */
function RollBackButton({ report, entries, rollingBack, onAsk }: RollBackButtonProps) {
  const applied = entries.find((entry) => entry.status === "applied" && entry.rolledBackAt === null);
  if (applied === undefined) return null;
  const isBusy = rollingBack.rollback.isPending || applied.rollingBack;
  return (
    <Button
      variant="default"
      disabled={isBusy || report.session.restored === true}
      onClick={() => {
        onAsk();
        rollingBack.ask();
      }}
    >
      {messages.deployState.rollBack}
    </Button>
  );
}

/** The session with its deploy state and its actions, always in reach. */
export function ReportActions({ report, view, onDeployed, onDone }: ReportActionsProps) {
  const titleId = useId();
  const moreId = useId();
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  const more = useRef<HTMLButtonElement>(null);
  const bar = useBarHeight();
  const fold = () => {
    if (!isNarrow) return;
    // What was pressed goes with the others; a dialog that it opens gives the focus back to what had it before.
    more.current?.focus({ preventScroll: true });
    setOpen(false);
  };
  const sessionId = report.session._id;
  const deploying = useDeploying(report, onDeployed);
  const { deploy, underway, progress, confirm, ask, asking, cancel } = deploying;
  const rollingBack = useRollingBack(sessionId, onDone);
  const { data: entries = [] } = useQuery(historyQuery(sessionId, rollingBack.rollback.isPending));
  return (
    <section ref={bar} aria-labelledby={titleId} className={`${classes.bar} screen-only`}>
      <div className={classes.session}>
        <h2 id={titleId} className={classes.title}>
          {messages.actions}
        </h2>
        <SessionLine report={report} state={deployStateOf(report, entries, underway)} />
      </div>
      <div className={classes.buttons}>
        <Button disabled={underway || report.deployed || !isDeployable(report.session)} onClick={ask}>
          {deployLabel(underway, report.deployed)}
        </Button>
        {isNarrow ? (
          <Button
            ref={more}
            variant="default"
            aria-expanded={isOpen}
            aria-controls={moreId}
            onClick={() => setOpen(!isOpen)}
          >
            {messages.moreActions}
          </Button>
        ) : null}
        {isNarrow && !isOpen ? null : (
          <div id={moreId} className={classes.more}>
            <RollBackButton report={report} entries={entries} rollingBack={rollingBack} onAsk={fold} />
            <ExportButton
              label={messages.exportCsv}
              failed={messages.exportFailed}
              file={`variance-report-${sessionId}.csv`}
              ask={() => sendCall(exportReport, { params: { sessionId }, query: { view } })}
              onDone={fold}
            />
            <ExportButton
              label={messages.exportScans}
              failed={messages.exportScansFailed}
              file={`scans-${sessionId}.csv`}
              ask={() => sendCall(exportScans, { params: { sessionId } })}
              onDone={fold}
            />
            <Button
              variant="default"
              onClick={() => {
                fold();
                window.print();
              }}
            >
              {messages.print}
            </Button>
          </div>
        )}
      </div>
      {underway && !asking ? <AdjustmentProgress label={messages.deploying} progress={progress} /> : null}
      {asking ? null : <ErrorBox error={deploy.error} fallback={messages.deployFailed} />}
      {rollingBack.asking ? null : (
        <ErrorBox error={rollingBack.rollback.error} fallback={messages.rollbackFailed} />
      )}
      {asking ? (
        <DeployDialog
          report={report}
          deploy={deploy}
          progress={progress}
          onConfirm={confirm}
          onCancel={cancel}
        />
      ) : null}
      <RollingBackDialog {...rollingBack} sessionId={sessionId} entries={entries} />
    </section>
  );
}

function Settings({ report }: { report: Report }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
      <BasisChoice report={report} />
      <Notice kind="info" title={messages.autoSave}>
        {messages.autoSaveText}
      </Notice>
    </SimpleGrid>
  );
}

function shortBasis({ basis, session }: Report): string {
  const isOfStart = basis === "end" && session.withoutEndStock === true;
  return isOfStart ? withoutEndStockTexts.short : messages.basis.inShort[basis];
}

/** What a deploy compares counts with, and that counts set by hand are kept. */
export function ReportSettings({ report }: { report: Report }) {
  const isNarrow = useNarrow();
  if (!isNarrow) {
    return (
      <Card p={{ base: "sm", sm: "md" }} className="screen-only">
        <Settings report={report} />
      </Card>
    );
  }
  return (
    <FoldingSection title={messages.basis.short} count={shortBasis(report)}>
      <Settings report={report} />
    </FoldingSection>
  );
}

import { Stack } from "@mantine/core";
import {
  type Adjustment,
  type AdjustmentRow,
  leaveRows,
  listAdjustmentRows,
  resumeAdjustment,
} from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { callAllPages, callApi } from "../../../http/call.ts";
import { useLongChange } from "../../../http/long-change.ts";
import { withProof } from "../../../http/proof.ts";
import { queryRoots, staleAfter } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { countText, knownQuantityText } from "../../../ui/formats.ts";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { type DeployAnswer, historyQuery, isUnderWay, operationOf, type Report } from "../api.ts";
import { DeployDialog } from "../deploy/deploy-dialog.tsx";
import type { SkuReason } from "../deploy/sku-groups.tsx";
import { useDeploying } from "../deploy/use-deploying.ts";
import { FoldingSection } from "../folding/folding-section.tsx";
import { anchors } from "../lead-to.ts";
import { messages } from "../messages.ts";
import classes from "../reports.module.css";
import { AdjustmentTable, activeOf, type HistoryAction } from "./adjustment-table.tsx";
import { CancelDialog, useCancelling } from "./cancelling.tsx";
import { RollingBackDialog, useRollingBack } from "./rolling-back.tsx";
import { Timeline, useTimeline } from "./timeline.tsx";
import { UnclearRows } from "./unclear-rows.tsx";

/** The rows that are unclear or were not moved. */
function openRowsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.adjustments, sessionId, "rows"],
    queryFn: ({ signal }) =>
      callAllPages(listAdjustmentRows, { params: { sessionId }, query: { view: "open" }, signal }),
    select: (answer) => answer.rows,
  });
}

function useResume() {
  return useLongChange(
    (adjustmentId: string, follow) =>
      withProof(() => callApi(resumeAdjustment, { params: { adjustmentId } }), follow),
    operationOf,
    staleAfter.report,
  );
}

function useLeaveRows() {
  return useChange(
    (adjustmentId: string) => callApi(leaveRows, { params: { adjustmentId } }),
    staleAfter.report,
  );
}

/** A rollback of the active deploy has begun and is not whole. */
function isBeingTakenBack(entries: readonly Adjustment[]): boolean {
  const active = entries.find(({ rolledBackAt, status }) => rolledBackAt === null && status !== "failed");
  return active !== undefined && (active.rollingBack || active.partlyRolledBack === true);
}

/**
 * The SKUs that differ and that the active deploy did not touch, each with the reason; none where nothing is deployed.
 * What it tried to move is among `openRows`, with the outcome. While it is taken back, a SKU without a reason of its own has
 * been moved back.
 */
function leftOutOf(
  { deployed, basis, items }: Pick<Report, "deployed" | "basis" | "items">,
  openRows: readonly Pick<AdjustmentRow, "sku">[],
  entries: readonly Adjustment[],
): SkuReason[] {
  if (!deployed) return [];
  const takenBack = isBeingTakenBack(entries);
  const reasonsThen = reasonsOf(activeOf(entries));
  const tried = new Set(openRows.map(({ sku }) => sku));
  return items.flatMap((item) => {
    if (item.deployed !== 0 || tried.has(item.sku)) return [];
    if (item.skipReason !== null) return [{ sku: item.sku, reason: messages.skipReasons[item.skipReason] }];
    if (takenBack) return [];
    const difference = basis === "end" ? item.variance : item.varianceAtCount.low;
    return difference === 0
      ? []
      : [{ sku: item.sku, reason: reasonsThen.get(item.sku) ?? messages.openRows.nothingToMove }];
  });
}

/** Why a deploy left out what it did, as Shopify was then: the report knows only what it was at the end. */
function reasonsOf(deploy: Adjustment | undefined): ReadonlyMap<string, string> {
  const groups = deploy?.leftOut ?? [];
  return new Map(
    groups.flatMap(({ reason, skus }) => skus.map((sku) => [sku, messages.skipReasons[reason]] as const)),
  );
}

interface HistoryProps {
  readonly report: Report;
  readonly onDeployed: (answer: DeployAnswer) => void;
  readonly onDone: (message: string) => void;
}

function useResuming(onDone: HistoryProps["onDone"]) {
  const resume = useResume();
  const start = (entry: Adjustment) =>
    resume.send(entry._id, ({ totalAdjustments }) =>
      onDone(totalAdjustments === 0 ? messages.nothingResumed : messages.resumed),
    );
  return { resume, start };
}

function useLeaving() {
  const [asked, setAsked] = useState<Adjustment | null>(null);
  const leave = useLeaveRows();
  const confirm = () => {
    if (asked !== null) leave.send(asked._id, () => setAsked(null));
  };
  const ask = (entry: Adjustment) => {
    leave.reset();
    setAsked(entry);
  };
  return { leave, asked, confirm, ask, cancel: () => setAsked(null) };
}

function LeaveDialog({ leave, asked, confirm, cancel }: ReturnType<typeof useLeaving>) {
  if (asked === null) return null;
  return (
    <ConfirmDialog
      title={messages.openRows.leaveTitle}
      message={messages.openRows.leaveQuestion(countText(asked.resumable, "SKU", "SKUs"))}
      consequences={messages.openRows.leaveConsequences}
      confirmLabel={messages.openRows.leave}
      busyLabel={messages.openRows.leaving}
      change={leave}
      errorFallback={messages.openRows.leaveFailed}
      onConfirm={confirm}
      onCancel={cancel}
    />
  );
}

/** Whether any entry may have rows that did not move: most histories have none, and the rows may be thousands. */
function mayHaveOpenRows(entries: readonly Adjustment[]): boolean {
  return entries.some(
    (entry) => entry.note !== null || entry.status === "partial" || entry.status === "failed",
  );
}

const noRows: readonly AdjustmentRow[] = [];

function useHistory(sessionId: string, moving: boolean) {
  const { data: entries, error, refetch } = useQuery(historyQuery(sessionId, moving));
  const rows = useQuery({ ...openRowsQuery(sessionId), enabled: mayHaveOpenRows(entries ?? []) });
  return { entries, openRows: rows.data ?? noRows, error: error ?? rows.error, refetch };
}

/** Everything that can be done with the entries of the history, and how far each has come. */
function useActions({ report, onDeployed, onDone }: HistoryProps) {
  const rollingBack = useRollingBack(report.session._id, onDone);
  const resuming = useResuming(onDone);
  const leaving = useLeaving();
  const cancelling = useCancelling();
  const again = useDeploying(report, onDeployed);
  const act: Record<HistoryAction, (entry: Adjustment) => void> = {
    rollback: rollingBack.ask,
    resume: resuming.start,
    "deploy-again": again.ask,
    leave: leaving.ask,
    cancel: cancelling.ask,
  };
  const moving = rollingBack.rollback.isPending || resuming.resume.isPending;
  return { rollingBack, resuming, leaving, cancelling, again, act, moving };
}

type Actions = ReturnType<typeof useActions>;

/** What went wrong where no dialog is open to say it. */
function ActionErrors({ rollingBack, resuming, again }: Actions) {
  return (
    <>
      {rollingBack.asking ? null : (
        <ErrorBox error={rollingBack.rollback.error} fallback={messages.rollbackFailed} />
      )}
      <ErrorBox error={resuming.resume.error} fallback={messages.resumeFailed} />
      {again.asking ? null : <ErrorBox error={again.deploy.error} fallback={messages.deployFailed} />}
    </>
  );
}

interface ActionDialogsProps {
  readonly actions: Actions;
  readonly report: Report;
  readonly entries: readonly Adjustment[];
}

function ActionDialogs({ actions, report, entries }: ActionDialogsProps) {
  const { rollingBack, again, leaving, cancelling } = actions;
  return (
    <>
      <RollingBackDialog {...rollingBack} sessionId={report.session._id} entries={entries} />
      {again.asking ? (
        <DeployDialog
          report={report}
          deploy={again.deploy}
          progress={again.progress}
          onConfirm={again.confirm}
          onCancel={again.cancel}
        />
      ) : null}
      <LeaveDialog {...leaving} />
      <CancelDialog {...cancelling} />
    </>
  );
}

/** What was deployed and rolled back, what did not move and why, and what can be done about it. */
export function AdjustmentHistory(props: HistoryProps) {
  const { report } = props;
  const actions = useActions(props);
  const { entries, openRows, error, refetch } = useHistory(report.session._id, actions.moving);
  const leftOut = useMemo(() => leftOutOf(report, openRows, entries ?? []), [report, openRows, entries]);
  const underway = actions.moving || actions.again.underway || entries?.some(isUnderWay) === true;
  const held = report.session.restored === true;
  // On paper the cover says that nothing was deployed.
  const paper = entries?.length === 0 ? "screen-only" : "";
  const hasMoved = entries !== undefined && entries.length > 0;
  const timeline = useTimeline(report.session._id, hasMoved);
  return (
    <div className={`${classes.onScreen} ${paper}`}>
      <FoldingSection
        title={messages.history}
        anchor={anchors.history}
        count={knownQuantityText(entries?.length ?? null)}
      >
        <Stack gap="sm">
          <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
          <ActionErrors {...actions} />
          {entries === undefined && error === null ? <LoadingState /> : null}
          {entries === undefined ? null : (
            <AdjustmentTable
              entries={entries}
              openRows={openRows}
              leftOut={leftOut}
              deployed={report.deployed}
              busy={underway || held}
              onAction={(action, entry) => actions.act[action](entry)}
            />
          )}
          {hasMoved ? <Timeline timeline={timeline} /> : null}
          <UnclearRows rows={openRows} entries={entries ?? []} locked={held} />
        </Stack>
        <ActionDialogs actions={actions} report={report} entries={entries ?? []} />
      </FoldingSection>
    </div>
  );
}

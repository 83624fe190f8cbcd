import { Button, Group, Stack, Text } from "@mantine/core";
import type { Adjustment } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { OperationProgress } from "../../ui/operation-progress.tsx";
import { QuietTable } from "../../ui/quiet-table.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusBadge, type StatusTone } from "../../ui/status-badge.tsx";
import { adjustmentsQuery, useRollback } from "./api.ts";
import classes from "./reports.module.css";
import { rollbackTexts, texts } from "./texts.ts";
import { UnclearRows } from "./unclear-rows.tsx";

/** Specification, section 2: applied green, failed red, other yellow. */
function toneOfAdjustment(status: Adjustment["status"]): StatusTone {
  if (status === "applied") return "positive";
  return status === "failed" ? "negative" : "warning";
}

function StatusCell({ entry }: { entry: Adjustment }) {
  return (
    <div>
      <Group gap="xs">
        <span className={classes.status}>
          <StatusBadge tone={toneOfAdjustment(entry.status)}>{entry.status}</StatusBadge>
        </span>
        {entry.rolledBackAt === null ? null : <StatusBadge tone="neutral">Rolled Back</StatusBadge>}
      </Group>
      {entry.note === null ? null : <div className={classes.note}>{entry.note}</div>}
    </div>
  );
}

interface RollbackCellProps {
  readonly entry: Adjustment;
  readonly busy: boolean;
  readonly onRollback: () => void;
}

/** Only an applied entry that has not been rolled back can be. */
function RollbackCell({ entry, busy, onRollback }: RollbackCellProps) {
  if (entry.status !== "applied" || entry.rolledBackAt !== null) return null;
  const running = busy || entry.rollingBack;
  return (
    <Button variant="default" size="sm" disabled={running} onClick={onRollback}>
      {running ? texts.rollingBack : texts.rollback}
    </Button>
  );
}

interface HistoryProps {
  readonly sessionId: string;
  readonly onDone: (message: string) => void;
}

function useRollingBack({ sessionId, onDone }: HistoryProps) {
  const [asking, setAsking] = useState(false);
  const rollback = useRollback(sessionId);
  const confirm = () =>
    rollback.mutate(undefined, {
      onSuccess: ({ totalAdjustments }) => {
        setAsking(false);
        onDone(texts.rollbackDone(totalAdjustments));
      },
    });
  const ask = () => {
    rollback.reset();
    setAsking(true);
  };
  return { rollback, confirm, ask, asking: asking && !rollback.isLong, cancel: () => setAsking(false) };
}

interface HistoryTableProps {
  readonly entries: readonly Adjustment[];
  readonly busy: boolean;
  readonly onRollback: () => void;
}

function HistoryTable({ entries, busy, onRollback }: HistoryTableProps) {
  if (entries.length === 0) return <Text c="dimmed">{texts.noHistory}</Text>;
  return (
    <QuietTable
      label={texts.history}
      rows={entries}
      keyOf={(entry) => entry._id}
      columns={[
        { header: "Applied At", cell: (entry) => dateTimeText(entry.appliedAt) },
        { header: "Total Items", numeric: true, cell: (entry) => quantityText(entry.totalAdjustments) },
        { header: "Status", cell: (entry) => <StatusCell entry={entry} /> },
        { header: "Applied By", cell: (entry) => entry.appliedBy?.username ?? "System" },
        {
          header: "Actions",
          cell: (entry) => <RollbackCell entry={entry} busy={busy} onRollback={onRollback} />,
        },
      ]}
    />
  );
}

export function AdjustmentHistory(props: HistoryProps) {
  const { data, error, refetch } = useQuery(adjustmentsQuery(props.sessionId));
  const { rollback, confirm, ask, asking, cancel } = useRollingBack(props);
  return (
    <Section title={texts.history}>
      <Stack gap="sm">
        <ErrorBox error={error} fallback={texts.fetchFailed} onRetry={refetch} />
        {rollback.isLong ? (
          <OperationProgress label={texts.rollingBack} operation={rollback.operation} />
        ) : null}
        {asking ? null : <ErrorBox error={rollback.error} fallback={texts.rollbackFailed} />}
        {data === undefined && error === null ? <LoadingState /> : null}
        {data === undefined ? null : (
          <HistoryTable entries={data} busy={rollback.isPending} onRollback={ask} />
        )}
        {data === undefined || data.length === 0 ? null : <UnclearRows sessionId={props.sessionId} />}
      </Stack>
      {asking ? (
        <ConfirmDialog
          title={rollbackTexts.title}
          message={rollbackTexts.question}
          consequences={rollbackTexts.consequences}
          confirmLabel={rollbackTexts.confirm}
          busyLabel={texts.rollingBack}
          busy={rollback.isPending}
          error={rollback.error}
          errorFallback={texts.rollbackFailed}
          onConfirm={confirm}
          onCancel={cancel}
        />
      ) : null}
    </Section>
  );
}

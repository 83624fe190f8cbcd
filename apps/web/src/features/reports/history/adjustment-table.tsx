import { Button, Group, Text } from "@mantine/core";
import { type Adjustment, type AdjustmentRow, groupBy } from "@stocktake/contract";
import { dateTimeText, quantityText } from "../../../ui/formats.ts";
import { StatusBadge, type StatusTone } from "../../../ui/status-badge.tsx";
import { QuietTable } from "../../../ui/tables/quiet-table.tsx";
import { AdjustmentProgress } from "../deploy/adjustment-progress.tsx";
import { CountedSkuGroups, SkuGroups, type SkuReason } from "../deploy/sku-groups.tsx";
import { messages } from "../messages.ts";
import classes from "../reports.module.css";
import { cancelLabel } from "./cancelling.tsx";
import { waitingText } from "./waiting-text.ts";

function reasonOf({ state, note }: AdjustmentRow): string {
  if (state === "unclear") return messages.openRows.unclear;
  return note?.replace(/\.$/, "") ?? messages.openRows.refused;
}

interface FoldedProps {
  readonly rows: readonly SkuReason[];
  readonly title: (count: string) => string;
}

function Folded({ rows, title }: FoldedProps) {
  if (rows.length === 0) return null;
  return (
    <details className={classes.open}>
      <summary>{title(quantityText(rows.length))}</summary>
      <SkuGroups rows={rows} />
    </details>
  );
}

interface OpenRowsProps {
  readonly rows: readonly AdjustmentRow[];
  /** What the deploy was never to move. */
  readonly leftOut: readonly SkuReason[];
}

/** Which SKUs an adjustment did not move, or not move back, or left out, and why. */
function OpenRows({ rows, leftOut }: OpenRowsProps) {
  const inDirection = (direction: AdjustmentRow["direction"]) =>
    rows.filter((row) => row.direction === direction).map((row) => ({ sku: row.sku, reason: reasonOf(row) }));
  return (
    <>
      <Folded rows={inDirection("deploy")} title={messages.openRows.notMoved} />
      <Folded rows={inDirection("rollback")} title={messages.openRows.notMovedBack} />
      <Folded rows={leftOut} title={messages.openRows.notDeployed} />
    </>
  );
}

/** What a deploy left out that was rolled back since: nobody should have to remember it. */
function LeftOutThen({ entry: { leftOut = [], rolledBackAt } }: { readonly entry: Adjustment }) {
  if (rolledBackAt === null || leftOut.length === 0) return null;
  const count = leftOut.reduce((sum, each) => sum + each.count, 0);
  return (
    <details className={classes.open}>
      <summary>{messages.openRows.notDeployed(quantityText(count))}</summary>
      <CountedSkuGroups
        groups={leftOut.map(({ reason, ...skus }) => ({ reason: messages.skipReasons[reason], ...skus }))}
      />
    </details>
  );
}

/** What can be done with an entry of the history. */
export type HistoryAction = "rollback" | "resume" | "deploy-again" | "leave" | "cancel";

const leave: Offered = { action: "leave", label: messages.openRows.leave };

interface Offered {
  readonly action: HistoryAction;
  readonly label: string;
}

/**
 * Only an applied entry that has not been rolled back can be. A partial one goes on with what did not move, or is
 * complete without it. A failed one moved nothing, so it is resumed by deploying again, as long as nothing was since.
 */
function offeredFor(entry: Adjustment, isNewest: boolean, deployed: boolean): Offered[] {
  if (entry.rolledBackAt !== null) return [];
  switch (entry.status) {
    case "applied":
      return [{ action: "rollback", label: messages.rollback }];
    case "partial":
      if (entry.resumable === 0) return [];
      return [
        { action: "resume", label: messages.resume },
        // What a rollback has left is settled SKU by SKU.
        ...(entry.partlyRolledBack === true ? [] : [leave]),
      ];
    case "failed":
      return isNewest && !deployed ? [{ action: "deploy-again", label: messages.resume }] : [];
    case "pending":
      return [];
  }
}

interface AdjustmentActionsProps {
  readonly entry: Adjustment;
  readonly isNewest: boolean;
  readonly deployed: boolean;
  readonly busy: boolean;
  readonly onAction: (action: HistoryAction, entry: Adjustment) => void;
}

function AdjustmentActions({ entry, isNewest, deployed, busy, onAction }: AdjustmentActionsProps) {
  return (
    <Group gap="xs">
      {offeredFor(entry, isNewest, deployed).map(({ action, label }) => (
        <Button
          key={action}
          variant="default"
          size="sm"
          disabled={busy || entry.rollingBack}
          onClick={() => onAction(action, entry)}
        >
          {action === "rollback" && entry.rollingBack ? messages.rollingBack : label}
        </Button>
      ))}
      {entry.progress === null ? null : (
        <Button
          variant="default"
          size="sm"
          disabled={entry.cancelling === true}
          onClick={() => onAction("cancel", entry)}
        >
          {cancelLabel(entry)}
        </Button>
      )}
    </Group>
  );
}

/** Specification, section 2: applied green, failed red, other yellow. */
function toneOfAdjustment(status: Adjustment["status"]): StatusTone {
  if (status === "applied") return "positive";
  return status === "failed" ? "negative" : "warning";
}

interface StatusCellProps {
  readonly entry: Adjustment;
  readonly rows: readonly AdjustmentRow[];
  readonly leftOut: readonly SkuReason[];
}

function StatusCell({ entry, rows, leftOut }: StatusCellProps) {
  const label = entry.rollingBack ? messages.rollingBack : messages.deploying;
  const waiting = waitingText(entry);
  return (
    <div className={classes.state}>
      <Group gap="xs">
        <span className={classes.status}>
          <StatusBadge tone={toneOfAdjustment(entry.status)}>{entry.status}</StatusBadge>
        </span>
        {entry.rolledBackAt === null ? null : <StatusBadge tone="neutral">Rolled Back</StatusBadge>}
      </Group>
      {entry.note === null ? null : <div className={classes.note}>{entry.note}</div>}
      {entry.progress === null ? null : <AdjustmentProgress label={label} progress={entry.progress} />}
      {waiting === null ? null : <div className={classes.note}>{waiting}</div>}
      <OpenRows rows={rows} leftOut={leftOut} />
      <LeftOutThen entry={entry} />
    </div>
  );
}

interface AdjustmentTableProps {
  /** Newest first. */
  readonly entries: readonly Adjustment[];
  readonly openRows: readonly AdjustmentRow[];
  /** What the active deploy did not include. */
  readonly leftOut: readonly SkuReason[];
  readonly deployed: boolean;
  readonly busy: boolean;
  readonly onAction: (action: HistoryAction, entry: Adjustment) => void;
}

/** The entry that the report is deployed by. */
export function activeOf(entries: readonly Adjustment[]): Adjustment | undefined {
  return entries.find(
    ({ rolledBackAt, status }) => rolledBackAt === null && ["applied", "partial"].includes(status),
  );
}

export function AdjustmentTable(props: AdjustmentTableProps) {
  const { entries, openRows, leftOut, deployed, busy, onAction } = props;
  const active = activeOf(entries);
  const rowsOf = groupBy(openRows, ({ adjustmentId }) => adjustmentId);
  if (entries.length === 0) return <Text c="dimmed">{messages.noHistory}</Text>;
  return (
    <QuietTable
      label={messages.history}
      rows={entries}
      keyOf={(entry) => entry._id}
      columns={[
        { header: "Applied At", cell: (entry) => dateTimeText(entry.appliedAt) },
        { header: "Total Items", numeric: true, cell: (entry) => quantityText(entry.totalAdjustments) },
        {
          header: "Status",
          cell: (entry) => (
            <StatusCell
              entry={entry}
              rows={rowsOf.get(entry._id) ?? []}
              leftOut={entry === active ? leftOut : []}
            />
          ),
        },
        { header: "Applied By", cell: (entry) => entry.appliedBy?.username ?? "System" },
        {
          header: "Actions",
          cell: (entry) => (
            <AdjustmentActions
              entry={entry}
              isNewest={entry === entries[0]}
              deployed={deployed}
              busy={busy}
              onAction={onAction}
            />
          ),
        },
      ]}
    />
  );
}

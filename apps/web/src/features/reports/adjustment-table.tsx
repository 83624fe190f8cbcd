import { Group, Text } from "@mantine/core";
import type { Adjustment, AdjustmentRow } from "@stocktake/contract";
import { dateTimeText, quantityText } from "../../ui/formats.ts";
import { groupBy } from "../../ui/group-by.ts";
import { QuietTable } from "../../ui/quiet-table.tsx";
import { StatusBadge, type StatusTone } from "../../ui/status-badge.tsx";
import { AdjustmentActions, type HistoryAction } from "./adjustment-actions.tsx";
import { AdjustmentProgress } from "./adjustment-progress.tsx";
import { OpenRows } from "./open-rows.tsx";
import classes from "./reports.module.css";
import type { SkuReason } from "./sku-groups.tsx";
import { texts } from "./texts.ts";

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
  const label = entry.rollingBack ? texts.rollingBack : texts.deploying;
  return (
    <div className={classes.standing}>
      <Group gap="xs">
        <span className={classes.status}>
          <StatusBadge tone={toneOfAdjustment(entry.status)}>{entry.status}</StatusBadge>
        </span>
        {entry.rolledBackAt === null ? null : <StatusBadge tone="neutral">Rolled Back</StatusBadge>}
      </Group>
      {entry.note === null ? null : <div className={classes.note}>{entry.note}</div>}
      {entry.progress === null ? null : <AdjustmentProgress label={label} progress={entry.progress} />}
      <OpenRows rows={rows} leftOut={leftOut} />
    </div>
  );
}

interface AdjustmentTableProps {
  /** Newest first. */
  readonly entries: readonly Adjustment[];
  readonly openRows: readonly AdjustmentRow[];
  /** What the deploy that stands has left out. */
  readonly leftOut: readonly SkuReason[];
  readonly deployed: boolean;
  readonly busy: boolean;
  readonly onAction: (action: HistoryAction, entry: Adjustment) => void;
}

/** The entry that the report is deployed by. */
function standingOf(entries: readonly Adjustment[]): Adjustment | undefined {
  return entries.find(
    ({ rolledBackAt, status }) => rolledBackAt === null && ["applied", "partial"].includes(status),
  );
}

export function AdjustmentTable(props: AdjustmentTableProps) {
  const { entries, openRows, leftOut, deployed, busy, onAction } = props;
  const standing = standingOf(entries);
  const rowsOf = groupBy(openRows, ({ adjustmentId }) => adjustmentId);
  if (entries.length === 0) return <Text c="dimmed">{texts.noHistory}</Text>;
  return (
    <QuietTable
      label={texts.history}
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
              leftOut={entry === standing ? leftOut : []}
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

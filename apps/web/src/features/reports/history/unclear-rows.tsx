import { Button, Group, Text, Title } from "@mantine/core";
import { type AdjustmentRow, settleRow } from "@stocktake/contract";
import { callApi } from "../../../http/call.ts";
import { staleAfter } from "../../../http/shared-queries.ts";
import { useChange } from "../../../http/use-change.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { signedText } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import classes from "../reports.module.css";

function useSettleRow() {
  return useChange(
    ({ adjustmentId, ...body }: { adjustmentId: string; sku: string; applied: boolean }) =>
      callApi(settleRow, { params: { adjustmentId }, body }),
    staleAfter.report,
  );
}

function RowText({ row }: { row: AdjustmentRow }) {
  return (
    <div className={classes.what}>
      <span className={classes.code}>{row.sku}</span> <span className="tabular">{signedText(row.delta)}</span>
      {row.direction === "rollback" ? ` (${messages.unclear.rollback})` : ""}
      {row.note === null ? null : <div className={classes.note}>{row.note}</div>}
    </div>
  );
}

interface SettleProps {
  readonly row: AdjustmentRow;
  readonly busy: boolean;
  readonly onSettle: (applied: boolean) => void;
}

function UnclearRow({ row, busy, onSettle }: SettleProps) {
  return (
    <li className={classes.decision}>
      <RowText row={row} />
      <Group gap="xs">
        <Button
          variant="default"
          size="sm"
          disabled={busy}
          onClick={() => onSettle(true)}
          aria-label={`${messages.unclear.moved}: ${row.sku}`}
        >
          {messages.unclear.moved}
        </Button>
        <Button
          variant="default"
          size="sm"
          disabled={busy}
          onClick={() => onSettle(false)}
          aria-label={`${messages.unclear.notMoved}: ${row.sku}`}
        >
          {messages.unclear.notMoved}
        </Button>
      </Group>
    </li>
  );
}

function keyOf(row: AdjustmentRow): string {
  return `${row.adjustmentId} ${row.sku} ${row.direction}`;
}

interface UnclearRowsProps {
  readonly rows: readonly AdjustmentRow[];
  /** Until a restored session is released nothing of it is settled. */
  readonly locked: boolean;
}

function Settling({ rows, locked }: UnclearRowsProps) {
  const settle = useSettleRow();
  if (rows.length === 0) return null;
  return (
    <div>
      <Title order={3} fz="1rem">
        {messages.unclear.heading}
      </Title>
      <Text c="dimmed" fz="sm">
        {messages.unclear.intro}
      </Text>
      <ErrorBox error={settle.error} fallback={messages.settleFailed} />
      <ul className={classes.list}>
        {rows.map((row) => (
          <UnclearRow
            key={keyOf(row)}
            row={row}
            busy={locked || settle.isPending}
            onSettle={(applied) => settle.send({ adjustmentId: row.adjustmentId, sku: row.sku, applied })}
          />
        ))}
      </ul>
    </div>
  );
}

/** The rows of a session's adjustments that a person must check. */
export function UnclearRows({ rows, locked }: UnclearRowsProps) {
  return <Settling rows={rows.filter((row) => row.state === "unclear")} locked={locked} />;
}

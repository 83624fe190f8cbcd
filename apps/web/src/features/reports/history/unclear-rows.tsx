import { Button, Group, Text, Title } from "@mantine/core";
import { type Adjustment, type AdjustmentRow, settleRow } from "@stocktake/contract";
import { callApi } from "../../../http/call.ts";
import { staleAfter } from "../../../http/query-roots.ts";
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

/** What a person is asked about some rows. */
interface Question {
  readonly heading: string;
  readonly intro: string;
  readonly yes: string;
  readonly no: string;
}

const unclearQuestion: Question = {
  heading: messages.unclear.heading,
  intro: messages.unclear.intro,
  yes: messages.unclear.moved,
  no: messages.unclear.notMoved,
};

const leftQuestion: Question = {
  heading: messages.partialRollback.heading,
  intro: messages.partialRollback.intro,
  yes: messages.partialRollback.movedByHand,
  no: messages.partialRollback.stays,
};

interface SettleProps {
  readonly row: AdjustmentRow;
  readonly question: Question;
  readonly busy: boolean;
  readonly onSettle: (applied: boolean) => void;
}

function SettleRow({ row, question, busy, onSettle }: SettleProps) {
  const answers = [
    { label: question.yes, applied: true },
    { label: question.no, applied: false },
  ];
  return (
    <li className={classes.decision}>
      <RowText row={row} />
      <Group gap="xs">
        {answers.map(({ label, applied }) => (
          <Button
            key={label}
            variant="default"
            size="sm"
            disabled={busy}
            onClick={() => onSettle(applied)}
            aria-label={`${label}: ${row.sku}`}
          >
            {label}
          </Button>
        ))}
      </Group>
    </li>
  );
}

function keyOf(row: AdjustmentRow): string {
  return `${row.adjustmentId} ${row.sku} ${row.direction}`;
}

interface SettlingProps {
  readonly rows: readonly AdjustmentRow[];
  readonly question: Question;
  /** Until a restored session is released nothing of it is settled. */
  readonly locked: boolean;
}

function Settling({ rows, question, locked }: SettlingProps) {
  const settle = useSettleRow();
  if (rows.length === 0) return null;
  return (
    <div>
      <Title order={3} fz="1rem">
        {question.heading}
      </Title>
      <Text c="dimmed" fz="sm">
        {question.intro}
      </Text>
      <ErrorBox error={settle.error} fallback={messages.settleFailed} />
      <ul className={classes.list}>
        {rows.map((row) => (
          <SettleRow
            key={keyOf(row)}
            row={row}
            question={question}
            busy={locked || settle.isPending}
            onSettle={(applied) => settle.send({ adjustmentId: row.adjustmentId, sku: row.sku, applied })}
          />
        ))}
      </ul>
    </div>
  );
}

/** What a partial rollback did not move and nobody has settled. */
function isLeft({ direction, state, settled }: AdjustmentRow): boolean {
  return direction === "rollback" && state === "not_moved" && settled !== true;
}

interface UnclearRowsProps {
  readonly rows: readonly AdjustmentRow[];
  readonly entries: readonly Adjustment[];
  /** Until a restored session is released nothing of it is settled. */
  readonly locked: boolean;
}

/** The rows of a session's adjustments that a person must look at, and those that a rollback has left. */
export function UnclearRows({ rows, entries, locked }: UnclearRowsProps) {
  const partly = new Set(entries.filter((entry) => entry.partlyRolledBack === true).map(({ _id }) => _id));
  const left = rows.filter((row) => isLeft(row) && partly.has(row.adjustmentId));
  return (
    <>
      <Settling
        rows={rows.filter((row) => row.state === "unclear")}
        question={unclearQuestion}
        locked={locked}
      />
      <Settling rows={left} question={leftQuestion} locked={locked} />
    </>
  );
}

import { Stack, Text } from "@mantine/core";
import { dateTimeText, noneText, quantityText, signedText } from "../../../ui/formats.ts";
import { Notice, type NoticeKind } from "../../../ui/notice.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { PreviewProduct, PreviewTable } from "../preview-table.tsx";
import classes from "../reports.module.css";
import type { ReleasePreview } from "./api.ts";
import { messages } from "./messages.ts";

const tones = { moved: "warning", not_moved: "positive", unknown: "neutral" } as const;
const kinds: Record<ReleasePreview["verdict"], NoticeKind> = {
  all: "warning",
  some: "warning",
  unclear: "warning",
  none: "success",
};

interface ReleasePreviewProps {
  readonly preview: ReleasePreview;
}

const figureText = (figure: number | null) => (figure === null ? noneText : quantityText(figure));

/** The rows, those that look moved first. */
export function ReleasePreviewRows({ preview: { rows, total, uncounted } }: ReleasePreviewProps) {
  const all = total + uncounted.total;
  if (rows.length === 0) return null;
  return (
    <PreviewTable
      label={messages.table}
      rows={rows}
      keyOf={(row) => `${row.sku} ${row.direction}`}
      listed={all > rows.length ? messages.listed(rows.length, all) : null}
      columns={[
        {
          header: "SKU",
          cell: (row) => (
            <PreviewProduct row={row}>
              {row.uncounted ? <StatusBadge tone="neutral">{messages.notCounted}</StatusBadge> : null}
            </PreviewProduct>
          ),
        },
        {
          header: "Looks",
          cell: (row) => <StatusBadge tone={tones[row.looks]}>{messages.looks[row.looks]}</StatusBadge>,
        },
        { header: "Change", numeric: true, cell: (row) => signedText(row.delta) },
        {
          header: "Quantity",
          cell: (row) => <span className={classes.whole}>{messages.measure[row.measure]}</span>,
        },
        { header: "If Not Moved", numeric: true, cell: (row) => figureText(row.before) },
        { header: "If Moved", numeric: true, cell: (row) => figureText(row.after) },
        { header: "Now", numeric: true, cell: (row) => figureText(row.now) },
      ]}
    />
  );
}

/** When the backup was made, and what of the session looks as if it had been moved since. */
export function ReleasePreviewPanel({ preview }: ReleasePreviewProps) {
  const { question, verdict, checked, total, uncounted } = preview;
  return (
    <Stack gap="sm">
      <Text>{messages.times(dateTimeText(preview.backupMadeAt), dateTimeText(preview.restoredAt))}</Text>
      {question === "nothing" ? (
        <Notice kind="success">{messages.nothing}</Notice>
      ) : (
        <>
          {checked < total ? <Notice kind="warning">{messages.unfinished(checked, total)}</Notice> : null}
          <Notice kind={kinds[verdict]} title={messages.verdict(question, verdict)}>
            <div>{messages.figures(preview)}</div>
            {uncounted.moved === 0 ? null : <div>{messages.uncounted(uncounted.moved)}</div>}
            <div>{messages.hint}</div>
          </Notice>
        </>
      )}
    </Stack>
  );
}

import { Button, Stack, Text } from "@mantine/core";
import type { ReleasePreviewRow } from "@stocktake/contract";
import { useState } from "react";
import { dateTimeText, quantityText, signedText } from "../../../ui/formats.ts";
import { Notice, type NoticeKind } from "../../../ui/notice.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { QuietTable } from "../../../ui/tables/quiet-table.tsx";
import classes from "../reports.module.css";
import type { ReleasePreview } from "./api.ts";
import { messages } from "./messages.ts";

const firstShown = 10;
const shownMore = 100;
const unknown = "–";

const tones = { moved: "warning", not_moved: "positive", unknown: "neutral" } as const;
const kinds: Record<ReleasePreview["verdict"], NoticeKind> = {
  all: "warning",
  some: "warning",
  unclear: "warning",
  none: "success",
};

function ProductCell({ row }: { row: ReleasePreviewRow }) {
  const size = row.size === null || row.size === "" ? "" : `, ${row.size}`;
  return (
    <div className={classes.stacked}>
      <span className={classes.code}>{row.sku}</span>
      <span className={classes.note}>
        {row.productTitle}
        {size}
      </span>
      {row.uncounted ? <StatusBadge tone="neutral">{messages.notCounted}</StatusBadge> : null}
    </div>
  );
}

interface ReleasePreviewProps {
  readonly preview: ReleasePreview;
}

const figureText = (figure: number | null) => (figure === null ? unknown : quantityText(figure));

/** The rows, those that look moved first. */
export function ReleasePreviewRows({ preview: { rows, total, uncounted } }: ReleasePreviewProps) {
  const [shown, setShown] = useState(firstShown);
  const all = total + uncounted.total;
  if (rows.length === 0) return null;
  const left = rows.length - shown;
  return (
    <div>
      <QuietTable
        label={messages.table}
        rows={rows.slice(0, shown)}
        keyOf={(row) => `${row.sku} ${row.direction}`}
        columns={[
          { header: "SKU", cell: (row) => <ProductCell row={row} /> },
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
      {left > 0 ? (
        <Button variant="default" size="sm" mt="xs" onClick={() => setShown(shown + shownMore)}>
          {messages.more(Math.min(left, shownMore))}
        </Button>
      ) : null}
      {all > rows.length ? (
        <Text fz="sm" c="dimmed" mt="xs">
          {messages.listed(rows.length, all)}
        </Text>
      ) : null}
    </div>
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

import { Button, Stack, Text } from "@mantine/core";
import type { RollbackPreviewRow } from "@stocktake/contract";
import { countText, dateTimeText, noneText, quantityText, signedText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import type { RollbackPreview } from "../api.ts";
import { messages } from "../messages.ts";
import { PreviewProduct, PreviewTable } from "../preview-table.tsx";
import classes from "../reports.module.css";

const skusText = (count: number) => countText(count, "SKU", "SKUs");

function ProductCell({ row }: { row: RollbackPreviewRow }) {
  return (
    <PreviewProduct row={row}>
      {row.wouldGoNegative ? (
        <StatusBadge tone="negative">{messages.rollbackDialog.belowZero}</StatusBadge>
      ) : null}
      {row.cannotMove === null ? null : (
        <>
          <StatusBadge tone="warning">{messages.rollbackDialog.notRolledBack}</StatusBadge>
          <span className={classes.note}>{messages.skipReasons[row.cannotMove]}</span>
        </>
      )}
    </PreviewProduct>
  );
}

function Change({ now, after }: { now: number | null; after: number | null }) {
  if (now === null || after === null) return noneText;
  return (
    <span>
      {quantityText(now)} →{" "}
      <span className={after < 0 ? classes.below : undefined}>{quantityText(after)}</span>
    </span>
  );
}

function RollbackRows({ rows, affected }: Pick<RollbackPreview, "rows" | "affected">) {
  const listed = messages.rollbackDialog.listed(quantityText(rows.length), quantityText(affected));
  return (
    <PreviewTable
      label={messages.rollbackDialog.table}
      rows={rows}
      keyOf={(row) => row.sku}
      listed={affected > rows.length ? listed : null}
      columns={[
        { header: "SKU", cell: (row) => <ProductCell row={row} /> },
        {
          header: "Moved Since",
          numeric: true,
          cell: (row) => (row.movedSince === null ? noneText : signedText(row.movedSince)),
        },
        { header: "Rollback", numeric: true, cell: (row) => signedText(row.delta) },
        {
          header: "On Hand",
          numeric: true,
          cell: (row) => <Change now={row.onHandNow} after={row.afterRollback} />,
        },
        {
          header: "Available",
          numeric: true,
          cell: (row) => <Change now={row.availableNow} after={row.availableAfter} />,
        },
      ]}
    />
  );
}

function Findings({ preview }: { preview: RollbackPreview }) {
  const { negative, cannotMove, unknown: settled, moved } = preview;
  return (
    <>
      {negative === 0 ? null : (
        <Notice kind="error" title={messages.rollbackDialog.negative}>
          {messages.rollbackDialog.negativeText(skusText(negative))}
        </Notice>
      )}
      {cannotMove === 0 ? null : (
        <Notice kind="warning" title={messages.rollbackDialog.cannotMove}>
          {messages.rollbackDialog.cannotMoveText(skusText(cannotMove))}
        </Notice>
      )}
      {settled === 0 ? null : (
        <Notice kind="warning" title={messages.rollbackDialog.unknown}>
          {messages.rollbackDialog.unknownText(skusText(settled))}
        </Notice>
      )}
      {moved === 0 ? null : (
        <Notice kind="info" title={messages.rollbackDialog.moved}>
          {messages.rollbackDialog.movedText(skusText(moved))}
        </Notice>
      )}
    </>
  );
}

interface RollbackPreviewPanelProps {
  readonly preview: RollbackPreview;
  readonly busy: boolean;
  readonly onCheckAgain: () => void;
}

function Unfinished({ preview, busy, onCheckAgain }: RollbackPreviewPanelProps) {
  const again = (
    <Button variant="default" size="sm" disabled={busy} onClick={onCheckAgain}>
      {messages.rollbackDialog.checkAgain}
    </Button>
  );
  return (
    <Notice kind="warning" action={again}>
      {messages.rollbackDialog.unfinished(
        quantityText(preview.checked),
        quantityText(preview.totalAdjustments),
      )}
    </Notice>
  );
}

/** Which SKUs have moved since the deploy, would go below zero or can't be moved back; calm where there are none. */
export function RollbackPreviewPanel(props: RollbackPreviewPanelProps) {
  const { preview } = props;
  const whole = preview.checked === preview.totalAdjustments;
  return (
    <Stack gap="sm">
      {whole ? null : <Unfinished {...props} />}
      {whole && preview.affected === 0 ? (
        <Notice kind="success">{messages.rollbackDialog.calm(skusText(preview.totalAdjustments))}</Notice>
      ) : null}
      <Findings preview={preview} />
      {preview.rows.length === 0 ? null : <RollbackRows rows={preview.rows} affected={preview.affected} />}
      <Text fz="sm" c="dimmed">
        {messages.rollbackDialog.asOf(dateTimeText(preview.readAt))}
      </Text>
    </Stack>
  );
}

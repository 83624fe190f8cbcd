import type { AdjustmentRow } from "@stocktake/contract";
import { countText } from "../../ui/formats.ts";
import classes from "./reports.module.css";
import { SkuGroups, type SkuReason } from "./sku-groups.tsx";
import { openRowTexts } from "./texts.ts";

function reasonOf({ state, note }: AdjustmentRow): string {
  if (state === "unclear") return openRowTexts.unclear;
  return note?.replace(/\.$/, "") ?? openRowTexts.refused;
}

interface FoldedProps {
  readonly rows: readonly SkuReason[];
  readonly title: (skus: string) => string;
}

function Folded({ rows, title }: FoldedProps) {
  if (rows.length === 0) return null;
  return (
    <details className={classes.open}>
      <summary>{title(countText(rows.length, "SKU", "SKUs"))}</summary>
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
export function OpenRows({ rows, leftOut }: OpenRowsProps) {
  const inDirection = (direction: AdjustmentRow["direction"]) =>
    rows.filter((row) => row.direction === direction).map((row) => ({ sku: row.sku, reason: reasonOf(row) }));
  return (
    <>
      <Folded rows={inDirection("deploy")} title={openRowTexts.notMoved} />
      <Folded rows={inDirection("rollback")} title={openRowTexts.notMovedBack} />
      <Folded rows={leftOut} title={openRowTexts.leftOut} />
    </>
  );
}

import type { AdjustmentRow } from "@stocktake/contract";
import { countText } from "../../ui/formats.ts";
import classes from "./reports.module.css";
import { SkuGroups } from "./sku-groups.tsx";
import { openRowTexts } from "./texts.ts";

function reasonOf({ state, note }: AdjustmentRow): string {
  if (state === "unclear") return openRowTexts.unclear;
  return note?.replace(/\.$/, "") ?? openRowTexts.refused;
}

function Direction({ rows, title }: { rows: readonly AdjustmentRow[]; title: (skus: string) => string }) {
  if (rows.length === 0) return null;
  return (
    <details className={classes.open}>
      <summary>{title(countText(rows.length, "SKU", "SKUs"))}</summary>
      <SkuGroups rows={rows.map((row) => ({ sku: row.sku, reason: reasonOf(row) }))} />
    </details>
  );
}

/** Which SKUs an adjustment did not move, or not move back, and why. */
export function OpenRows({ rows }: { rows: readonly AdjustmentRow[] }) {
  return (
    <>
      <Direction rows={rows.filter((row) => row.direction === "deploy")} title={openRowTexts.notMoved} />
      <Direction
        rows={rows.filter((row) => row.direction === "rollback")}
        title={openRowTexts.notMovedBack}
      />
    </>
  );
}

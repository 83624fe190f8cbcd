import type { Report } from "../api.ts";
import { anchors } from "../lead-to.ts";
import { ExceptionsPanel } from "./exceptions-panel.tsx";

// Whatever is shown of the report, rows with a manual count are among its items.
function countSetByHand({ items }: Report, sku: string): number | null {
  const row = items.find((item) => item.sku === sku);
  return row?.manual === true ? row.counted : null;
}

/** The scans under the report that need a decision, and those that were decided on. */
export function ReportExceptions({ report }: { report: Report }) {
  return (
    <ExceptionsPanel
      sessionId={report.session._id}
      storeId={report.session.storeId._id}
      locked={report.deployed}
      anchor={anchors.decisions}
      setByHand={(sku) => countSetByHand(report, sku)}
      rowOf={(sku) => report.items.find((item) => item.sku === sku)}
      expected={report.exceptions.unresolved + report.exceptions.late}
      folds
    />
  );
}

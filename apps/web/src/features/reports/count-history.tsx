import { Text } from "@mantine/core";
import type { CountAdjustment } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText, quantityText } from "../../ui/formats.ts";
import { countHistoryQuery } from "./api.ts";
import classes from "./reports.module.css";
import { adjustTexts } from "./texts.ts";

function Change({ change }: { change: CountAdjustment }) {
  return (
    <li>
      <span className={classes.change}>
        {quantityText(change.previousCount)} → {quantityText(change.newCount)}
      </span>
      <span className={classes.note}>
        {adjustTexts.changedBy(change.adjustedBy?.username ?? "System", dateTimeText(change.adjustedAt))}
        {change.reason === null ? null : <span className={classes.reason}>{change.reason}</span>}
      </span>
    </li>
  );
}

/** Who set a SKU's count by hand before, when, from what to what, and why. */
export function CountHistory({ sessionId, sku }: { sessionId: string; sku: string }) {
  const { data = [], error, refetch } = useQuery(countHistoryQuery(sessionId, sku));
  if (error !== null) {
    return <ErrorBox error={error} fallback={adjustTexts.historyFailed} onRetry={refetch} />;
  }
  if (data.length === 0) return null;
  return (
    <div>
      <Text fz="sm" c="dimmed" mb={4}>
        {adjustTexts.history}
      </Text>
      <ol className={classes.changes} aria-label={adjustTexts.history}>
        {data.map((change) => (
          <Change key={change._id} change={change} />
        ))}
      </ol>
    </div>
  );
}

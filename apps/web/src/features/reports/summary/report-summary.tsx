import { useMemo } from "react";
import { countText, quantityText, signedMoneyText, varianceColor } from "../../../ui/formats.ts";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import { openDoubts } from "./report-shares.ts";
import classes from "./report-summary.module.css";

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly colour?: string | undefined;
}

function Figure({ label, value, colour }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd style={{ color: colour }}>{value}</dd>
    </div>
  );
}

/** The report's footer: always speaks of every item in scope, whatever the table shows. */
export function ReportSummary({
  report,
}: {
  report: Pick<Report, "items" | "deployed" | "basis" | "summary">;
}) {
  const { summary } = report;
  const uncertain = useMemo(() => openDoubts(report), [report]);
  return (
    <div>
      <dl className={classes.figures}>
        <Figure label="Total Items" value={quantityText(summary.totalItems)} />
        <Figure
          label="Shortages"
          value={quantityText(summary.shortages)}
          colour={varianceColor(-summary.shortages)}
        />
        <Figure
          label="Overages"
          value={quantityText(summary.overages)}
          colour={varianceColor(summary.overages)}
        />
        <Figure label="Perfect Matches" value={quantityText(summary.matches)} />
        <Figure
          label="Total Cost Impact"
          value={signedMoneyText(summary.totalCostImpact, summary.currency)}
          colour={varianceColor(summary.totalCostImpact)}
        />
      </dl>
      {summary.totalCostImpact === null ? (
        <p className={classes.note}>{messages.summaryNotes.tooLarge}</p>
      ) : null}
      {uncertain === 0 ? null : (
        <p className={classes.note}>
          {messages.uncertain.summary(countText(uncertain, "row is", "rows are"))}
        </p>
      )}
      {summary.withoutCost === 0 ? null : (
        <p className={classes.note}>
          {messages.summaryNotes.withoutCost(
            countText(summary.withoutCost, "item is", "items are"),
            summary.withoutCost === 1 ? "it" : "them",
          )}
        </p>
      )}
    </div>
  );
}

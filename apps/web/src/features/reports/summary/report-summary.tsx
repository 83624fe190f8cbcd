import { useMemo } from "react";
import { signedMoneyText } from "../../../ui/figures/money-text.ts";
import { countText, quantityText, varianceColor } from "../../../ui/formats.ts";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import { type OpenDoubts, openDoubts } from "./report-shares.ts";
import classes from "./report-summary.module.css";

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly colour?: string | undefined;
}

/** As many letters as the narrowest tile of a phone has room for in one line. */
const lettersOfTile = 12;

function Figure({ label, value, colour }: FigureProps) {
  return (
    <div className={value.length > lettersOfTile ? classes.long : undefined}>
      <dt>{label}</dt>
      <dd style={{ color: colour }}>{value}</dd>
    </div>
  );
}

/** Once it is deployed nobody can decide about them any more. */
function doubtsText({ rows, someIncludable }: OpenDoubts, deployed: boolean): string {
  const { summary, notDeployedThen } = messages.uncertain;
  if (deployed) return notDeployedThen(countText(rows, "uncertain row was", "uncertain rows were"));
  return summary(countText(rows, "row is", "rows are"), someIncludable);
}

/** The report's footer: always speaks of every item in scope, whatever the table shows. */
export function ReportSummary({
  report,
}: {
  report: Pick<Report, "items" | "deployed" | "basis" | "summary">;
}) {
  const { summary } = report;
  const doubts = useMemo(() => openDoubts(report), [report]);
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
      {doubts.rows === 0 ? null : <p className={classes.note}>{doubtsText(doubts, report.deployed)}</p>}
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

import { useMemo } from "react";
import { countText, signedMoneyFormat, signedText } from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import type { ReportFilter } from "../table/report-filter.ts";
import { type ReportShare, reportShares } from "./report-shares.ts";
import { ReportSummary } from "./report-summary.tsx";
import classes from "./report-totals.module.css";

/** "+3, -12 units". */
function unitsText({ above, below }: ReportShare): string {
  const parts = [above, below].filter((units) => units !== 0).map(signedText);
  return messages.totals.units(parts.join(", ") || signedText(0));
}

interface ReportTotalsProps {
  readonly report: Report;
  readonly onFilter: (filter: ReportFilter) => void;
}

/** "+3, -12 units, -$29.80, plus 1 SKU without a cost". */
function figuresText(share: ReportShare, moneyText: (value: number | null) => string): string {
  const { items, cost, withoutCost } = share;
  if (items === 0) return "";
  const rest = withoutCost === 0 || cost === null ? "" : messages.totals.withoutCost(withoutCost);
  return `${unitsText(share)}, ${moneyText(cost)}${rest}`;
}

function labelOf({ filter }: ReportShare, deployed: boolean): string {
  if (filter === "moved" && deployed) return messages.totals.movedByDeploy;
  return messages.totals.shares[filter] ?? "";
}

/** The five totals of everything in scope, and what they are made of; each part leads to its rows. */
export function ReportTotals({ report, onFilter }: ReportTotalsProps) {
  const shares = useMemo(() => reportShares(report), [report]);
  const moneyText = useMemo(() => signedMoneyFormat(report.summary.currency), [report.summary.currency]);
  return (
    <Section title={messages.totals.heading}>
      <ReportSummary summary={report.summary} />
      <ul className={classes.shares} aria-label={messages.totals.split}>
        {shares.map((share) => (
          <li key={share.filter}>
            <button
              type="button"
              className={classes.share}
              disabled={share.items === 0}
              onClick={() => onFilter(share.filter)}
            >
              <span className={classes.label}>{labelOf(share, report.deployed)}</span>
              <strong>{countText(share.items, "SKU", "SKUs")}</strong>
              <span className={classes.label}>{figuresText(share, moneyText)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className={classes.note}>{messages.totals.note}</p>
    </Section>
  );
}

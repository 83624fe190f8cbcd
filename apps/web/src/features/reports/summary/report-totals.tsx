import { useMemo } from "react";
import { signedMoneyFormat } from "../../../ui/figures/money-text.ts";
import { countText } from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import type { Report } from "../api.ts";
import { MovedInTotals } from "../deploy/moved-after-count.tsx";
import { messages } from "../messages.ts";
import type { ReportFilter } from "../table/report-filter.ts";
import { figuresText, type ReportShare, reportShares } from "./report-shares.ts";
import { ReportSummary } from "./report-summary.tsx";
import classes from "./report-totals.module.css";

interface ReportTotalsProps {
  readonly report: Report;
  readonly onFilter: (filter: ReportFilter) => void;
}

function labelOf({ filter }: ReportShare, deployed: boolean): string {
  if (filter === "moved" && deployed) return messages.totals.movedByDeploy;
  return messages.totals.shares[filter] ?? "";
}

/** The five totals of everything in scope, and what they are made of; each part leads to its rows. */
export function ReportTotals({ report, onFilter }: ReportTotalsProps) {
  const shares = useMemo(() => reportShares(report), [report]);
  const moneyText = useMemo(() => signedMoneyFormat(report.summary.currency), [report.summary.currency]);
  const letters = Math.max(...shares.map(({ cost }) => moneyText(cost).length));
  return (
    <Section title={messages.totals.heading}>
      <ReportSummary report={report} />
      <ul className={classes.shares} style={{ "--sum-letters": letters }} aria-label={messages.totals.split}>
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
      <MovedInTotals report={report} onFilter={onFilter} />
    </Section>
  );
}

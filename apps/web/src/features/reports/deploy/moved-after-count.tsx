import { Button } from "@mantine/core";
import { countText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import { type ReportFilter, unitsMovedAfterCount } from "../table/report-filter.ts";

const named = 5;

interface MovedProps {
  readonly report: Pick<Report, "basis" | "items">;
}

function movedIn({ basis, items }: MovedProps["report"]) {
  return items.filter((item) => unitsMovedAfterCount(item, basis) !== 0);
}

const titleOf = (moved: readonly unknown[]) =>
  messages.movedAfterCount.title(countText(moved.length, "SKU", "SKUs"));

/** Of a deploy that compares with the end: what was sold after it was counted would be put back, and what came in taken out. */
export function MovedAfterCount({ report }: MovedProps) {
  const moved = movedIn(report);
  if (moved.length === 0) return null;
  const skus = moved.slice(0, named).map(({ sku }) => sku);
  return (
    <Notice kind="warning" title={titleOf(moved)}>
      {messages.movedAfterCount.text(moved.length > named ? [...skus, `${moved.length - named} more`] : skus)}
    </Notice>
  );
}

interface MovedInTotalsProps extends MovedProps {
  readonly onFilter: (filter: ReportFilter) => void;
}

/** The same before anybody deploys, beside the totals that it is part of: how much of it there is, and the way to its rows. */
export function MovedInTotals({ report, onFilter }: MovedInTotalsProps) {
  const moved = movedIn(report);
  if (moved.length === 0) return null;
  const units = moved.reduce((sum, item) => sum + unitsMovedAfterCount(item, report.basis), 0);
  const isCertain = moved.every(({ varianceAtCount: { low, high } }) => low === high);
  const { inTotals, link } = messages.movedAfterCount;
  return (
    <Notice
      kind="warning"
      title={titleOf(moved)}
      action={
        <Button variant="default" size="sm" onClick={() => onFilter("moved_after_count")}>
          {link}
        </Button>
      }
    >
      {inTotals(countText(units, "unit", "units"), isCertain)}
    </Notice>
  );
}

import { Button } from "@mantine/core";
import { countText, quantityText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import type { ReportFilter } from "../table/report-filter.ts";

const texts = messages.movedAfterCount;

interface MovedProps {
  /** The server has summed up every SKU, whichever rows are shown; one of a release before says nothing of it. */
  readonly report: Pick<Report, "summary">;
}

const titleOf = (items: number) => texts.title(countText(items, "SKU", "SKUs"));

/** Of a deploy that compares with the end: what was sold after it was counted would be put back, and what came in taken out. */
export function MovedAfterCount({ report }: MovedProps) {
  const { movedAfterCount: moved } = report.summary;
  if (moved === undefined) return null;
  const { items, firstSkus } = moved;
  const more = items - firstSkus.length;
  return (
    <Notice kind="warning" title={titleOf(items)}>
      {texts.text(more === 0 ? firstSkus : [...firstSkus, `${quantityText(more)} more`])}
    </Notice>
  );
}

interface MovedInTotalsProps extends MovedProps {
  readonly onFilter: (filter: ReportFilter) => void;
}

/** The same before anybody deploys, beside the totals that it is part of: how much of it there is, and the way to its rows. */
export function MovedInTotals({ report, onFilter }: MovedInTotalsProps) {
  const { movedAfterCount: moved } = report.summary;
  if (moved === undefined) return null;
  return (
    <Notice
      kind="warning"
      title={titleOf(moved.items)}
      action={
        <Button variant="default" size="sm" onClick={() => onFilter("moved_after_count")}>
          {texts.link}
        </Button>
      }
    >
      {texts.inTotals(countText(moved.units, "unit", "units"), moved.isCertain)}
    </Notice>
  );
}

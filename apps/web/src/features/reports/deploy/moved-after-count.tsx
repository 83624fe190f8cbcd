import type { ReportItem } from "@stocktake/contract";
import { countText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";

const named = 5;

/** Its variance at the moment of counting is not, or not for sure, the one at the end. */
function differsAtCount({ variance, varianceAtCount: { low, high } }: ReportItem): boolean {
  return low !== variance || high !== variance;
}

/** Of a deploy that compares with the end: what was sold after it was counted would be put back, and what came in taken out. */
export function MovedAfterCount({ report: { basis, items } }: { readonly report: Report }) {
  const moved =
    basis === "end" ? items.filter((item) => item.wouldMove !== null && differsAtCount(item)) : [];
  if (moved.length === 0) return null;
  const skus = moved.slice(0, named).map(({ sku }) => sku);
  const { title, text } = messages.movedAfterCount;
  return (
    <Notice kind="warning" title={title(countText(moved.length, "SKU", "SKUs"))}>
      {text(moved.length > named ? [...skus, `${moved.length - named} more`] : skus)}
    </Notice>
  );
}

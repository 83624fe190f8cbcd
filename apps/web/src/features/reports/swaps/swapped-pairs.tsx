import { Button } from "@mantine/core";
import { type LikelySwap, likelySwaps, type ReportItem } from "@stocktake/contract";
import { memo, useDeferredValue, useMemo, useState } from "react";
import {
  countText,
  partsText,
  quantityText,
  signedMoneyFormat,
  signedText,
  varianceColor,
} from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import { useExplainedRow } from "../row/explained-row.tsx";
import { weight } from "../table/report-filter.ts";
import { titleOf } from "../table/report-groups.ts";
import classes from "./swapped-pairs.module.css";

const none: readonly ReportItem[] = [];
const shownAtOnce = 20;

type Pair = LikelySwap<ReportItem>;

/** Null where a cost of the two is unknown. */
function netCost({ over, short }: Pair): number | null {
  if (over.costImpact === null || short.costImpact === null) return null;
  return Math.round((over.costImpact + short.costImpact) * 100) / 100;
}

/** How much money is on the wrong SKU. */
function stakeOf({ over, short }: Pair): number {
  return Math.max(weight(over.costImpact), weight(short.costImpact));
}

/** The pairs of the report, the most money first; worked out once the page is drawn. */
function useSwaps({ items, areaOrder = [] }: Report): readonly Pair[] {
  const drawn = useDeferredValue(items, none);
  return useMemo(
    () => likelySwaps(drawn, areaOrder).sort((left, right) => stakeOf(right) - stakeOf(left)),
    [drawn, areaOrder],
  );
}

function Half({ item, onExplain }: { readonly item: ReportItem; readonly onExplain: (sku: string) => void }) {
  return (
    <div className={classes.half}>
      <strong className={classes.variance} style={{ color: varianceColor(item.variance) }}>
        {messages.swaps.units(signedText(item.variance))}
      </strong>
      <span className={classes.name}>
        {partsText(titleOf(item), item.size)}
        <button type="button" className={classes.sku} onClick={() => onExplain(item.sku)}>
          {item.sku}
        </button>
        <span className={classes.note}>
          {item.areas.length === 0 ? messages.swaps.nowhere : item.areas.join(", ")}
        </span>
      </span>
    </div>
  );
}

/** SKUs that were likely counted as each other, side by side. They only say where to look. */
export const SwappedPairs = memo(function SwappedPairs({ report }: { readonly report: Report }) {
  const pairs = useSwaps(report);
  const { explain } = useExplainedRow();
  const [shown, setShown] = useState(0);
  const moneyText = useMemo(() => signedMoneyFormat(report.summary.currency), [report.summary.currency]);
  if (pairs.length === 0) return null;
  const more = Math.min(shownAtOnce, pairs.length - shown);
  const { heading, intro, show, hide, why, net } = messages.swaps;
  return (
    <Section
      title={heading(countText(pairs.length, "pair", "pairs"))}
      aside={
        <Button variant="default" size="sm" onClick={() => setShown(shown === 0 ? shownAtOnce : 0)}>
          {shown === 0 ? show : hide}
        </Button>
      }
    >
      <p className={classes.note}>{intro}</p>
      <ul className={classes.pairs}>
        {pairs.slice(0, shown).map((pair) => (
          <li key={pair.over.sku} className={classes.pair}>
            <Half item={pair.over} onExplain={explain} />
            <Half item={pair.short} onExplain={explain} />
            <span className={classes.note}>
              {why[pair.why]}
              <br />
              {net(signedText(0), moneyText(netCost(pair)))}
            </span>
          </li>
        ))}
      </ul>
      {shown === 0 || more <= 0 ? null : (
        <Button variant="default" size="sm" onClick={() => setShown(shown + more)}>
          {messages.swaps.more(quantityText(more))}
        </Button>
      )}
    </Section>
  );
});

import { Button, Group } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { memo, useEffect, useMemo, useState } from "react";
import {
  countText,
  partsText,
  quantityText,
  signedMoneyFormat,
  signedText,
  varianceColor,
} from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import { messages } from "../messages.ts";
import { isNotCounted } from "../table/report-filter.ts";
import { titleOf } from "../table/report-groups.ts";
import type { Pair } from "./pairs.ts";
import classes from "./swapped-pairs.module.css";

const shownAtOnce = 20;

/** Null where a cost of the two is unknown. */
function netCost({ over, short }: Pair): number | null {
  if (over.costImpact === null || short.costImpact === null) return null;
  return Math.round((over.costImpact + short.costImpact) * 100) / 100;
}

interface HalfProps {
  readonly item: ReportItem;
  /** Among the rows that the report shows now. */
  readonly isInView: boolean;
  readonly onExplain: (sku: string) => void;
}

function Half({ item, isInView, onExplain }: HalfProps) {
  const { units, nowhere, hidden, hiddenWhy } = messages.swaps;
  return (
    <div className={classes.half}>
      <strong className={classes.variance} style={{ color: varianceColor(item.variance) }}>
        {units(item.variance)}
      </strong>
      <span className={classes.name}>
        {partsText(titleOf(item), item.size)}
        <button type="button" className={classes.sku} onClick={() => onExplain(item.sku)}>
          {item.sku}
        </button>
        <span className={classes.note}>{item.areas.length === 0 ? nowhere : item.areas.join(", ")}</span>
        {isInView ? null : (
          <span className={classes.note}>
            {hidden} {isNotCounted(item) ? hiddenWhy.not_counted : hiddenWhy.other}.
          </span>
        )}
      </span>
    </div>
  );
}

interface SwappedPairsProps {
  readonly pairs: readonly Pair[];
  readonly currency: string;
  /** The SKU whose pair somebody asked to see; another object each time. */
  readonly asked: { readonly sku: string } | null;
  readonly isInView: (item: ReportItem) => boolean;
  readonly onExplain: (sku: string) => void;
  /** Leaves nothing out of the rows any more. */
  readonly onShowRows: () => void;
}

function hasSku({ over, short }: Pair, sku: string): boolean {
  return over.sku === sku || short.sku === sku;
}

/** How many pairs are shown, at least as far as the one that is asked for, which is given the focus. */
function useShownPairs(pairs: readonly Pair[], asked: SwappedPairsProps["asked"]) {
  const [chosen, setChosen] = useState(0);
  const [hiddenAt, setHiddenAt] = useState<SwappedPairsProps["asked"]>(null);
  const at = asked === null || asked === hiddenAt ? -1 : pairs.findIndex((pair) => hasSku(pair, asked.sku));
  const id = at < 0 ? null : idOf(pairs[at]);
  useEffect(() => {
    if (asked !== null && id !== null) document.getElementById(id)?.focus();
  }, [asked, id]);
  const needed = at < 0 ? 0 : shownAtOnce * (1 + Math.floor(at / shownAtOnce));
  return {
    shown: Math.max(chosen, needed),
    show: setChosen,
    hide: () => {
      setChosen(0);
      setHiddenAt(asked);
    },
  };
}

function idOf(pair: Pair | undefined): string {
  return `pair-${pair?.over.sku ?? ""}`;
}

/** SKUs that were likely counted as each other, side by side. They only say where to look. */
export const SwappedPairs = memo(function SwappedPairs(props: SwappedPairsProps) {
  const { pairs, currency, asked, isInView, onExplain, onShowRows } = props;
  const { shown, show, hide } = useShownPairs(pairs, asked);
  const moneyText = useMemo(() => signedMoneyFormat(currency), [currency]);
  if (pairs.length === 0) return null;
  const more = Math.min(shownAtOnce, pairs.length - shown);
  const listed = pairs.slice(0, shown);
  const isOneHidden = listed.some(({ over, short }) => !(isInView(over) && isInView(short)));
  const { heading, intro, why, net, showRows } = messages.swaps;
  return (
    <Section
      title={heading(countText(pairs.length, "pair", "pairs"))}
      aside={
        <Button variant="default" size="sm" onClick={() => (shown === 0 ? show(shownAtOnce) : hide())}>
          {shown === 0 ? messages.swaps.show : messages.swaps.hide}
        </Button>
      }
    >
      <p className={classes.note}>{intro}</p>
      {shown === 0 ? null : (
        <ul className={classes.pairs}>
          {listed.map((pair) => (
            <li key={pair.over.sku} id={idOf(pair)} tabIndex={-1} className={classes.pair}>
              <Half item={pair.over} isInView={isInView(pair.over)} onExplain={onExplain} />
              <Half item={pair.short} isInView={isInView(pair.short)} onExplain={onExplain} />
              <span className={classes.note}>
                {why[pair.why]}
                <br />
                {net(signedText(0), moneyText(netCost(pair)))}
              </span>
            </li>
          ))}
        </ul>
      )}
      {shown === 0 ? null : (
        <Group gap="xs">
          {more <= 0 ? null : (
            <Button variant="default" size="sm" onClick={() => show(shown + more)}>
              {messages.swaps.more(quantityText(more))}
            </Button>
          )}
          {isOneHidden ? (
            <Button variant="default" size="sm" onClick={onShowRows}>
              {showRows}
            </Button>
          ) : null}
        </Group>
      )}
    </Section>
  );
});

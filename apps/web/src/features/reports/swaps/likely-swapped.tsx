import { Button, Group } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { memo, useEffect, useMemo, useState } from "react";
import { signedMoneyFormat } from "../../../ui/figures/money-text.ts";
import { partsText, quantityText, signedText, varianceColor } from "../../../ui/formats.ts";
import { Section } from "../../../ui/section.tsx";
import { messages } from "../messages.ts";
import { isNotCounted } from "../table/report-filter.ts";
import { titleOf } from "../table/report-groups.ts";
import classes from "./likely-swapped.module.css";
import type { Swap } from "./swaps.ts";

const shownAtOnce = 20;

/** Null where a cost of one is unknown. */
function netCost({ items }: Swap): number | null {
  let net = 0;
  for (const { costImpact } of items) {
    if (costImpact === null) return null;
    net += costImpact;
  }
  return Math.round(net * 100) / 100;
}

interface SwappedProps {
  readonly item: ReportItem;
  /** Among the rows that the report shows now. */
  readonly isInView: boolean;
  readonly onExplain: (sku: string) => void;
}

function Swapped({ item, isInView, onExplain }: SwappedProps) {
  const { units, nowhere, hidden, hiddenWhy } = messages.swaps;
  return (
    <div className={classes.swapped}>
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

interface LikelySwappedProps {
  readonly swaps: readonly Swap[];
  readonly currency: string;
  /** The SKU whose swap somebody asked to see; another object each time. */
  readonly asked: { readonly sku: string } | null;
  readonly isInView: (item: ReportItem) => boolean;
  readonly onExplain: (sku: string) => void;
  /** Leaves nothing out of the rows any more. */
  readonly onShowRows: () => void;
}

function hasSku({ items }: Swap, sku: string): boolean {
  return items.some((item) => item.sku === sku);
}

/** How many swaps are shown, at least as far as the one that is asked for, which is given the focus. */
function useShown(swaps: readonly Swap[], asked: LikelySwappedProps["asked"]) {
  const [chosen, setChosen] = useState(0);
  const [hiddenAt, setHiddenAt] = useState<LikelySwappedProps["asked"]>(null);
  const at = asked === null || asked === hiddenAt ? -1 : swaps.findIndex((swap) => hasSku(swap, asked.sku));
  const id = at < 0 ? null : idOf(swaps[at]);
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

/** A SKU is in one swap at most. */
function keyOf(swap: Swap | undefined): string {
  return swap?.items[0]?.sku ?? "";
}

function idOf(swap: Swap | undefined): string {
  return `swap-${keyOf(swap)}`;
}

/** SKUs that were likely counted as each other, side by side. They only say where to look. */
export const LikelySwapped = memo(function LikelySwapped(props: LikelySwappedProps) {
  const { swaps, currency, asked, isInView, onExplain, onShowRows } = props;
  const { shown, show, hide } = useShown(swaps, asked);
  const moneyText = useMemo(() => signedMoneyFormat(currency), [currency]);
  if (swaps.length === 0) return null;
  const more = Math.min(shownAtOnce, swaps.length - shown);
  const listed = swaps.slice(0, shown);
  const isOneHidden = listed.some(({ items }) => !items.every(isInView));
  const groups = swaps.filter((swap) => swap.why === "sizes").length;
  const { heading, intro, why, net, showRows } = messages.swaps;
  return (
    <Section
      title={heading(swaps.length - groups, groups)}
      aside={
        <Button variant="default" size="sm" onClick={() => (shown === 0 ? show(shownAtOnce) : hide())}>
          {shown === 0 ? messages.swaps.show : messages.swaps.hide}
        </Button>
      }
    >
      <p className={classes.note}>{intro}</p>
      {shown === 0 ? null : (
        <ul className={classes.swaps}>
          {listed.map((swap) => (
            <li key={keyOf(swap)} id={idOf(swap)} tabIndex={-1} className={classes.swap}>
              <div className={classes.items}>
                {swap.items.map((item) => (
                  <Swapped key={item.sku} item={item} isInView={isInView(item)} onExplain={onExplain} />
                ))}
              </div>
              <span className={classes.note}>
                {why[swap.why]}
                <br />
                {net(signedText(0), moneyText(netCost(swap)))}
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

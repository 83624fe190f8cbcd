import { Button } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { countText } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import { besideText, othersOf, type Swap } from "../swaps/swaps.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import { rowMessages } from "./messages.ts";
import classes from "./row.module.css";

interface SwapPartProps {
  readonly item: ReportItem;
  readonly swap: Swap;
  readonly onGo: (sku: string) => void;
}

function aboutText(others: readonly ReportItem[], why: Swap["why"]): string {
  const { about, ofSizes } = rowMessages.swap;
  const [other] = others;
  if (why === "sizes" || other === undefined) return ofSizes;
  return about(countText(Math.abs(other.variance), "unit", "units"), other.areas.length > 0);
}

/** What a row was likely taken for, or taken for it; leads to why those counts are what they are. */
export function SwapPart({ item, swap, onGo }: SwapPartProps) {
  const others = othersOf(swap, item);
  const { with: swappedWith, cancelsOut } = messages.swaps;
  const label = swap.why === "sizes" ? cancelsOut : swappedWith;
  return (
    <ExplanationPart heading={rowMessages.swap.heading}>
      <p className={classes.text}>{aboutText(others, swap.why)}</p>
      {others.map((other) => (
        <Button key={other.sku} variant="default" size="sm" mt="xs" mr="xs" onClick={() => onGo(other.sku)}>
          {label(besideText(item, other))}
        </Button>
      ))}
    </ExplanationPart>
  );
}

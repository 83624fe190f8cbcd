import { Button } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { countText } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import { partnerText } from "../swaps/pairs.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import { rowMessages } from "./messages.ts";
import classes from "./row.module.css";

interface SwapPartProps {
  readonly item: ReportItem;
  readonly partner: ReportItem;
  readonly onGo: (sku: string) => void;
}

/** What a row was likely taken for, or taken for it; leads to why that one's count is what it is. */
export function SwapPart({ item, partner, onGo }: SwapPartProps) {
  const { heading, about } = rowMessages.swap;
  const units = countText(Math.abs(partner.variance), "unit", "units");
  return (
    <ExplanationPart heading={heading}>
      <p className={classes.text}>{about(units, partner.areas.length > 0)}</p>
      <Button variant="default" size="sm" mt="xs" onClick={() => onGo(partner.sku)}>
        {messages.swaps.with(partnerText(item, partner))}
      </Button>
    </ExplanationPart>
  );
}

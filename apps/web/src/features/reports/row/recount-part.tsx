import { Button, Group } from "@mantine/core";
import { limits, type ReportItem } from "@stocktake/contract";
import { Link } from "react-router";
import { countAgainPath } from "../../../http/count-again.ts";
import { useMarkedSkus } from "../../../ui/count-again/marked-skus.ts";
import { partsText } from "../../../ui/formats.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import { rowMessages } from "./messages.ts";
import classes from "./row.module.css";

const { recount: texts } = rowMessages;
const most = limits.skusToCountAgain;

interface RecountProps {
  readonly sessionId: string;
  readonly item: Pick<ReportItem, "sku" | "productTitle" | "size">;
}

/** Marks a row to be counted again: it is ticked on the list from which a follow-up of the session starts. */
export function RecountPart({ sessionId, item: { sku, productTitle, size } }: RecountProps) {
  const { ticked, tick } = useMarkedSkus(sessionId, (marked) =>
    marked === sku ? partsText(productTitle, size) : null,
  );
  const isMarked = ticked.has(sku);
  return (
    <ExplanationPart heading={texts.heading}>
      <p className={classes.note} role="status">
        {isMarked ? texts.marked : texts.means}
        {ticked.size > most ? ` ${texts.tooMany(ticked.size, most)}` : null}
      </p>
      <Group mt="xs" gap="xs">
        <Button variant="default" onClick={() => tick([sku], !isMarked)}>
          {isMarked ? texts.takeBack : texts.mark}
        </Button>
        {ticked.size === 0 ? null : (
          <Button component={Link} to={countAgainPath(sessionId)} variant="default">
            {texts.toList(ticked.size)}
          </Button>
        )}
      </Group>
    </ExplanationPart>
  );
}

import { Button, List } from "@mantine/core";
import { groupBy } from "@stocktake/contract";
import { Fragment, useState } from "react";
import { quantityText } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import classes from "../reports.module.css";

const firstShown = 20;
const shownMore = 500;

/** A SKU and why something was not done with it, in words. */
export interface SkuReason {
  readonly sku: string;
  readonly reason: string;
}

function SkuGroup({ reason, skus }: { reason: string; skus: readonly string[] }) {
  const [shown, setShown] = useState(firstShown);
  const left = skus.length - shown;
  return (
    <List.Item>
      {reason}:{" "}
      {skus.slice(0, shown).map((sku, index) => (
        <Fragment key={sku}>
          {index === 0 ? "" : ", "}
          <span className={classes.sku}>{sku}</span>
        </Fragment>
      ))}{" "}
      {left > 0 ? (
        <Button variant="default" size="compact-sm" onClick={() => setShown(shown + shownMore)}>
          {messages.openRows.showMore(quantityText(Math.min(left, shownMore)))}
        </Button>
      ) : null}
    </List.Item>
  );
}

/** SKUs by their reason, each reason once; a long list shows its beginning. */
export function SkuGroups({ rows }: { rows: readonly SkuReason[] }) {
  const groups = groupBy(rows, ({ reason }) => reason);
  return (
    <List fz="sm" spacing={4} className={classes.groups ?? ""}>
      {Array.from(groups, ([reason, members]) => (
        <SkuGroup key={reason} reason={reason} skus={members.map(({ sku }) => sku)} />
      ))}
    </List>
  );
}

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

interface SkuGroupProps {
  readonly reason: string;
  readonly skus: readonly string[];
  /** SKUs that are not named. */
  readonly unnamed: number;
}

function SkuGroup({ reason, skus, unnamed }: SkuGroupProps) {
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
      {unnamed === 0 ? null : messages.openRows.unnamed(unnamed, skus.length)}
    </List.Item>
  );
}

interface CountedGroup extends Omit<SkuGroupProps, "unnamed"> {
  readonly count: number;
}

/** Of each reason the first SKUs, and how many more there are. */
export function CountedSkuGroups({ groups }: { groups: readonly CountedGroup[] }) {
  return (
    <List fz="sm" spacing={4} className={classes.groups ?? ""}>
      {groups.map(({ reason, skus, count }) => (
        <SkuGroup key={reason} reason={reason} skus={skus} unnamed={count - skus.length} />
      ))}
    </List>
  );
}

/** SKUs by their reason, each reason once; a long list shows its beginning. */
export function SkuGroups({ rows }: { rows: readonly SkuReason[] }) {
  const groups = Array.from(
    groupBy(rows, ({ reason }) => reason),
    ([reason, members]) => ({ reason, skus: members.map(({ sku }) => sku), count: members.length }),
  );
  return <CountedSkuGroups groups={groups} />;
}

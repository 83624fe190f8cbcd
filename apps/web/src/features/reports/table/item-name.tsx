import { Text } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { titleOf } from "./report-groups.ts";

/** What a row is about: its product, SKU and size. */
export function ItemName({ item }: { item: ReportItem }) {
  return (
    <>
      <Text fw={620}>{titleOf(item)}</Text>
      <Text c="dimmed" fz="sm">
        {item.sku}
        {item.size === null || item.size === "" ? "" : ` · ${item.size}`}
      </Text>
    </>
  );
}

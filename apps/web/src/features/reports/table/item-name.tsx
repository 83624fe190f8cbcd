import { Text } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { messages } from "../messages.ts";

/** What a row is about: its product, SKU and size. */
export function ItemName({ item }: { item: ReportItem }) {
  return (
    <>
      <Text fw={620}>{item.productTitle.trim() || messages.unknownProduct}</Text>
      <Text c="dimmed" fz="sm">
        {item.sku}
        {item.size === null || item.size === "" ? "" : ` · ${item.size}`}
      </Text>
    </>
  );
}

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type CountingDevice, useQueueState } from "../../offline/offline.ts";
import { countText, quantityText } from "../../ui/formats.ts";
import { statisticsQuery } from "./counter-queries.ts";

const bytesPerMegabyte = 1_048_576;

/** What lies in this device's database, and how much of its room that takes. */
export function DeviceStorage({ device }: { device: CountingDevice }) {
  const { data } = useQuery(statisticsQuery(device, useQueueState(device)));
  if (data === undefined) return null;
  const { pendingScans, pendingSubmissions, usage, quota, percentage } = data;
  const products = countText(data.products, "product", "products");
  const scans = countText(pendingScans, "pending scan", "pending scans");
  const submissions = countText(pendingSubmissions, "pending submission", "pending submissions");
  const held = `${products}, ${scans}, ${submissions}.`;
  const megabytes = (bytes: number) => quantityText(Math.round((bytes / bytesPerMegabyte) * 10) / 10);
  return (
    <Text fz="sm" c="dimmed" className="tabular">
      On this device: {held}
      {usage === null || quota === null || percentage === null
        ? null
        : ` Storage: ${megabytes(usage)} of ${megabytes(quota)} MB (${percentage.toFixed(1)} %).`}
    </Text>
  );
}

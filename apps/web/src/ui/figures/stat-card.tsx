import { Card, Group, Text } from "@mantine/core";
import { knownQuantityText } from "../formats.ts";
import { DownIcon, UpIcon } from "../icons.tsx";

interface StatCardProps {
  readonly label: string;
  /** The figure, or null while it is not known. */
  readonly value: number | null;
  /** A percentage with its sign. */
  readonly trend?: number;
  /** What the figure leaves out, where its name alone would mislead. */
  readonly caption?: string;
}

function Trend({ percent }: { percent: number }) {
  const rises = percent >= 0;
  return (
    <Group
      component="span"
      gap={4}
      wrap="nowrap"
      fz="sm"
      className="tabular"
      c={rises ? "var(--stocktake-positive)" : "var(--stocktake-negative)"}
    >
      {rises ? <UpIcon size={14} /> : <DownIcon size={14} />}
      {rises ? `+${percent}%` : `${percent}%`}
    </Group>
  );
}

/** One figure of the business with its name. */
export function StatCard({ label, value, trend, caption }: StatCardProps) {
  return (
    <Card p={{ base: "sm", sm: "md" }}>
      <Text c="dimmed" fz="sm">
        {label}
      </Text>
      <Group justify="space-between" align="baseline" gap="xs">
        <Text fz="1.875rem" fw={620} lh={1.3} lts="-0.02em" className="tabular">
          {knownQuantityText(value)}
        </Text>
        {trend === undefined ? null : <Trend percent={trend} />}
      </Group>
      {caption === undefined ? null : (
        <Text c="dimmed" fz="xs">
          {caption}
        </Text>
      )}
    </Card>
  );
}

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { countText, hourText } from "../../ui/formats.ts";
import { messages } from "./messages.ts";

const ticksEveryHours = 12;
const axisText = { fill: "var(--mantine-color-dimmed)", fontSize: 12 };
const tooltip = {
  background: "var(--mantine-color-body)",
  border: "1px solid var(--stocktake-line)",
  borderRadius: 8,
};

/** One hour and how many scans were made in it. */
export interface HourOfScans {
  readonly startsAt: string;
  readonly scans: number;
}

function tickHours(hours: readonly HourOfScans[]): string[] {
  return hours
    .map(({ startsAt }) => startsAt)
    .filter((startsAt) => new Date(startsAt).getHours() % ticksEveryHours === 0);
}

interface ActivityColumnsProps {
  readonly hours: readonly HourOfScans[];
  /** In pixels. */
  readonly height: number;
}

/** A column for each hour. */
export function ActivityColumns({ hours, height }: ActivityColumnsProps) {
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart
        data={[...hours]}
        accessibilityLayer={false}
        margin={{ left: 0, right: 8 }}
        barCategoryGap={1}
      >
        <CartesianGrid vertical={false} stroke="var(--stocktake-line)" />
        <XAxis
          dataKey="startsAt"
          ticks={tickHours(hours)}
          tickFormatter={hourText}
          tick={axisText}
          stroke="var(--stocktake-line)"
          minTickGap={16}
        />
        <YAxis allowDecimals={false} width={40} tick={axisText} stroke="var(--stocktake-line)" />
        <Tooltip
          cursor={{ fill: "var(--stocktake-quiet)" }}
          contentStyle={tooltip}
          labelFormatter={(startsAt) => hourText(String(startsAt))}
          formatter={(scans) => [countText(Number(scans), "scan", "scans"), messages.scans]}
        />
        <Bar dataKey="scans" fill="var(--mantine-color-anchor)" isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}

import { useState } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";

/** One line of a chart: how far it reaches above and below nothing. */
export interface SignedRow {
  readonly key: string;
  readonly label: string;
  /** 0 or more. */
  readonly above: number;
  /** 0 or less. */
  readonly below: number;
}

export interface SignedBarsProps {
  readonly rows: readonly SignedRow[];
  readonly valueText: (value: number) => string;
  /** Is given the key of the row whose bar, or name, was pressed. */
  readonly onChoose: (key: string) => void;
}

const rowHeight = 30;
const axisHeight = 36;
const narrowLabels = 150;
const wideLabels = 280;
const labelShare = 0.4;
/** Of the axis' letters, on average and rather more than less. */
const letterWidth = 6.8;

/** The room for labels in a chart of this width, in pixels: what the bars can spare. */
function labelWidthIn(chartWidth: number): number {
  return Math.max(narrowLabels, Math.min(wideLabels, Math.round(chartWidth * labelShare)));
}

/** Shortened before its last part, which tells sizes apart; without places to break the line. */
function shortLabel(label: string, width: number): string {
  const labelLength = Math.floor(width / letterWidth);
  if (label.length <= labelLength) return label.replaceAll(" ", "\u00a0");
  const last = label.lastIndexOf(" · ");
  const ending = last < 0 ? "" : label.slice(last);
  return `${label.slice(0, labelLength - ending.length - 1).trim()}…${ending}`.replaceAll(" ", "\u00a0");
}

const axisText = { fill: "var(--mantine-color-dimmed)", fontSize: 12 };
const tooltip = {
  background: "var(--mantine-color-body)",
  border: "1px solid var(--stocktake-line)",
  borderRadius: 8,
};

/** Bars to the left and to the right of nothing, green above and red below as everywhere. */
export function SignedBars({ rows, valueText, onChoose }: SignedBarsProps) {
  // Two rows may have the same label, so the axis goes by the key.
  const labels = new Map(rows.map((row) => [row.key, row.label]));
  const [labelWidth, setLabelWidth] = useState(narrowLabels);
  const choose = ({ activeLabel }: { readonly activeLabel?: string | number | undefined }) => {
    if (activeLabel !== undefined) onChoose(String(activeLabel));
  };
  const compact = (value: number) => new Intl.NumberFormat(undefined, { notation: "compact" }).format(value);
  return (
    <ResponsiveContainer
      width="100%"
      height={rows.length * rowHeight + axisHeight}
      onResize={(width) => setLabelWidth(labelWidthIn(width))}
    >
      <BarChart
        data={[...rows]}
        layout="vertical"
        stackOffset="sign"
        accessibilityLayer={false}
        onClick={choose}
        style={{ cursor: "pointer" }}
        barCategoryGap={6}
      >
        <CartesianGrid horizontal={false} stroke="var(--stocktake-line)" />
        <XAxis type="number" tickFormatter={compact} tick={axisText} stroke="var(--stocktake-line)" />
        <YAxis
          type="category"
          dataKey="key"
          width={labelWidth}
          interval={0}
          tickFormatter={(key) => shortLabel(labels.get(String(key)) ?? "", labelWidth)}
          tick={axisText}
          stroke="var(--stocktake-line)"
        />
        <ReferenceLine x={0} stroke="var(--mantine-color-dimmed)" />
        <Tooltip
          cursor={{ fill: "var(--stocktake-quiet)" }}
          contentStyle={tooltip}
          labelFormatter={(key) => labels.get(String(key))}
          formatter={(value) => valueText(Number(value))}
        />
        <Bar
          dataKey="above"
          name="Over"
          stackId="row"
          fill="var(--stocktake-positive)"
          isAnimationActive={false}
        />
        <Bar
          dataKey="below"
          name="Short"
          stackId="row"
          fill="var(--stocktake-negative)"
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}

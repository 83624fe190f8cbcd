import { countText, signedText, varianceColor } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import { type ReportGroup, totalsOf } from "./report-groups.ts";
import { Thumbnail } from "./thumbnail.tsx";
import classes from "./variance-group-header.module.css";

interface TotalProps {
  readonly label: string;
  readonly value: string;
  readonly colour: string | undefined;
  /** What the value leaves out. */
  readonly rest?: string;
}

function Total({ label, value, colour, rest = "" }: TotalProps) {
  return (
    <span className={classes.total}>
      <span className={classes.totalLabel}>{label}</span>
      <span className={classes.totalValue} style={{ color: colour }}>
        {value}
      </span>
      {rest === "" ? null : <span className={classes.rest}>{rest}</span>}
    </span>
  );
}

interface VarianceGroupHeaderProps {
  readonly group: ReportGroup;
  readonly moneyText: (value: number | null) => string;
  readonly printing: boolean;
  readonly onOpenImage: (image: string, title: string) => void;
}

/** A product above its rows: picture, title, number of sizes and totals. */
export function VarianceGroupHeader({ group, moneyText, printing, onOpenImage }: VarianceGroupHeaderProps) {
  const { image, sizes, totalVariance, totalImpact, withoutCost } = totalsOf(group);
  const rest = totalImpact === null || withoutCost === 0 ? "" : messages.totals.withoutCost(withoutCost);
  return (
    <div className={classes.group}>
      <Thumbnail image={image} title={group.title} printing={printing} onOpen={onOpenImage} />
      <span className={classes.groupTitle}>
        <span className={classes.title}>{group.title}</span>
        <br />
        <span className={classes.sizes}>{countText(sizes, "size", "sizes")}</span>
      </span>
      <span className={classes.totals}>
        <Total
          label="Total Variance"
          value={signedText(totalVariance)}
          colour={varianceColor(totalVariance)}
        />
        <Total
          label="Total Impact"
          value={moneyText(totalImpact)}
          colour={varianceColor(totalImpact)}
          rest={rest}
        />
      </span>
    </div>
  );
}

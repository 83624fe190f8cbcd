import { moneyText, signedMoneyText } from "../../../ui/figures/money-text.ts";
import { quantityText, signedText, varianceColor } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import type { Explanation } from "./explanation-query.ts";
import { rowMessages } from "./messages.ts";
import classes from "./row.module.css";

const { variance: texts, cost } = rowMessages;

interface TermProps {
  readonly label: string;
  readonly value: string;
  readonly isResult?: boolean;
  readonly colour?: string | undefined;
}

function Term({ label, value, isResult = false, colour }: TermProps) {
  return (
    <div className={isResult ? classes.result : ""}>
      <dt>{label}</dt>
      <dd style={{ color: colour }}>{value}</dd>
    </div>
  );
}

/** Shopify's stock was seen to move after the last scan of it, and back again. */
function hasMovedAndBack({ item: { lastCountedAt }, readings }: Explanation): boolean {
  if (lastCountedAt === null) return false;
  const last = Date.parse(lastCountedAt);
  const before = readings.findLast(({ at }) => Date.parse(at) <= last);
  const after = readings.filter(({ at }) => Date.parse(at) > last);
  return after.some(({ onHand }) => onHand !== (before ?? after[0])?.onHand);
}

function uncountedText(variance: number): string {
  if (variance === 0) return "";
  return variance > 0 ? texts.uncountedBelowZero : texts.uncounted;
}

/** What of the variance stock that moved after the counting explains, and what remains. */
function remainderText(explanation: Explanation): string {
  const { item, passes, counts, parts } = explanation;
  if (item.withoutEndStock === true) return texts.withoutEnd;
  if (counts.length > 0) return texts.byHand;
  if (item.uncertain !== null) return texts.doubtful(messages.uncertain.why(item));
  if (item.countedNone !== true && !passes.some(({ units }) => units > 0))
    return uncountedText(item.variance);
  const { afterCount, atCount } = parts;
  if (afterCount.low === 0 && afterCount.high === 0) {
    if (hasMovedAndBack(explanation)) return item.variance === 0 ? texts.cancelsAndFits : texts.cancels;
    return item.variance === 0 ? texts.fits : texts.calm;
  }
  return texts.moved(afterCount, atCount);
}

/** From the stock at the start to the variance. */
export function VariancePart(explanation: Explanation) {
  const { item } = explanation;
  return (
    <ExplanationPart heading={texts.heading}>
      <dl className={classes.sumUp}>
        <Term label={texts.start} value={quantityText(item.startOnHand)} />
        {item.withoutEndStock === true ? null : (
          <>
            <Term label={texts.movement} value={signedText(item.naturalMovement)} />
            <Term label={texts.end} value={quantityText(item.endOnHand)} isResult />
          </>
        )}
        <Term label={texts.counted} value={quantityText(item.counted)} />
        <Term
          label={texts.variance}
          value={signedText(item.variance)}
          colour={varianceColor(item.variance)}
          isResult
        />
      </dl>
      <p className={classes.note}>{remainderText(explanation)}</p>
    </ExplanationPart>
  );
}

function costText({ item, currency, costFrom }: Explanation): string {
  if (item.unitCost === null || costFrom === null) return cost.unknown;
  const unit = moneyText(item.unitCost, currency);
  if (item.costImpact === null) return cost.tooLarge(unit);
  return cost[costFrom](unit, signedMoneyText(item.costImpact, currency));
}

export function CostPart(explanation: Explanation) {
  return (
    <ExplanationPart heading={cost.heading}>
      <p className={classes.text}>{costText(explanation)}</p>
    </ExplanationPart>
  );
}

import type { ExplainedPass } from "@stocktake/contract";
import { dateTimeText } from "../../../ui/formats.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import type { Explanation } from "./explanation-query.ts";
import { rowMessages } from "./messages.ts";
import classes from "./row.module.css";

const { counting, byHand, compared: comparedMessages } = rowMessages;

interface Units {
  readonly units: number;
  readonly leftOut: number;
}

/** What of a whole those that are named do not account for; nothing of a kind that comes to 0. */
function restText({ units, leftOut }: Units, named: readonly Units[]): string {
  const rest = named.reduce((left, each) => left - each.units, units);
  const outRest = named.reduce((left, each) => left - each.leftOut, leftOut);
  const out = outRest === 0 ? [] : [counting.leftOut(outRest)];
  return [...(rest === 0 && outRest !== 0 ? [] : [counting.units(rest)]), ...out].join(", ");
}

function PassCounters({ counters, counterCount = 0, units: all, leftOut: allOut }: ExplainedPass) {
  const others = counterCount - counters.length;
  return (
    <ul className={classes.plain}>
      {counters.map(({ username, deviceId, units, leftOut, unknownTimes, firstAt, lastAt }) => (
        <li key={`${username} ${deviceId}`} className={classes.note}>
          {counting.counter(username, deviceId, units)}
          {leftOut === 0 ? null : `, ${counting.leftOut(leftOut)}`}
          {", "}
          {unknownTimes > 0
            ? counting.unknownTime
            : counting.during(dateTimeText(firstAt), dateTimeText(lastAt))}
        </li>
      ))}
      {others > 0 ? (
        <li className={classes.note}>
          {counting.otherCounters(others, restText({ units: all, leftOut: allOut }, counters))}
        </li>
      ) : null}
    </ul>
  );
}

/** A second count's units are compared with those that count. */
function unitsText({ units, leftOut, round }: ExplainedPass): string {
  if (units > 0) return counting.units(units);
  return round ? counting.compared(leftOut) : counting.leftOut(leftOut);
}

/** What the count by hand took the place of may have changed since: by a scan that was accepted, or a second count that was settled. */
function sumText({ scanned, counts, item }: Pick<Explanation, "scanned" | "counts" | "item">): string {
  const then = counts.at(-1)?.previousCount;
  if (then === undefined) return counting.sum(scanned);
  if (then === scanned) return counting.sumByHand(scanned, item.counted);
  // What a later count by hand had found is not known: only the first one's is told.
  const text = counts.length > 1 ? counting.sumSinceFirstByHand : counting.sumSinceByHand;
  return text(scanned, then, item.counted);
}

/** Who counted how many in which area and pass; the units add up to what was scanned. */
export function CountingPart(explanation: Explanation) {
  const { passes, passCount = 0, scanned, counts } = explanation;
  const others = passCount - passes.length;
  const rest = scanned - passes.reduce((sum, { units }) => sum + units, 0);
  return (
    <ExplanationPart heading={counting.heading}>
      {passes.length === 0 ? <p className={classes.note}>{counting.nobody}</p> : null}
      <ul className={classes.rows} aria-label={counting.heading}>
        {passes.map((pass) => (
          <li key={`${pass.area._id} ${pass.pass}`}>
            <div className={classes.line}>
              <span>{counting.pass(pass)}</span>
              <strong className={pass.units === 0 ? classes.out : ""}>{unitsText(pass)}</strong>
            </div>
            <PassCounters {...pass} />
          </li>
        ))}
        {others > 0 ? (
          <li className={classes.note}>{counting.otherPasses(others, counting.units(rest))}</li>
        ) : null}
      </ul>
      {passes.length === 0 && counts.length === 0 ? null : (
        <p className={classes.sum}>{sumText(explanation)}</p>
      )}
    </ExplanationPart>
  );
}

/** What second and third counts of its areas came to: first, second and third in this order. */
export function ComparedPart({ compared = [] }: Explanation) {
  if (compared.length === 0) return null;
  return (
    <ExplanationPart heading={comparedMessages.heading}>
      <ul className={classes.rows} aria-label={comparedMessages.heading}>
        {compared.map((each) => (
          <li key={`${each.area._id} ${each.ofPass}`}>
            <div className={classes.line}>
              <span>{comparedMessages.area(each)}</span>
              <strong>{comparedMessages.counts(each)}</strong>
            </div>
            <div className={classes.note}>{comparedMessages.outcome(each)}</div>
            {each.reason === null ? null : <div className={classes.note}>{each.reason}</div>}
          </li>
        ))}
      </ul>
    </ExplanationPart>
  );
}

/** Who set the count by hand, when, from what to what, and why; the newest first. */
export function ByHandPart({ counts }: Explanation) {
  if (counts.length === 0) return null;
  return (
    <ExplanationPart heading={byHand.heading}>
      <ul className={classes.rows}>
        {counts.map(({ _id, previousCount, newCount, reason, adjustedAt, adjustedBy }) => (
          <li key={_id}>
            <div className={classes.line}>
              <span>{byHand.by(adjustedBy?.username ?? "System", dateTimeText(adjustedAt))}</span>
              <strong>{byHand.change(previousCount, newCount)}</strong>
            </div>
            {reason === null ? null : <div className={classes.note}>{reason}</div>}
          </li>
        ))}
      </ul>
    </ExplanationPart>
  );
}

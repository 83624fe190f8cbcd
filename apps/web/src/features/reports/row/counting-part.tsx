import type { ExplainedPass } from "@stocktake/contract";
import { dateTimeText } from "../../../ui/formats.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import type { Explanation } from "./explanation-query.ts";
import { rowMessages } from "./messages.ts";
import classes from "./row.module.css";

const { counting, byHand, compared: comparedMessages } = rowMessages;

type Units = Pick<ExplainedPass, "units" | "leftOut" | "compared">;

/** What counts, what is compared with that, and what was taken out or waits; nothing of a kind that comes to 0 beside another. */
function unitsText({ units, leftOut, compared = 0 }: Units): string {
  const out = leftOut - compared;
  const shown = [
    units === 0 && leftOut !== 0 ? null : counting.units(units),
    compared === 0 ? null : counting.compared(compared),
    out === 0 ? null : counting.leftOut(out),
  ];
  return shown.filter((text) => text !== null).join(", ");
}

/** What of a whole those that are named do not account for. */
function restOf(whole: Units, named: readonly Units[]): Units {
  const rest = (of: (each: Units) => number) => named.reduce((left, each) => left - of(each), of(whole));
  return {
    units: rest(({ units }) => units),
    leftOut: rest(({ leftOut }) => leftOut),
    compared: rest(({ compared = 0 }) => compared),
  };
}

function PassCounters({ counters, counterCount = 0, ...whole }: ExplainedPass) {
  const others = counterCount - counters.length;
  return (
    <ul className={classes.plain}>
      {counters.map(({ username, deviceId, unknownTimes, firstAt, lastAt, ...units }) => (
        <li key={`${username} ${deviceId}`} className={classes.note}>
          {counting.counter(username, deviceId, unitsText(units))}
          {", "}
          {unknownTimes > 0
            ? counting.unknownTime
            : counting.during(dateTimeText(firstAt), dateTimeText(lastAt))}
        </li>
      ))}
      {others > 0 ? (
        <li className={classes.note}>{counting.otherCounters(others, unitsText(restOf(whole, counters)))}</li>
      ) : null}
    </ul>
  );
}

/** What is left out of a pass that counts is told by who counted it. */
function passText(pass: ExplainedPass): string {
  return pass.units > 0 ? counting.units(pass.units) : unitsText(pass);
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
              <strong className={pass.units === 0 ? classes.out : ""}>{passText(pass)}</strong>
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
            {each.firstReplaced === true && each.isOfPresentCount !== false ? (
              <div className={classes.note}>{comparedMessages.firstReplaced}</div>
            ) : null}
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

import type { OtherCount, RowDeploy } from "@stocktake/contract";
import { dateTimeText, signedText } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import type { Explanation } from "./explanation-query.ts";
import { rowMessages } from "./messages.ts";
import classes from "./row.module.css";

const { deploy: texts, others } = rowMessages;

type OutcomeProps = Pick<Explanation, "deploy" | "item"> & { readonly isDeployed: boolean };

function outcomeText({ deploy: { wouldMove, skipReason, moved }, item, isDeployed }: OutcomeProps): string {
  if (isDeployed) return texts.deployed(moved);
  if (skipReason === "LEFT_ALONE" && item.leftAlone !== undefined) {
    const { reason, by, at } = item.leftAlone;
    return texts.leftAlone(reason, by, dateTimeText(at));
  }
  if (skipReason !== null) return texts.leftOut(messages.skipReasons[skipReason]);
  return wouldMove === null || wouldMove === 0 ? texts.nothing : texts.moves(wouldMove);
}

function sumText({ variance, moved, movedByOthers }: RowDeploy): string {
  const range =
    variance.low === variance.high
      ? signedText(variance.low)
      : `${signedText(variance.low)} to ${signedText(variance.high)}`;
  const byOthers = movedByOthers === null ? texts.othersUnknown : signedText(movedByOthers);
  return texts.sum(range, signedText(moved), byOthers);
}

function DeployRows({ rows }: Pick<RowDeploy, "rows">) {
  if (rows.length === 0) return null;
  return (
    <ul className={classes.rows}>
      {rows.map(({ adjustmentId, direction, delta, state, note, appliedAt }) => (
        <li key={`${adjustmentId} ${direction}`}>
          <div className={classes.line}>
            <span>{texts.row(direction, delta)}</span>
            <span>
              {texts.rowStates[state]}, {dateTimeText(appliedAt)}
            </span>
          </div>
          {note === null ? null : <div className={classes.note}>{note}</div>}
        </li>
      ))}
    </ul>
  );
}

/** What a deploy would do with the row, or has done, and why. */
export function DeployPart({
  item,
  deploy,
  mark,
  isDeployed,
}: Explanation & { readonly isDeployed: boolean }) {
  // Once it is deployed, what this report has moved is told already; what others have explains the rest.
  const isAdjusted = (deploy.moved !== 0 && !isDeployed) || deploy.movedByOthers !== 0;
  return (
    <ExplanationPart heading={texts.heading}>
      <p className={classes.text}>{outcomeText({ item, deploy, isDeployed })}</p>
      {mark === null ? null : (
        <p className={classes.note}>
          {messages.skipReasons[mark.reason]}.{" "}
          {mark.includedBy === null
            ? null
            : texts.includedBy(mark.includedBy.username, dateTimeText(mark.includedAt))}
        </p>
      )}
      {isAdjusted ? <p className={classes.note}>{sumText(deploy)}</p> : null}
      {isDeployed ? null : <p className={classes.note}>{texts.asked}</p>}
      <DeployRows rows={deploy.rows} />
    </ExplanationPart>
  );
}

function factsOf({ session, counted, manual, variance, deployed }: OtherCount): string {
  return [
    others.counted(counted),
    ...(manual ? [others.manual] : []),
    ...(session.status === "active" ? [others.active] : []),
    ...(variance === null ? [] : [others.variance(variance)]),
    ...(deployed === 0 ? [] : [others.deployed(deployed)]),
  ].join(", ");
}

function whenOf({ session: { status, storeName, startedAt, endedAt } }: OtherCount): string {
  return status === "active"
    ? others.running(storeName, dateTimeText(startedAt))
    : others.ended(storeName, dateTimeText(endedAt));
}

export function OtherCountsPart({ otherCounts }: Explanation) {
  return (
    <ExplanationPart heading={others.heading}>
      {otherCounts.length === 0 ? <p className={classes.note}>{others.none}</p> : null}
      <ul className={classes.rows}>
        {otherCounts.map((other) => (
          <li key={other.session._id} className={classes.line}>
            <span>{whenOf(other)}</span>
            <span>{factsOf(other)}</span>
          </li>
        ))}
      </ul>
    </ExplanationPart>
  );
}

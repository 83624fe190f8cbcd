import type { OtherCount, RowDeploy, SkipReason } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { dateTimeText, signedText } from "../../../ui/formats.ts";
import { historyQuery, type Report } from "../api.ts";
import { activeIn } from "../deploy/deploy-state.ts";
import { messages } from "../messages.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import type { Explanation } from "./explanation-query.ts";
import { rowMessages } from "./messages.ts";
import classes from "./row.module.css";

const { deploy: texts, others } = rowMessages;

interface OutcomeProps extends Pick<Explanation, "deploy" | "item"> {
  readonly isDeployed: boolean;
  readonly now: RowNow;
}

/** What became of the row in the deploy by which the report is deployed. */
interface RowNow {
  /** Undefined where that deploy has none of it. */
  readonly state: RowDeploy["rows"][number]["state"] | undefined;
  /** Its rollback, which has left others as they are, has taken it back. */
  readonly isTakenBack: boolean;
}

function reasonText(skipReason: SkipReason, { leftAlone }: Explanation["item"]): string {
  if (skipReason !== "LEFT_ALONE" || leftAlone === undefined) return messages.skipReasons[skipReason];
  return texts.leftAlone(leftAlone.reason, leftAlone.by, dateTimeText(leftAlone.at));
}

function outcomeText({ deploy, item, isDeployed, now: { state, isTakenBack } }: OutcomeProps): string {
  const { wouldMove, skipReason, moved } = deploy;
  if (skipReason !== null && (!isDeployed || moved === 0)) {
    const reason = reasonText(skipReason, item);
    return isDeployed ? texts.wasLeftOut(reason) : texts.leftOut(reason);
  }
  if (state === "not_moved") return texts.refused;
  if (state === "unclear") return texts.unclear;
  if (isTakenBack) return texts.takenBack;
  if (isDeployed) return texts.deployed(moved);
  return wouldMove === null || wouldMove === 0 ? texts.nothing : texts.moves(wouldMove);
}

function sumText({ variance, moved, movedByOthers }: RowDeploy, isDeployed: boolean): string {
  const range =
    variance.low === variance.high
      ? signedText(variance.low)
      : `${signedText(variance.low)} to ${signedText(variance.high)}`;
  const byOthers = movedByOthers === null ? texts.othersUnknown : signedText(movedByOthers);
  return isDeployed ? texts.sumDeployed(range, byOthers) : texts.sum(range, signedText(moved), byOthers);
}

/** Whether what is moved is not just the variance. A row that the deploy left out has a reason of its own. */
function isAdjusted({ variance, moved, skipReason, ...others }: RowDeploy, isDeployed: boolean): boolean {
  const { movedByOthers, movesByOthers = [] } = others;
  const byOthers = movedByOthers !== 0 || movesByOthers.length > 0;
  if (!isDeployed) return moved !== 0 || byOthers;
  return byOthers && moved !== variance.low && (skipReason === null || movedByOthers === null);
}

/** The moves of other sessions whose sum is in the sentence above. */
function MovesByOthers({ movesByOthers = [], earlierByOthers }: RowDeploy) {
  if (movesByOthers.length === 0) return null;
  return (
    <ul className={classes.rows} aria-label={texts.byOthers}>
      {movesByOthers.map((move) => (
        <li key={`${move.session._id} ${move.direction} ${move.at}`} className={classes.line}>
          <span>{whenOf(move)}</span>
          <span>{texts.move(move, dateTimeText(move.at))}</span>
        </li>
      ))}
      {earlierByOthers === undefined ? null : (
        <li className={classes.note}>{texts.earlierMoves(earlierByOthers.moves, earlierByOthers.delta)}</li>
      )}
    </ul>
  );
}

function DeployRows({ rows }: Pick<RowDeploy, "rows">) {
  if (rows.length === 0) return null;
  return (
    <ul className={classes.rows}>
      {rows.map(({ adjustmentId, direction, delta, state, note, appliedAt, keptUnseen }) => (
        <li key={`${adjustmentId} ${direction}`}>
          <div className={classes.line}>
            <span>{texts.row(direction, delta)}</span>
            <span>
              {texts.rowStates[state]}, {dateTimeText(appliedAt)}
            </span>
          </div>
          {keptUnseen === undefined ? null : (
            <div className={classes.note}>{texts.keptUnseen(keptUnseen, delta)}</div>
          )}
          {note === null ? null : <div className={classes.note}>{note}</div>}
        </li>
      ))}
    </ul>
  );
}

/** What the deploy by which the report is deployed, and its rollback, have come to for the row. */
function useRowNow({ deployed, session }: Report, { rows }: RowDeploy): RowNow {
  const { data: entries = [] } = useQuery(historyQuery(session._id));
  const current = deployed ? activeIn(entries)?._id : undefined;
  const ofCurrent = rows.filter(({ adjustmentId }) => adjustmentId === current);
  return {
    state: ofCurrent.find(({ direction }) => direction === "deploy")?.state,
    isTakenBack: ofCurrent.some(({ direction, state }) => direction === "rollback" && state === "confirmed"),
  };
}

/** What a deploy would do with the row, or has done, and why. */
export function DeployPart({ item, deploy, mark, report }: Explanation & { readonly report: Report }) {
  const isDeployed = report.deployed;
  const now = useRowNow(report, deploy);
  return (
    <ExplanationPart heading={texts.heading}>
      <p className={classes.text}>{outcomeText({ item, deploy, isDeployed, now })}</p>
      {mark === null ? null : (
        <p className={classes.note}>
          {messages.skipReasons[mark.reason]}.{" "}
          {mark.includedBy === null
            ? null
            : texts.includedBy(mark.includedBy.username, dateTimeText(mark.includedAt))}
        </p>
      )}
      {isAdjusted(deploy, isDeployed) ? (
        <>
          <p className={classes.note}>{sumText(deploy, isDeployed)}</p>
          <MovesByOthers {...deploy} />
        </>
      ) : null}
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

function whenOf({ session: { status, storeName, startedAt, endedAt } }: Pick<OtherCount, "session">): string {
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

import { Button } from "@mantine/core";
import type { ExceptionGroup } from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { Report } from "../api.ts";
import { groupsQuery, keyOf } from "../exceptions/api.ts";
import { AcceptDialog, DismissDialog } from "../exceptions/decision-dialogs.tsx";
import { GroupText } from "../exceptions/group-text.tsx";
import { messages as exceptionMessages } from "../exceptions/messages.ts";
import { type DecidingPanel, useDecidingPanel } from "../exceptions/use-deciding-panel.ts";
import { ExplanationPart } from "./explanation-part.tsx";
import type { Explanation } from "./explanation-query.ts";
import { rowMessages } from "./messages.ts";
import classes from "./row.module.css";

const { waiting: texts } = rowMessages;
const { decisions, decided, done: doneTexts, list } = exceptionMessages;
const none: readonly ExceptionGroup[] = [];

interface GroupProps {
  readonly group: ExceptionGroup;
  readonly locked: boolean;
  readonly onAsk: DecidingPanel["ask"];
  readonly onLead: (group: ExceptionGroup) => void;
}

/** Late scans are accepted or dismissed here; for what lacks a product or an area there is more room in the list. */
function WaitingGroup({ group, locked, onAsk, onLead }: GroupProps) {
  const isLate = group.status === "late";
  return (
    <li>
      <GroupText group={group} />
      <div className={classes.choices}>
        {isLate && group.acceptable ? (
          <Button
            variant="default"
            size="sm"
            disabled={locked}
            aria-label={`${decisions.accept}: ${group.input}`}
            onClick={() => onAsk("accept", [group])}
          >
            {decisions.accept}
          </Button>
        ) : null}
        {isLate ? (
          <Button
            variant="subtle"
            color="red"
            size="sm"
            disabled={locked}
            aria-label={`${decisions.dismiss}: ${group.input}`}
            onClick={() => onAsk("dismiss", [group])}
          >
            {decisions.dismiss}
          </Button>
        ) : null}
        {group.acceptable ? null : (
          <Button
            variant="default"
            size="sm"
            aria-label={`${texts.decide}: ${group.input}`}
            onClick={() => onLead(group)}
          >
            {texts.decide}
          </Button>
        )}
      </div>
    </li>
  );
}

/** What was decided last, which takes the focus: the button that was pressed is gone with its scans. */
function Decided({ panel: { done, undoing, takeBack } }: { readonly panel: DecidingPanel }) {
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (done !== null) told.current?.focus();
  }, [done]);
  const undo =
    done === null || done.scanIds.length === 0 ? null : (
      <Button variant="default" size="sm" disabled={undoing.isPending} onClick={() => takeBack(done.scanIds)}>
        {doneTexts.undo}
      </Button>
    );
  return (
    <>
      <div ref={told} tabIndex={-1} role="status" aria-label={texts.decided} className={classes.told}>
        {done === null ? null : (
          <Notice kind="success" action={undo}>
            {done.message}
          </Notice>
        )}
      </div>
      <ErrorBox error={undoing.error} fallback={decided.takeBackFailed} />
    </>
  );
}

interface WaitingPartProps {
  readonly report: Report;
  readonly explanation: Explanation;
  /** Leads to a group in the list of all that wait. */
  readonly onLead: (group: ExceptionGroup) => void;
}

/** The scans of the row that wait for a decision, however many of its scans are loaded. */
export function WaitingPart({ report, explanation: { item }, onLead }: WaitingPartProps) {
  const sessionId = report.session._id;
  const { data, error, refetch } = useInfiniteQuery(groupsQuery(sessionId, "", item.sku));
  const groups = data?.groups ?? none;
  const panel = useDecidingPanel({
    ...{ sessionId, groups, lateOf: "" },
    setByHand: () => (item.manual ? item.counted : null),
  });
  const { open, deciding, decide, close, ask, done } = panel;
  if (groups.length === 0 && done === null && open === null && error === null) return null;
  const dialog = {
    ...{ groups: open?.groups ?? none, deciding, onDecide: decide, onClose: close },
    rowOf: (sku: string) => (sku === item.sku ? item : undefined),
  };
  return (
    <ExplanationPart heading={texts.heading}>
      <ErrorBox error={error} fallback={list.fetchFailed} onRetry={refetch} />
      <Decided panel={panel} />
      {groups.length > 0 && report.deployed ? <p className={classes.note}>{list.locked}</p> : null}
      <ul className={classes.rows}>
        {groups.map((group) => (
          <WaitingGroup
            key={keyOf(group)}
            group={group}
            locked={report.deployed}
            onAsk={ask}
            onLead={onLead}
          />
        ))}
      </ul>
      {open?.kind === "accept" ? <AcceptDialog {...dialog} walk={null} /> : null}
      {open?.kind === "dismiss" ? <DismissDialog {...dialog} /> : null}
    </ExplanationPart>
  );
}

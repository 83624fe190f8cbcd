import type { ExceptionGroup } from "@stocktake/contract";
import { useEffect, useRef, useState } from "react";
import { type DecidedScans, type Decision, keyOf, useDecide, useTakeBack } from "./api.ts";
import { decidedText, type SetByHand, takenBackText } from "./outcome-text.ts";

export type DecisionKind = "accept" | "resolve" | "dismiss";

/** What is asked about, and the groups that are worked through after it. */
interface Open {
  readonly kind: DecisionKind;
  readonly groups: readonly ExceptionGroup[];
  readonly queue: readonly ExceptionGroup[];
  /** The list is worked through: what was decided on is followed by the next. */
  readonly isWalk: boolean;
}

/** What was done last; `scanIds`: what of it can be taken back. */
export interface Done {
  readonly message: string;
  readonly scanIds: readonly string[];
}

/** Nothing has counted its items already, by another read of an RFID tag or before a second count: accepted, they would count twice. */
export function canCount({ tagCountedIn = null, scans, ofSecondCounts = 0 }: ExceptionGroup): boolean {
  return tagCountedIn === null && ofSecondCounts < scans;
}

/** Its product is known and its area was deleted: it counts once an area is chosen for it. */
export function needsOnlyArea(group: ExceptionGroup): boolean {
  return !group.acceptable && group.sku !== null && canCount(group);
}

/** How a group is decided on where nothing else is asked for. */
export function naturalKind({ acceptable }: ExceptionGroup): DecisionKind {
  return acceptable ? "accept" : "resolve";
}

/** Asks about one group of a walk by the way in which it is decided on where nothing else is asked for. */
function stepOf(group: ExceptionGroup, queue: readonly ExceptionGroup[]): Open {
  return { kind: naturalKind(group), groups: [group], queue, isWalk: true };
}

/** The next of the queue that waits still, and what comes after it; null at the end. */
function nextOf(queue: readonly ExceptionGroup[], waiting: readonly ExceptionGroup[]): Open | null {
  const keys = new Set(waiting.map(keyOf));
  const [group, ...rest] = queue.filter((each) => keys.has(keyOf(each)));
  return group === undefined ? null : stepOf(group, rest);
}

/** What presses have done of one question, as it is told and taken back: each scan once. */
interface Part extends Done {
  readonly scans: DecidedScans;
}

/** What a further press was answered, with what those before it were: it finds settled what they had decided on. */
function together(before: DecidedScans, answered: DecidedScans): DecidedScans {
  const byId = new Map(before.map((scan) => [scan._id, scan]));
  for (const scan of answered) {
    if (byId.get(scan._id)?.outcome !== "done") byId.set(scan._id, scan);
  }
  return [...byId.values()];
}

interface PanelInput {
  readonly sessionId: string;
  readonly groups: readonly ExceptionGroup[];
  readonly lateOf: string;
  readonly setByHand: SetByHand;
}

/** What is open, what was done last, and what a person does about it. */
export function useDecidingPanel({ sessionId, groups, lateOf, setByHand }: PanelInput) {
  const [open, setOpen] = useState<Open | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const deciding = useDecide(sessionId);
  const undoing = useTakeBack(sessionId);
  // What presses have done of what is asked now before a call failed: it is told and taken back with the rest, or alone where nobody goes on.
  const part = useRef<Part | null>(null);
  // What waits by the time a decision is made: the list was read again meanwhile.
  const latest = useRef(groups);
  useEffect(() => {
    latest.current = groups;
  }, [groups]);
  /** While a decision is under way nothing else can be decided, and what is asked stays. */
  const show = (next: Open | null) => {
    if (deciding.isPending) return;
    deciding.reset();
    if (part.current !== null) setDone(part.current);
    part.current = null;
    setOpen(next);
  };
  const decide = (decision: Decision) => {
    if (open === null) return;
    const doneBy = (answered: DecidedScans): Part => {
      const scans = together(part.current?.scans ?? [], answered);
      return {
        scans,
        message: decidedText(scans, decision, setByHand),
        scanIds: scans.flatMap(({ outcome, _id }) => (outcome === "done" ? [_id] : [])),
      };
    };
    const onPart = (scans: DecidedScans) => {
      part.current = doneBy(scans);
    };
    deciding.send({ groups: open.groups, decision, lateOf, onPart }, (scans) => {
      setDone(doneBy(scans));
      part.current = null;
      deciding.reset();
      // What took the place of this question meanwhile stays.
      setOpen((shown) => (shown === open ? nextOf(open.queue, latest.current) : shown));
    });
  };
  /** Dismissing one of a walk is asked about in between: whoever thinks better of it is back at the same group. */
  const close = () => {
    const [group] = open?.kind === "dismiss" && open.isWalk ? open.groups : [];
    show(open === null || group === undefined ? null : stepOf(group, open.queue));
  };
  const takeBack = (scanIds: readonly string[]) =>
    undoing.send(scanIds, (scans) => setDone({ message: takenBackText(scans), scanIds: [] }));
  return {
    open,
    done,
    deciding,
    undoing,
    decide,
    takeBack,
    ask: (kind: DecisionKind, asked: readonly ExceptionGroup[]) =>
      show({ kind, groups: asked, queue: [], isWalk: false }),
    /** Asks about a group, and then about those after it in the list. */
    workThrough: (group: ExceptionGroup) =>
      show(nextOf(groups.slice(groups.indexOf(group)).filter(canCount), groups)),
    skip: () => show(open === null ? null : nextOf(open.queue, latest.current)),
    /** Asks whether to dismiss the group that the walk is at. */
    dismiss: () => show(open === null ? null : { ...open, kind: "dismiss" }),
    close,
    forget: () => setDone(null),
  };
}

export type DecidingPanel = ReturnType<typeof useDecidingPanel>;

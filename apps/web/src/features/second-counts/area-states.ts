import type { CallAnswer, CountDifference, SecondCount, sessionProgress } from "@stocktake/contract";
import { messages, openText } from "./messages.ts";

type AreaProgress = CallAnswer<typeof sessionProgress>["areas"][number];

const { states } = messages.areas;

/** A closed area, and how its counts compare. */
export interface ComparedArea {
  readonly area: AreaProgress;
  readonly state: string;
  /** A second or third count that nobody has finished. */
  readonly isOpen: boolean;
  /** It belongs to a control sample, which is never left unfinished by one area alone. */
  readonly isControl: boolean;
  /** Which count can be asked for; null where every figure is settled, and while one is open. */
  readonly next: 2 | 3 | null;
}

interface Known {
  readonly counts: readonly SecondCount[];
  readonly differences: readonly CountDifference[];
  /** A control sample is neither finished nor void. */
  readonly isSampleOpen: boolean;
}

/** The closed areas of a session with what became of their second counts: of the pass that counts now alone. */
export function comparedAreas(areas: readonly AreaProgress[], known: Known): ComparedArea[] {
  return areas
    .filter(({ status }) => status === "closed")
    .map((area) => {
      const isOfPass = (of: SecondCount | CountDifference) =>
        of.area._id === area._id && of.ofPass === area.pass;
      return compared(area, {
        counts: known.counts.filter(isOfPass),
        differences: known.differences.filter(isOfPass),
        isSampleOpen: known.isSampleOpen,
      });
    });
}

function compared(area: AreaProgress, { counts, differences, isSampleOpen }: Known): ComparedArea {
  const open = counts.find(({ endedAs }) => endedAs === null);
  if (open !== undefined) {
    const isControl = isSampleOpen && open.origin === "sample";
    return { area, state: openText(open), isOpen: true, isControl, next: null };
  }
  const closed = Math.max(
    1,
    ...counts.filter(({ endedAs }) => endedAs === "closed").map(({ round }) => round),
  );
  const unsettled = differences.filter(({ settledAs }) => settledAs === null).length;
  const over = { area, isOpen: false, isControl: false };
  if (closed === 1) return { ...over, state: states.none, next: 2 };
  if (unsettled > 0) return { ...over, state: states.open(unsettled), next: closed === 2 ? 3 : null };
  const state = differences.length === 0 ? states.equal : states.settled(differences.length);
  return { ...over, state, next: null };
}

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
  const made = counts.filter(({ endedAs }) => endedAs === "closed");
  const isWholeMade = made.some(({ only }) => only === undefined);
  const unsettled = differences.filter(({ settledAs }) => settledAs === null);
  const over = { area, isOpen: false, isControl: false };
  if (unsettled.length > 0) {
    const next = made.some((count) => owesThird(count, made, unsettled)) ? 3 : isWholeMade ? null : 2;
    return { ...over, state: states.open(unsettled.length), next };
  }
  if (!isWholeMade) {
    const skus = new Set(made.flatMap(({ only = [] }) => only)).size;
    return { ...over, state: skus === 0 ? states.none : states.someCounted(skus), next: 2 };
  }
  const state = differences.length === 0 ? states.equal : states.settled(differences.length);
  return { ...over, state, next: null };
}

/** Whether a second count that was made differs in what nobody has settled or counted a third time. */
function owesThird(
  { round, only }: SecondCount,
  made: readonly SecondCount[],
  unsettled: readonly CountDifference[],
): boolean {
  const isSameList = (other: SecondCount) => other.only?.join() === only?.join();
  if (round !== 2 || made.some((other) => other.round === 3 && isSameList(other))) return false;
  const listed = new Set(made.flatMap((count) => count.only ?? []));
  return unsettled.some(({ sku }) => (only === undefined ? !listed.has(sku) : only.includes(sku)));
}

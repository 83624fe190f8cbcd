import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { AreaOpening } from "../opening/area-opening.ts";
import type { Selection, StartStep } from "../opening/start-counting.ts";
import type { CounterData } from "./use-counter-data.ts";
import type { ProductSync } from "./use-product-sync.ts";
import type { SelectionControl } from "./use-selection.ts";

export interface StepFocus {
  /** Each step's element on the page. */
  readonly refOf: Readonly<Record<StartStep, RefObject<HTMLDivElement | null>>>;
  /** Scrolls to a step and focuses what is to be pressed in it. */
  readonly show: (step: StartStep) => void;
}

// Not a search field: its keyboard would cover the list on a phone.
const pressed = "input[type=radio]:not(:disabled), button:not(:disabled)";

export function useStepFocus(): StepFocus {
  const store = useRef<HTMLDivElement>(null);
  const location = useRef<HTMLDivElement>(null);
  const products = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const refOf = { store, location, products, area };
  const show = useCallback((step: StartStep) => {
    const element = { store, location, products, area }[step].current;
    if (element === null) return;
    element.scrollIntoView({ block: "start" });
    element.querySelector<HTMLElement>(pressed)?.focus({ preventScroll: true });
  }, []);
  return { refOf, show };
}

/** The one way to start an area from the dashboard: by its button, a card or a label. */
export interface Starting {
  /** Starts what is chosen; while its products are still coming, once they are here, or says why it can't. */
  readonly startChosen: () => void;
  /** The same of another area of the list that is shown, which is chosen by it. */
  readonly startListed: (areaId: string) => void;
  /** The same of an area that a card or a label names, wherever it is: by a list that was read since, where one comes soon. */
  readonly start: (selection: Selection) => void;
  readonly isWaiting: boolean;
}

interface StartProps {
  readonly data: CounterData;
  readonly control: SelectionControl;
  readonly opening: AreaOpening;
  readonly sync: ProductSync;
  /** The page thanks for a count that is over: nothing starts before it is left. */
  readonly isFinished: boolean;
  readonly show: StepFocus["show"];
  /** Makes heard that what was waited for did not start. */
  readonly onRefused: () => void;
}

/** What is to start as soon as it can, by a list of areas that came at `listSince` or later, in milliseconds since 1970. */
interface Wanted {
  readonly selection: Selection;
  readonly listSince: number;
}

/** The list that is there will do: a person has chosen from it. */
const anyList = 0;
/** Others scan all the time, so that a list may be read again before it has come: so long it is waited for. */
const newListWithinMs = 2_000;

function isSame(one: Selection, other: Selection): boolean {
  return one.storeId === other.storeId && one.locationId === other.locationId && one.areaId === other.areaId;
}

function isWhole({ storeId, locationId, areaId }: Selection): boolean {
  return storeId !== null && locationId !== null && areaId !== null;
}

/** Whether the list of areas is as new as is wanted, or has been waited for long enough. */
function useNewList({ areas }: Pick<CounterData, "areas">, wanted: Wanted | null): boolean {
  const [late, setLate] = useState<Wanted | null>(null);
  useEffect(() => {
    if (wanted === null || wanted.listSince === anyList) return;
    const timer = setTimeout(() => setLate(wanted), newListWithinMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  return wanted === null || !areas.isFetching || areas.dataUpdatedAt >= wanted.listSince || late === wanted;
}

export function useStart(props: StartProps): Starting {
  const { data, control, opening, sync, isFinished, show, onRefused } = props;
  const { selection } = control;
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const isNew = useNewList(data, wanted);
  const isWaiting = wanted !== null && isSame(wanted.selection, selection);
  const decide = (chosen: Selection) => {
    const decision = opening.start(chosen, data.choices);
    if (decision.kind === "refused" && decision.missing !== null) show(decision.missing);
    return decision;
  };
  const want = (next: Selection, listSince: number) => {
    control.choose(next);
    // What is missing in it does not come by waiting.
    if (isWhole(next)) setWanted({ selection: next, listSince });
    else decide(next);
  };
  const startChosen = () => {
    if (sync.isComing && selection.areaId !== null) setWanted({ selection, listSince: anyList });
    else decide(selection);
  };
  // What was to start in a count that is over by now must not start in another one, much later, by itself.
  useEffect(() => {
    if (isFinished) setWanted(null);
  }, [isFinished]);
  useEffect(() => {
    // Something else was chosen meanwhile.
    if (wanted !== null && !isWaiting) setWanted(null);
    if (!isWaiting || isFinished || sync.isComing || data.isReading || !isNew) return;
    setWanted(null);
    if (decide(selection).kind === "refused") onRefused();
  });
  return {
    ...{ startChosen, isWaiting },
    startListed: (areaId) => want({ ...selection, areaId }, anyList),
    start: (next) => want(next, Date.now()),
  };
}

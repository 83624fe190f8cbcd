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
  /** The same of an area that a card or a label names, which is chosen by it. */
  readonly start: (selection: Selection) => void;
  readonly isWaiting: boolean;
}

interface StartProps {
  readonly data: CounterData;
  readonly control: SelectionControl;
  readonly opening: AreaOpening;
  readonly sync: ProductSync;
  readonly show: StepFocus["show"];
  /** Makes heard that what was waited for did not start. */
  readonly onRefused: () => void;
}

function isSame(one: Selection, other: Selection): boolean {
  return one.storeId === other.storeId && one.locationId === other.locationId && one.areaId === other.areaId;
}

export function useStart({ data, control, opening, sync, show, onRefused }: StartProps): Starting {
  const { selection } = control;
  const [wanted, setWanted] = useState<Selection | null>(null);
  const isWaiting = wanted !== null && isSame(wanted, selection);
  const decide = () => {
    const decision = opening.start(selection, data.choices);
    if (decision.kind === "refused" && decision.missing !== null) show(decision.missing);
    return decision;
  };
  const start = (next: Selection) => {
    control.choose(next);
    setWanted(next);
  };
  const startChosen = () => {
    if (sync.isComing && selection.areaId !== null) setWanted(selection);
    else decide();
  };
  useEffect(() => {
    // Something else was chosen meanwhile.
    if (wanted !== null && !isWaiting) setWanted(null);
    if (!isWaiting || sync.isComing || data.isReading) return;
    setWanted(null);
    if (decide().kind === "refused") onRefused();
  });
  return { start, startChosen, isWaiting };
}

import { type RefObject, useCallback, useRef } from "react";
import type { StartStep } from "./start-counting.ts";

interface Steps {
  /** Where each step stands on the page. */
  readonly placeOf: Readonly<Record<StartStep, RefObject<HTMLDivElement | null>>>;
  /** Brings a step into sight and the focus to what is to be pressed in it. */
  readonly show: (step: StartStep) => void;
}

// Not a search field: its keyboard would cover the list on a phone.
const pressed = "input[type=radio]:not(:disabled), button:not(:disabled)";

export function useSteps(): Steps {
  const store = useRef<HTMLDivElement>(null);
  const location = useRef<HTMLDivElement>(null);
  const products = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const placeOf = { store, location, products, area };
  const show = useCallback((step: StartStep) => {
    const place = { store, location, products, area }[step].current;
    if (place === null) return;
    place.scrollIntoView({ block: "start" });
    place.querySelector<HTMLElement>(pressed)?.focus({ preventScroll: true });
  }, []);
  return { placeOf, show };
}

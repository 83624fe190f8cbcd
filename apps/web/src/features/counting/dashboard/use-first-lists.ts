import { useState } from "react";
import type { CounterData } from "./use-counter-data.ts";
import type { SelectionControl } from "./use-selection.ts";

/** Whether a step's list is still to come, or its only entry is about to be chosen by itself. */
function isComing(isPending: boolean, options: readonly unknown[], chosen: string | null): boolean {
  return isPending || (options.length === 1 && chosen === null);
}

function areListsComing(data: CounterData, { selection }: SelectionControl): boolean {
  const { stores, locations } = data.choices;
  if (data.sessions.isPending) return true;
  if (isComing(data.stores.isPending, stores, selection.storeId)) return true;
  if (selection.storeId === null) return false;
  if (isComing(data.locations.isPending, locations, selection.locationId)) return true;
  return selection.locationId !== null && data.areas.isPending;
}

/**
 * False until the steps can be drawn as they will stay: what is below the first ones is shown only then. What is chosen later
 * loads in its own place.
 */
export function useFirstLists(data: CounterData, control: SelectionControl): boolean {
  const [areThere, setThere] = useState(false);
  const isThereNow = !areListsComing(data, control);
  if (isThereNow && !areThere) setThere(true);
  return areThere || isThereNow;
}

import { type Area, countingConstants, type InvitationData } from "@stocktake/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import type { CountingDevice } from "../../../offline/offline.ts";
import { isOthersAlone } from "../opening/area-order.ts";
import { readSelection, storeSelection } from "../opening/last-area.ts";
import type { Selection, StartData } from "../opening/start-counting.ts";

export interface SelectionControl {
  readonly selection: Selection;
  readonly choose: (selection: Selection) => void;
  /** What the page chooses by itself: it is not remembered as a person's choice is. */
  readonly preselect: (change: (current: Selection) => Selection) => void;
  /** The invitation chooses the location, in its time. */
  readonly isLocationInvited: boolean;
  readonly chooseStore: (id: string | null) => void;
  readonly chooseLocation: (id: string | null) => void;
  readonly chooseArea: (id: string | null) => void;
}

const nothing: Selection = { storeId: null, locationId: null, areaId: null };

/** Pre-selects where an invitation leads: the store at once, its location a second later, unless a person was faster. */
function useInvitation(
  invitation: InvitationData | null,
  choose: (change: (current: Selection) => Selection) => void,
): void {
  useEffect(() => {
    if (invitation === null) return;
    const { storeId, locationId } = invitation;
    choose((current) => (current.storeId === null ? { ...nothing, storeId } : current));
    if (locationId === null) return;
    const timer = setTimeout(
      () =>
        choose((current) =>
          current.storeId === storeId && current.locationId === null ? { ...current, locationId } : current,
        ),
      countingConstants.locationPreselectMs,
    );
    return () => clearTimeout(timer);
  }, [invitation, choose]);
}

/** What is chosen on the dashboard. The last store and location on this device come back, so that area follows area. */
export function useSelection(
  device: CountingDevice,
  userId: string,
  invitation: InvitationData | null,
): SelectionControl {
  const [selection, setSelection] = useState<Selection>({ ...nothing, storeId: invitation?.storeId ?? null });
  const isTouched = useRef(false);
  useInvitation(invitation, setSelection);
  useEffect(() => {
    readSelection(device.database, userId).then((stored) => {
      if (stored === null || isTouched.current) return;
      setSelection((current) => (current.locationId === null ? { ...stored, areaId: null } : current));
    }, globalThis.reportError);
  }, [device, userId]);
  const choose = useCallback(
    (next: Selection) => {
      isTouched.current = true;
      setSelection(next);
      const { storeId, locationId } = next;
      storeSelection(device.database, userId, { storeId, locationId }).catch(globalThis.reportError);
    },
    [device, userId],
  );
  return {
    selection,
    choose,
    preselect: setSelection,
    isLocationInvited: (invitation?.locationId ?? null) !== null,
    chooseStore: (storeId) => choose({ ...nothing, storeId }),
    chooseLocation: (locationId) => choose({ ...selection, locationId, areaId: null }),
    chooseArea: (areaId) => choose({ ...selection, areaId }),
  };
}

type Choosable = Pick<StartData, "stores" | "locations" | "areas" | "notes">;

/** The location to be chosen by itself: the only one, or the one of the only area that is this person's. */
function onlyLocation({ locations }: Choosable, mine: Area | null): string | null {
  const [first, ...further] = locations;
  const place = further.length === 0 ? first : locations.find(({ _id }) => _id === mine?.locationId);
  return place?._id ?? null;
}

/** The area to be chosen by itself: this person's only one, or the only one of the only location, while it can be counted. */
function onlyArea({ locations, areas, notes }: Choosable, mine: Area | null): string | null {
  const [first, ...further] = areas;
  const isAlone = locations.length === 1 && further.length === 0;
  const area = areas.find(({ _id }) => _id === mine?._id) ?? (isAlone ? first : undefined);
  if (area === undefined || area.status === "closed" || isOthersAlone(area)) return null;
  return notes.get(area._id)?.isFinishWaiting === true ? null : area._id;
}

/** Chooses by itself where there is nothing to decide: the only store, the only location, and the only area. */
export function useOnlyChoices(
  { selection, preselect, isLocationInvited }: SelectionControl,
  { choices, mine }: { readonly choices: Choosable; readonly mine: readonly Area[] },
): void {
  const { storeId, locationId, areaId } = selection;
  const [onlyStore, ...furtherStores] = choices.stores;
  const isOfStore = choices.locations[0]?.storeId._id === storeId;
  const own = mine.filter((area) => choices.locations.some(({ _id }) => _id === area.locationId));
  const ownArea = own.length === 1 ? (own[0] ?? null) : null;
  const location = isOfStore && !isLocationInvited ? onlyLocation(choices, ownArea) : null;
  const isOfLocation = choices.areas[0]?.locationId === locationId;
  const area = isOfLocation ? onlyArea(choices, ownArea) : null;
  const isOnlyLocation = choices.locations.length === 1;
  // Of several, one is chosen once in a store: whoever then wants to change it can.
  const settledIn = useRef<string | null>(null);
  useEffect(() => {
    if (storeId !== null || onlyStore === undefined || furtherStores.length > 0) return;
    preselect((current) => (current.storeId === null ? { ...nothing, storeId: onlyStore._id } : current));
  });
  useEffect(() => {
    const isSettled = !isOnlyLocation && settledIn.current === storeId;
    if (locationId !== null) settledIn.current = storeId;
    if (locationId !== null || location === null || isSettled) return;
    preselect((current) =>
      current.storeId === storeId && current.locationId === null
        ? { ...current, locationId: location }
        : current,
    );
  });
  useEffect(() => {
    if (locationId === null || areaId !== null || area === null) return;
    preselect((current) =>
      current.locationId === locationId && current.areaId === null ? { ...current, areaId: area } : current,
    );
  });
}

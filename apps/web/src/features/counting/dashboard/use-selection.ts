import { countingConstants, type InvitationData } from "@stocktake/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import type { CountingDevice } from "../../../offline/offline.ts";
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
  const [selection, setSelection] = useState(nothing);
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

/** Chooses the only store and the only location by itself: there is nothing to decide. */
export function useOnlyChoices(
  { selection, preselect, isLocationInvited }: SelectionControl,
  { stores, locations }: Pick<StartData, "stores" | "locations">,
): void {
  const { storeId, locationId } = selection;
  const [onlyStore, ...furtherStores] = stores;
  const [onlyLocation, ...furtherLocations] = locations;
  useEffect(() => {
    if (storeId !== null || onlyStore === undefined || furtherStores.length > 0) return;
    preselect((current) => (current.storeId === null ? { ...nothing, storeId: onlyStore._id } : current));
  });
  useEffect(() => {
    if (storeId === null || locationId !== null || isLocationInvited) return;
    if (onlyLocation?.storeId._id !== storeId || furtherLocations.length > 0) return;
    preselect((current) =>
      current.storeId === storeId && current.locationId === null
        ? { ...current, locationId: onlyLocation._id }
        : current,
    );
  });
}

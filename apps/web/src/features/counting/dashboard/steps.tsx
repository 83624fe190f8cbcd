import { Button } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { useSignedIn } from "../../../identity/identity.ts";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { messages } from "../messages.ts";
import type { AreaOpeningState } from "../opening/area-opening.ts";
import { isDone, type Selection } from "../opening/start-counting.ts";
import { areaOptions, ChoiceStep } from "./choice-step.tsx";
import classes from "./counter-dashboard.module.css";
import { ProductSyncPanel, SyncProgress } from "./product-sync-panel.tsx";
import type { CounterData } from "./use-counter-data.ts";
import type { ProductSync } from "./use-product-sync.ts";
import { type SelectionControl, useOnlyChoices } from "./use-selection.ts";
import type { Starting, StepFocus } from "./use-start.ts";

function StoreStep({ data, control }: { data: CounterData; control: SelectionControl }) {
  const { user } = useSignedIn();
  return (
    <ChoiceStep
      number={1}
      title="Select Store"
      noun="Store"
      options={data.choices.stores.map(({ _id, name }) => ({ id: _id, name }))}
      chosen={control.selection.storeId}
      onChoose={control.chooseStore}
      isLoading={data.stores.isPending}
      error={data.stores.error}
      errorFallback={messages.failedStores}
      onRetry={data.stores.refetch}
      empty={user.isTemporary ? messages.noStoreForGuest : messages.noStoreForAccount}
    />
  );
}

function LocationStep({ data, control }: { data: CounterData; control: SelectionControl }) {
  const mine = data.mine;
  if (control.selection.storeId === null) return null;
  return (
    <ChoiceStep
      number={2}
      title="Select Location"
      noun="Location"
      options={data.choices.locations.map(({ _id, name }) => {
        const areas = mine.filter(({ locationId }) => locationId === _id).length;
        const note = areas === 0 ? null : messages.assignedHere(areas);
        return { id: _id, name, note: note && <StatusBadge tone="positive">{note}</StatusBadge> };
      })}
      chosen={control.selection.locationId}
      onChoose={control.chooseLocation}
      isLoading={data.locations.isPending}
      error={data.locations.error}
      errorFallback={messages.failedLocations}
      onRetry={data.locations.refetch}
      empty={messages.noLocations}
    />
  );
}

function AreaStep({ data, control }: { data: CounterData; control: SelectionControl }) {
  const { user } = useSignedIn();
  if (control.selection.locationId === null) return null;
  return (
    <ChoiceStep
      number={3}
      title="Select Area"
      options={areaOptions(data.choices.areas, data.choices.notes, user.username)}
      chosen={control.selection.areaId}
      onChoose={control.chooseArea}
      isLoading={data.areas.isPending}
      error={data.areas.error}
      errorFallback={messages.failedAreas}
      onRetry={data.areas.refetch}
      empty={messages.noAreas}
      isOpen
    />
  );
}

interface StartBarProps {
  readonly error: string | null;
  /** What it waits for, as the button says it, where it was pressed while that is still coming; null where it can be pressed. */
  readonly waiting: string | null;
  /** Stays visible while the page is scrolled: once everything is chosen, or where there is an error. */
  readonly isSticky: boolean;
  readonly onStart: () => void;
}

function StartBar({ error, waiting, isSticky, onStart }: StartBarProps) {
  return (
    <div className={classes.start} data-sticky={isSticky}>
      {error === null ? null : <ErrorMessage message={error} />}
      <Button size="xl" fullWidth onClick={onStart} disabled={waiting !== null}>
        {waiting ?? "Start Counting Area"}
      </Button>
    </div>
  );
}

/** What is said in the place of the button where there is nothing left to start; null elsewhere. */
function nothingLeft({ choices, lists }: CounterData, { locationId, areaId }: Selection): string | null {
  const isCounted = ({ status }: Area) => status === "closed";
  // Of one that was chosen and is completed since, the button says so.
  if (areaId !== null || choices.areas.length === 0 || !choices.areas.every(isCounted)) return null;
  const location = choices.locations.find(({ _id }) => _id === locationId)?.name ?? "";
  return lists.areas?.every(isCounted) === true ? messages.allCounted : messages.allCountedHere(location);
}

/** Whether what is chosen has nothing further to choose: its step says so, and there is nothing that a button could start. */
function isDeadEnd({ locations, areas, choices }: CounterData, { storeId, locationId }: Selection): boolean {
  if (storeId === null) return false;
  if (locations.isSuccess && choices.locations.length === 0) return true;
  return locationId !== null && areas.isSuccess && choices.areas.length === 0;
}

interface StepsProps {
  readonly data: CounterData;
  readonly control: SelectionControl;
  readonly state: AreaOpeningState;
  readonly sync: ProductSync;
  readonly starting: Starting;
  readonly focus: StepFocus;
}

/** "Scan" in the menu, with no area to resume, leads to what is to be chosen next. */
function useChoiceShown({ selection }: SelectionControl, show: StepFocus["show"]): void {
  const { key, state } = useLocation();
  const isAsked = Object(state).choose === true;
  const step = selection.storeId === null ? "store" : selection.locationId === null ? "location" : "area";
  const shownFor = useRef<string | null>(null);
  useEffect(() => {
    if (!isAsked || shownFor.current === key) return;
    shownFor.current = key;
    show(step);
  }, [isAsked, key, step, show]);
}

/** The steps to an area, and the button that takes them as done. */
export function Steps({ data, control, state, sync, starting, focus }: StepsProps) {
  const { selection } = control;
  const { choices } = data;
  const { refOf, show } = focus;
  useOnlyChoices(control, data);
  useChoiceShown(control, show);
  const isDoneMeanwhile = state.missing !== null && isDone(state.missing, selection, choices.products);
  const error = isDoneMeanwhile ? null : state.error;
  const counted = nothingLeft(data, selection);
  const waitsFor = sync.isComing ? messages.startWaits : messages.startWaitsForAreas;
  return (
    <>
      <div ref={refOf.store} className={classes.step}>
        <StoreStep data={data} control={control} />
      </div>
      <div ref={refOf.location} className={`${classes.step} ${classes.location}`}>
        <LocationStep data={data} control={control} />
        {sync.progress === null ? null : <SyncProgress progress={sync.progress} />}
      </div>
      <div ref={refOf.area} className={classes.step}>
        <AreaStep data={data} control={control} />
      </div>
      {error === null && counted !== null ? (
        <Notice kind="success" role="status">
          {counted}
        </Notice>
      ) : error === null && isDeadEnd(data, selection) ? null : (
        <StartBar
          error={error}
          waiting={starting.isWaiting ? waitsFor : null}
          isSticky={error !== null || selection.areaId !== null}
          onStart={starting.startChosen}
        />
      )}
      <div ref={refOf.products} className={classes.step}>
        <ProductSyncPanel storeId={selection.storeId} sync={sync} />
      </div>
    </>
  );
}

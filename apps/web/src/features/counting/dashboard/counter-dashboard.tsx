import { Button, Group, Stack } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useRef, useState, useSyncExternalStore } from "react";
import { useNavigate } from "react-router";
import { useSignedIn } from "../../../identity/identity.ts";
import {
  type CountingDevice,
  type OutboxEvent,
  useDeviceState,
  useOutboxEvents,
} from "../../../offline/offline.ts";
import { useFeedback } from "../../../scanner/use-feedback.ts";
import { UpdateNotice } from "../../../service-worker/update-notice.tsx";
import { ErrorBox, ErrorMessage } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { DeviceBadges } from "../device/device-badges.tsx";
import { DeviceSettings } from "../device/device-settings.tsx";
import {
  areaNotesQuery,
  counterAreasQuery,
  counterLocationsQuery,
  counterSessionsQuery,
  counterStoresQuery,
  deviceRoots,
  productStateQuery,
} from "../lists/counter-queries.ts";
import { createQueryServer } from "../lists/query-server.ts";
import { messages } from "../messages.ts";
import { AskAboutArea } from "../opening/area-in-progress.tsx";
import type { AreaNote } from "../opening/area-notes.ts";
import { type AreaOpening, type AreaOpeningState, createAreaOpening } from "../opening/area-opening.ts";
import { activeSessionOf, isDone, type StartData, type StartStep } from "../opening/start-counting.ts";
import { areaOptions, ChoiceStep } from "./choice-step.tsx";
import classes from "./counter-dashboard.module.css";
import { InsecureNotice, QueueSection, Recounts, ResumeArea, ServerNotices } from "./counter-notices.tsx";
import { HowTo } from "./how-to.tsx";
import { ProductSyncPanel } from "./product-sync-panel.tsx";
import { useDashboardScans } from "./use-dashboard-scans.ts";
import { type SelectionControl, useSelection } from "./use-selection.ts";

const noNotes: ReadonlyMap<string, AreaNote> = new Map();
const noAreas: readonly Area[] = [];

/** What the dashboard reads: from the server, or what the device cached of it. */
function useCounterData(device: CountingDevice, userId: string, { selection }: SelectionControl) {
  const client = useQueryClient();
  const stores = useQuery(counterStoresQuery(device, userId));
  const sessions = useQuery(counterSessionsQuery(device, userId));
  const locations = useQuery(counterLocationsQuery(device, userId, selection.storeId));
  const areas = useQuery(counterAreasQuery(device, userId, selection.locationId));
  const products = useQuery(productStateQuery(device, selection.storeId));
  const session = activeSessionOf(sessions.data?.value ?? [], selection.storeId);
  const notes = useQuery(areaNotesQuery(device, session?._id ?? null));
  useOutboxEvents(
    device,
    useCallback(
      (event: OutboxEvent) => {
        if (event.type !== "operation_settled" && event.type !== "operation_added") return;
        void client.invalidateQueries({ queryKey: [deviceRoots.notes] });
      },
      [client],
    ),
  );
  const choices: StartData = {
    stores: stores.data?.value ?? [],
    locations: locations.data?.value ?? [],
    areas: areas.data?.value ?? noAreas,
    sessions: sessions.data?.value ?? [],
    products: products.data ?? null,
    notes: notes.data ?? noNotes,
  };
  return { stores, sessions, locations, areas, choices };
}

type CounterData = ReturnType<typeof useCounterData>;

function StoreStep({ data, control }: { data: CounterData; control: SelectionControl }) {
  const { user } = useSignedIn();
  return (
    <ChoiceStep
      number={1}
      title="Select Store"
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
  if (control.selection.storeId === null) return null;
  return (
    <ChoiceStep
      number={2}
      title="Select Location"
      options={data.choices.locations.map(({ _id, name }) => ({ id: _id, name }))}
      chosen={control.selection.locationId}
      onChoose={control.chooseLocation}
      isLoading={data.locations.isPending}
      error={data.locations.error}
      errorFallback={messages.failedLocations}
      onRetry={data.locations.refetch}
      empty="This store has no locations yet. Ask the administrator to add one."
    />
  );
}

function AreaStep({ data, control }: { data: CounterData; control: SelectionControl }) {
  if (control.selection.locationId === null) return null;
  return (
    <ChoiceStep
      number={3}
      title="Select Area"
      options={areaOptions(data.choices.areas, data.choices.notes)}
      chosen={control.selection.areaId}
      onChoose={control.chooseArea}
      isLoading={data.areas.isPending}
      error={data.areas.error}
      errorFallback={messages.failedAreas}
      onRetry={data.areas.refetch}
      empty="This location has no areas yet. Ask the administrator to add some."
      isOpen
    />
  );
}

interface StartBarProps {
  readonly error: string | null;
  /** Stays visible while the page is scrolled: once everything is chosen, or where there is an error. */
  readonly isSticky: boolean;
  readonly onStart: () => void;
}

function StartBar({ error, isSticky, onStart }: StartBarProps) {
  return (
    <div className={classes.start} data-sticky={isSticky}>
      {error === null ? null : <ErrorMessage message={error} />}
      <Button size="xl" fullWidth onClick={onStart}>
        Start Counting Area
      </Button>
    </div>
  );
}

interface StepFocus {
  /** Each step's element on the page. */
  readonly refOf: Readonly<Record<StartStep, RefObject<HTMLDivElement | null>>>;
  /** Scrolls to a step and focuses what is to be pressed in it. */
  readonly show: (step: StartStep) => void;
}

// Not a search field: its keyboard would cover the list on a phone.
const pressed = "input[type=radio]:not(:disabled), button:not(:disabled)";

function useStepFocus(): StepFocus {
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

interface StepsProps {
  readonly device: CountingDevice;
  readonly data: CounterData;
  readonly control: SelectionControl;
  readonly opening: AreaOpening;
  readonly state: AreaOpeningState;
}

/** The steps to an area, in their order, and the button that takes them as done. */
function Steps({ device, data, control, opening, state }: StepsProps) {
  const { selection } = control;
  const { choices } = data;
  const { refOf, show } = useStepFocus();
  const isDoneMeanwhile = state.missing !== null && isDone(state.missing, selection, choices.products);
  const error = isDoneMeanwhile ? null : state.error;
  const start = () => {
    const decision = opening.start(selection, choices);
    if (decision.kind === "refused" && decision.missing !== null) show(decision.missing);
  };
  return (
    <>
      <div ref={refOf.store} className={classes.step}>
        <StoreStep data={data} control={control} />
      </div>
      <div ref={refOf.location} className={classes.step}>
        <LocationStep data={data} control={control} />
      </div>
      <div ref={refOf.products} className={classes.step}>
        <ProductSyncPanel device={device} storeId={selection.storeId} />
      </div>
      <div ref={refOf.area} className={classes.step}>
        <AreaStep data={data} control={control} />
      </div>
      <StartBar error={error} isSticky={error !== null || selection.areaId !== null} onStart={start} />
    </>
  );
}

/** The way into an area, followed. */
function useAreaOpening(device: CountingDevice, userId: string): [AreaOpening, AreaOpeningState] {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [opening] = useState(() =>
    createAreaOpening({
      ...{ device, storeId: null, currentAreaId: null },
      server: createQueryServer(device, client, userId),
      enter: (area) => void navigate("/counter/scan", { state: area }),
    }),
  );
  return [opening, useSyncExternalStore(opening.subscribe, opening.get)];
}

function ReadyDashboard({ device }: { device: CountingDevice }) {
  const { user, invitationData } = useSignedIn();
  const control = useSelection(device, user._id, invitationData);
  const data = useCounterData(device, user._id, control);
  const [opening, state] = useAreaOpening(device, user._id);
  const [isSettingUp, setSettingUp] = useState(false);
  const feedback = useFeedback(device.database);
  const isPaused = isSettingUp || state.question !== null;
  useDashboardScans({ device, userId: user._id, control, opening, play: feedback.play, isPaused });
  return (
    <Stack gap="sm" className={classes.dashboard ?? ""}>
      <PageHeader
        title="Counter Dashboard"
        subtitle={`Welcome, ${user.username}`}
        actions={
          <Group gap="xs">
            <DeviceBadges device={device} />
          </Group>
        }
      />
      <InsecureNotice />
      <UpdateNotice />
      <ResumeArea device={device} userId={user._id} sessions={data.choices.sessions} />
      <QueueSection device={device} />
      <Recounts
        areas={data.choices.areas}
        notes={data.choices.notes}
        onCount={({ _id }) => opening.start({ ...control.selection, areaId: _id }, data.choices)}
      />
      <ServerNotices device={device} />
      <ErrorBox
        error={data.sessions.error}
        fallback={messages.failedSession}
        onRetry={() => data.sessions.refetch()}
      />
      <Steps device={device} data={data} control={control} opening={opening} state={state} />
      <HowTo />
      <Button variant="subtle" color="gray" size="lg" onClick={() => setSettingUp(true)}>
        Device Settings
      </Button>
      {isSettingUp ? (
        <DeviceSettings device={device} feedback={feedback} onClose={() => setSettingUp(false)} />
      ) : null}
      <AskAboutArea
        device={device}
        opening={opening}
        state={state}
        onScanIgnored={() => feedback.play("knock")}
      />
    </Stack>
  );
}

/** The counter's dashboard (/counter). */
export function CounterDashboard() {
  const state = useDeviceState();
  switch (state.status) {
    case "opening":
      return <LoadingState label="Opening this device" />;
    case "unavailable":
      return <ErrorMessage message={state.reason} />;
    case "ready":
      return <ReadyDashboard device={state.device} />;
  }
}

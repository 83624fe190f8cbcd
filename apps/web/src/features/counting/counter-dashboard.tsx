import { Button, Group, Stack } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useSignedIn } from "../../identity/identity.ts";
import {
  type CountingDevice,
  type OutboxEvent,
  useDeviceState,
  useOutboxEvents,
} from "../../offline/offline.ts";
import { useFeedback, useScannerSettings } from "../../scanner/use-feedback.ts";
import { UpdateNotice } from "../../service-worker/update-notice.tsx";
import { ErrorBox, ErrorMessage } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { AskAboutArea } from "./area-in-progress.tsx";
import type { AreaNote } from "./area-notes.ts";
import { areaOptions } from "./area-options.tsx";
import { ChoiceStep } from "./choice-step.tsx";
import classes from "./counter-dashboard.module.css";
import { InsecureNotice, NotCounted, QueueSection, Recounts, ResumeArea } from "./counter-notices.tsx";
import {
  areaNotesQuery,
  counterAreasQuery,
  counterLocationsQuery,
  counterSessionsQuery,
  counterStoresQuery,
  deviceRoots,
  productStateQuery,
} from "./counter-queries.ts";
import { DeviceSettings } from "./device-settings.tsx";
import { HowTo } from "./how-to.tsx";
import { words } from "./messages.ts";
import { ProductSyncPanel } from "./product-sync-panel.tsx";
import { activeSessionOf, isTaken, type StartKnowledge } from "./start-counting.ts";
import { DeviceBadges } from "./station-display.tsx";
import { useDashboardScans } from "./use-dashboard-scans.ts";
import { type SelectionControl, useSelection } from "./use-selection.ts";
import { type Starting, useStarting } from "./use-starting.ts";
import { useSteps } from "./use-steps.ts";

const noNotes: ReadonlyMap<string, AreaNote> = new Map();
const noAreas: readonly Area[] = [];

/** What the dashboard reads: from the server, or what the device kept of it. */
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
  const known: StartKnowledge = {
    stores: stores.data?.value ?? [],
    locations: locations.data?.value ?? [],
    areas: areas.data?.value ?? noAreas,
    sessions: sessions.data?.value ?? [],
    products: products.data ?? null,
    notes: notes.data ?? noNotes,
  };
  return { stores, sessions, locations, areas, known };
}

type CounterData = ReturnType<typeof useCounterData>;

function StoreStep({ data, control }: { data: CounterData; control: SelectionControl }) {
  const { user } = useSignedIn();
  return (
    <ChoiceStep
      number={1}
      title="Select Store"
      options={data.known.stores.map(({ _id, name }) => ({ id: _id, name }))}
      chosen={control.selection.storeId}
      onChoose={control.chooseStore}
      isLoading={data.stores.isPending}
      error={data.stores.error}
      errorFallback={words.failedStores}
      onRetry={data.stores.refetch}
      empty={user.isTemporary ? words.noStoreForGuest : words.noStoreForAccount}
    />
  );
}

function LocationStep({ data, control }: { data: CounterData; control: SelectionControl }) {
  if (control.selection.storeId === null) return null;
  return (
    <ChoiceStep
      number={2}
      title="Select Location"
      options={data.known.locations.map(({ _id, name }) => ({ id: _id, name }))}
      chosen={control.selection.locationId}
      onChoose={control.chooseLocation}
      isLoading={data.locations.isPending}
      error={data.locations.error}
      errorFallback={words.failedLocations}
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
      options={areaOptions(data.known.areas, data.known.notes)}
      chosen={control.selection.areaId}
      onChoose={control.chooseArea}
      isLoading={data.areas.isPending}
      error={data.areas.error}
      errorFallback={words.failedAreas}
      onRetry={data.areas.refetch}
      empty="This location has no areas yet. Ask the administrator to add some."
      isOpen
    />
  );
}

interface StartBarProps {
  readonly error: string | null;
  /** Stays in sight while the page is scrolled: once everything is chosen, or where something is to be said. */
  readonly isKeptInSight: boolean;
  readonly onStart: () => void;
}

function StartBar({ error, isKeptInSight, onStart }: StartBarProps) {
  return (
    <div className={classes.start} data-kept-in-sight={isKeptInSight}>
      {error === null ? null : <ErrorMessage message={error} />}
      <Button size="xl" fullWidth onClick={onStart}>
        Start Counting Area
      </Button>
    </div>
  );
}

interface StepsProps {
  readonly device: CountingDevice;
  readonly data: CounterData;
  readonly control: SelectionControl;
  readonly starting: Starting;
}

/** The steps to an area, in their order, and the button that takes them as done. */
function Steps({ device, data, control, starting }: StepsProps) {
  const { selection } = control;
  const { known } = data;
  const { placeOf, show } = useSteps();
  const isTakenMeanwhile = starting.missing !== null && isTaken(starting.missing, selection, known.products);
  const error = isTakenMeanwhile ? null : starting.error;
  const start = () => {
    const decision = starting.start(selection, known);
    if (decision.kind === "refused" && decision.missing !== null) show(decision.missing);
  };
  return (
    <>
      <div ref={placeOf.store} className={classes.step}>
        <StoreStep data={data} control={control} />
      </div>
      <div ref={placeOf.location} className={classes.step}>
        <LocationStep data={data} control={control} />
      </div>
      <div ref={placeOf.products} className={classes.step}>
        <ProductSyncPanel device={device} storeId={selection.storeId} />
      </div>
      <div ref={placeOf.area} className={classes.step}>
        <AreaStep data={data} control={control} />
      </div>
      <StartBar error={error} isKeptInSight={error !== null || selection.areaId !== null} onStart={start} />
    </>
  );
}

function ReadyDashboard({ device }: { device: CountingDevice }) {
  const { user, invitationData } = useSignedIn();
  const control = useSelection(device, user._id, invitationData);
  const data = useCounterData(device, user._id, control);
  const starting = useStarting(device);
  const [settings, changeSettings] = useScannerSettings(device.database);
  const [isSettingUp, setSettingUp] = useState(false);
  const play = useFeedback(settings.audio);
  const knock = useCallback(() => play("knock"), [play]);
  useDashboardScans({ device, userId: user._id, control, starting, play, isPaused: isSettingUp });
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
      <ResumeArea device={device} userId={user._id} sessions={data.known.sessions} />
      <QueueSection device={device} />
      <Recounts
        areas={data.known.areas}
        notes={data.known.notes}
        onCount={({ _id }) => starting.start({ ...control.selection, areaId: _id }, data.known)}
      />
      <NotCounted device={device} />
      <ErrorBox
        error={data.sessions.error}
        fallback={words.failedSession}
        onRetry={() => data.sessions.refetch()}
      />
      <Steps device={device} data={data} control={control} starting={starting} />
      <HowTo />
      <Button variant="subtle" color="gray" size="lg" onClick={() => setSettingUp(true)}>
        Device Settings
      </Button>
      {isSettingUp ? (
        <DeviceSettings
          device={device}
          value={settings}
          onChange={changeSettings}
          onTry={play}
          onClose={() => setSettingUp(false)}
        />
      ) : null}
      <AskAboutArea device={device} starting={starting} onScanIgnored={knock} />
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

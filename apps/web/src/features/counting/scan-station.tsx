import { Button } from "@mantine/core";
import { lazy, Suspense, useCallback, useState } from "react";
import { useSignedIn } from "../../identity/use-identity.ts";
import type { CountingDevice } from "../../offline/counting-device.ts";
import { useOnline, useQueueState } from "../../offline/device-context.ts";
import { useFeedback, useScannerSettings } from "../../scanner/use-feedback.ts";
import { useScannerInput } from "../../scanner/use-scanner-input.ts";
import { useWakeLock } from "../../scanner/use-wake-lock.ts";
import { ErrorMessage } from "../../ui/error-box.tsx";
import { CameraIcon } from "../../ui/icons.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { ChooseProduct } from "./choose-product.tsx";
import { DeviceSettings } from "./device-settings.tsx";
import { FinishDialog } from "./finish-dialog.tsx";
import { ManualEntry } from "./manual-entry.tsx";
import { words } from "./messages.ts";
import type { CountingPlace } from "./route-state.ts";
import classes from "./scan-screen.module.css";
import { Figures, PlaceHeader, RecentScans, StatusBanner } from "./station-display.tsx";
import { useFinishing } from "./use-finishing.ts";
import { useProductIndex } from "./use-product-index.ts";
import { type StationPorts, useStationCore, useTaking } from "./use-station.ts";
import { useAreaWatch, useConnectivityBanner, useOutboxFollowing } from "./use-station-events.ts";
import { useUndo } from "./use-undo.ts";

// The decoder is large and most counters have a scanner: it loads when the camera is opened.
const CameraView = lazy(() => import("./camera-view.tsx"));

type OpenDialog = "manual" | "finish" | "settings" | null;

/** Everything that counting one area consists of, without its looks. */
function useStation(device: CountingDevice, place: CountingPlace) {
  const { user } = useSignedIn();
  const [settings, changeSettings] = useScannerSettings(device.database);
  const play = useFeedback(settings.audio);
  const ports: StationPorts = { device, place, userId: user._id, play };
  const core = useStationCore(ports);
  const { dispatch } = core;
  const products = useProductIndex(
    device,
    place.storeId,
    useCallback(
      () => dispatch({ type: "say", banner: { kind: "warning", text: words.offlineProducts } }),
      [dispatch],
    ),
  );
  const index = products.kind === "ready" ? products.index : null;
  const taking = useTaking(ports, core, index, settings.debounce);
  const finishing = useFinishing(ports, core);
  const undo = useUndo(ports, core);
  useOutboxFollowing(ports, core);
  useConnectivityBanner(ports, core);
  useAreaWatch(ports, core, finishing.isBusy);
  useWakeLock();
  const isReady = core.isPrepared && index !== null;
  return { core, isReady, products, taking, finishing, undo, settings, changeSettings, play, user, place };
}

type Station = ReturnType<typeof useStation>;

function Actions({ station, onOpen }: { station: Station; onOpen: (dialog: OpenDialog) => void }) {
  const { state } = station.core;
  const isBlocked = state.block !== null;
  const button = { size: "lg", className: classes.action ?? "" } as const;
  return (
    <div className={classes.actions}>
      <Button {...button} variant="default" disabled={isBlocked} onClick={() => onOpen("manual")}>
        Manual Entry
      </Button>
      <Button
        {...button}
        variant="default"
        disabled={isBlocked || state.tally.length === 0}
        onClick={station.undo}
      >
        Undo Last
      </Button>
      <Button {...button} variant="default" onClick={() => void station.finishing.exit()}>
        Exit Area
      </Button>
      <Button {...button} disabled={isBlocked} onClick={() => onOpen("finish")}>
        Finish Area
      </Button>
    </div>
  );
}

interface DialogsProps {
  readonly station: Station;
  readonly device: CountingDevice;
  readonly dialog: OpenDialog;
  readonly onClose: () => void;
}

function Dialogs({ station, device, dialog, onClose }: DialogsProps) {
  const { taking, finishing, core, play, place } = station;
  const knock = useCallback(() => play("knock"), [play]);
  if (taking.choice !== null) {
    return <ChooseProduct choice={taking.choice} onChoose={taking.choose} onScanIgnored={knock} />;
  }
  switch (dialog) {
    case "manual":
      return (
        <ManualEntry
          onClose={onClose}
          onSubmit={(code) => {
            onClose();
            taking.takeCode(code, "manual");
          }}
        />
      );
    case "finish":
      return (
        <FinishDialog
          device={device}
          place={{ ...place, pass: core.state.pass }}
          isBusy={finishing.isBusy}
          onClose={onClose}
          onSubmit={async (declaredTotal) => {
            await finishing.finish(declaredTotal);
            onClose();
          }}
        />
      );
    case "settings":
      return (
        <DeviceSettings
          device={device}
          value={station.settings}
          onChange={station.changeSettings}
          onTry={play}
          onClose={onClose}
        />
      );
    case null:
      return null;
  }
}

/** The hidden input that a scanner types into. */
function Capture({ station, isPaused }: { station: Station; isPaused: boolean }) {
  const { takeCode } = station.taking;
  const onCode = useCallback((code: string) => takeCode(code, "scan"), [takeCode]);
  const { inputRef, onSubmit } = useScannerInput(onCode, isPaused);
  return (
    <form onSubmit={onSubmit}>
      <input
        ref={inputRef}
        className={classes.capture}
        aria-label="Scanner input"
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        inputMode="none"
        tabIndex={-1}
      />
    </form>
  );
}

interface CameraScanningProps {
  readonly station: Station;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** The camera in the place of a scanner, for a phone that has none. */
function CameraScanning({ station, isOpen, onOpen }: CameraScanningProps) {
  const { takeCode, choice } = station.taking;
  const isAsking = choice !== null;
  const onCode = useCallback(
    (code: string) => (isAsking ? undefined : takeCode(code, "scan")),
    [isAsking, takeCode],
  );
  if (!isOpen) {
    return (
      <Button
        variant="default"
        size="lg"
        leftSection={<CameraIcon />}
        disabled={station.core.state.block !== null}
        onClick={() => onOpen(true)}
      >
        Scan with Camera
      </Button>
    );
  }
  return (
    <Suspense fallback={<LoadingState label={words.cameraStarts} />}>
      <CameraView onCode={onCode} onClose={() => onOpen(false)} />
    </Suspense>
  );
}

/** Counting one area: the banner, the count, the actions. */
export function ScanStation({ device, place }: { device: CountingDevice; place: CountingPlace }) {
  const station = useStation(device, place);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const { pending } = useQueueState(device);
  const isOnline = useOnline(device);
  const { state } = station.core;
  const [wantsCamera, setWantsCamera] = useState(false);
  const isCameraOpen = wantsCamera && state.block === null;
  const camera = <CameraScanning station={station} isOpen={isCameraOpen} onOpen={setWantsCamera} />;
  const isPaused = dialog !== null || station.taking.choice !== null;
  return (
    <div className={classes.station} data-camera={isCameraOpen}>
      <Capture station={station} isPaused={isPaused} />
      <PlaceHeader place={place} username={station.user.username} isOnline={isOnline} pending={pending} />
      {station.products.kind === "failed" ? <ErrorMessage message={words.failedProducts} /> : null}
      <StatusBanner banner={state.banner} isReady={station.isReady} />
      {isCameraOpen ? camera : null}
      <Figures tally={state.tally} />
      {isCameraOpen ? null : camera}
      <Actions station={station} onOpen={setDialog} />
      <RecentScans tally={state.tally} />
      <div className={classes.hint}>{words.footer}</div>
      <Button variant="subtle" color="gray" size="lg" onClick={() => setDialog("settings")}>
        Device Settings
      </Button>
      <Dialogs station={station} device={device} dialog={dialog} onClose={() => setDialog(null)} />
    </div>
  );
}

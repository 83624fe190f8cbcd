import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, memo, Suspense, useCallback, useEffect, useState } from "react";
import { useSignedIn } from "../../identity/identity.ts";
import type { CountingDevice } from "../../offline/offline.ts";
import { useFeedback, useScannerSettings } from "../../scanner/use-feedback.ts";
import { useScannerInput } from "../../scanner/use-scanner-input.ts";
import { useWakeLock } from "../../scanner/use-wake-lock.ts";
import { ErrorMessage } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { AskAboutArea } from "./area-in-progress.tsx";
import { areaBookQuery } from "./area-labels.ts";
import { ChooseProduct } from "./choose-product.tsx";
import { DeviceSettings } from "./device-settings.tsx";
import { FinishDialog } from "./finish-dialog.tsx";
import { ManualEntry } from "./manual-entry.tsx";
import { words } from "./messages.ts";
import type { CountingPlace } from "./route-state.ts";
import classes from "./scan-screen.module.css";
import { useBannerWithEnd } from "./session-end.ts";
import { Figures, PlaceHeader, RecentScans, StatusBanner } from "./station-display.tsx";
import type { StationState } from "./station-state.ts";
import { useFinishing } from "./use-finishing.ts";
import { useLabelOpening } from "./use-label-opening.ts";
import { useProductIndex } from "./use-product-index.ts";
import { useStarting } from "./use-starting.ts";
import { type StationPorts, useStationCore, useTaking } from "./use-station.ts";
import { useAreaWatch, useConnectivityBanner, useOutboxFollowing } from "./use-station-events.ts";
import { useStationLabels } from "./use-station-labels.ts";
import { useUndo } from "./use-undo.ts";

// The decoder is large and most counters have a scanner: it loads when the camera is opened.
const CameraView = lazy(() => import("./camera-view.tsx"));

type OpenDialog = "manual" | "finish" | "settings" | null;

interface OpenedDialog {
  readonly dialog: OpenDialog;
  /** The pass that it was opened in. */
  readonly pass: number;
}

/** Which dialog still stands: one about a pass that is over gives way to the banner that says so. */
function standingDialog({ dialog, pass }: OpenedDialog, state: StationState): OpenDialog {
  const isPresent = dialog === "settings" || (state.block === null && pass === state.pass);
  return isPresent ? dialog : null;
}

/** Everything that counting one area consists of, without its looks. */
function useStation(device: CountingDevice, place: CountingPlace) {
  const { user } = useSignedIn();
  const [settings, changeSettings] = useScannerSettings(device.database);
  const play = useFeedback(settings.audio);
  const ports: StationPorts = { device, place, userId: user._id, play };
  const core = useStationCore(ports);
  const { now, dispatch } = core;
  const products = useProductIndex(
    device,
    place.storeId,
    useCallback(() => {
      // Where nothing more can be counted, the banner says why.
      if (now().block !== null) return;
      dispatch({ type: "say", banner: { kind: "warning", text: words.offlineProducts } });
    }, [now, dispatch]),
  );
  const index = products.kind === "ready" ? products.index : null;
  const taking = useTaking(ports, core, index, settings.debounce);
  const starting = useStarting(device, true);
  const surroundings = { device, userId: user._id, storeId: place.storeId, presentAreaId: place.areaId };
  const labels = useLabelOpening(surroundings, starting.start);
  const takeCode = useStationLabels(ports, core, taking, labels);
  const finishing = useFinishing(ports, core, labels.isBusy || starting.question !== null);
  const undo = useUndo(ports, core);
  useOutboxFollowing(ports, core);
  useConnectivityBanner(ports, core);
  useAreaWatch(ports, core, finishing.isBusy);
  useWakeLock();
  const isReady = core.isPrepared && index !== null;
  useQuery(areaBookQuery(device, user._id));
  return {
    ...{ core, isReady, products, taking, takeCode, finishing, starting, undo },
    ...{ settings, changeSettings, play, user, place },
  };
}

type Station = ReturnType<typeof useStation>;

/** Whether a person wants to scan with the camera, whatever area is open. */
export interface CameraWish {
  readonly isWanted: boolean;
  readonly setWanted: (isWanted: boolean) => void;
}

interface ActionsProps {
  readonly isBlocked: boolean;
  readonly canUndo: boolean;
  readonly camera: CameraWish;
  readonly onOpen: (dialog: OpenDialog) => void;
  readonly onUndo: () => void;
  readonly onExit: () => Promise<void>;
}

/** The buttons. Where nothing more can be counted, the one that leads out is the one that stands out. */
const Actions = memo(function Actions({ isBlocked, canUndo, camera, onOpen, onUndo, onExit }: ActionsProps) {
  const button = { size: "lg", variant: "default", className: classes.action ?? "" } as const;
  return (
    <div className={classes.actions}>
      <Button {...button} disabled={isBlocked} onClick={() => camera.setWanted(!camera.isWanted)}>
        {camera.isWanted && !isBlocked ? "Close Camera" : "Scan with Camera"}
      </Button>
      <Button {...button} disabled={isBlocked} onClick={() => onOpen("manual")}>
        Manual Entry
      </Button>
      <Button {...button} disabled={isBlocked || !canUndo} onClick={onUndo}>
        Undo Last
      </Button>
      <Button {...button} variant={isBlocked ? "filled" : "default"} onClick={() => void onExit()}>
        Exit Area
      </Button>
      <Button
        size="lg"
        className={`${classes.action} ${classes["last-action"]}`}
        disabled={isBlocked}
        onClick={() => onOpen("finish")}
      >
        Finish Area
      </Button>
    </div>
  );
});

interface DialogsProps {
  readonly station: Station;
  readonly device: CountingDevice;
  readonly dialog: OpenDialog;
  readonly onClose: () => void;
}

function Dialogs({ station, device, dialog, onClose }: DialogsProps) {
  const { taking, finishing, starting, core, play, place } = station;
  const knock = useCallback(() => play("knock"), [play]);
  const { takeCode } = station;
  const takeTyped = useCallback(
    (code: string, method: "scan" | "manual") => {
      onClose();
      takeCode(code, method);
    },
    [onClose, takeCode],
  );
  if (starting.question !== null) {
    return <AskAboutArea device={device} starting={starting} onScanIgnored={knock} />;
  }
  if (taking.choice !== null) {
    return <ChooseProduct choice={taking.choice} onChoose={taking.choose} onScanIgnored={knock} />;
  }
  switch (dialog) {
    case "manual":
      return <ManualEntry onClose={onClose} onSubmit={takeTyped} />;
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
  const { takeCode, play, core } = station;
  const { now, dispatch } = core;
  const onCode = useCallback((code: string) => takeCode(code, "scan"), [takeCode]);
  const sayUnended = useCallback(
    (text: string) => {
      play("knock");
      if (now().block !== null) return;
      dispatch({ type: "say", banner: { kind: "warning", text: words.unended, detail: text } });
    },
    [play, now, dispatch],
  );
  const { inputRef, onSubmit } = useScannerInput(onCode, sayUnended, isPaused);
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
  readonly isPaused: boolean;
}

/** The camera in the place of a scanner, for a phone that has none. */
function CameraScanning({ station, isPaused }: CameraScanningProps) {
  const { takeCode } = station;
  const onCode = useCallback(
    (code: string) => (isPaused ? undefined : takeCode(code, "scan")),
    [isPaused, takeCode],
  );
  return (
    <Suspense fallback={<LoadingState label={words.cameraStarts} />}>
      <CameraView onCode={onCode} />
    </Suspense>
  );
}

interface ScanStationProps {
  readonly device: CountingDevice;
  readonly place: CountingPlace;
  readonly camera: CameraWish;
  /** The storage was closed and opened again beneath the screen, and nobody has been told yet. */
  readonly isReopened: boolean;
  readonly onTold: () => void;
}

/** Says, and sounds, that a scan may have met a closed storage: what said so then is gone with the screen of then. */
function useReopeningSaid(
  { play, core }: Station,
  { isReopened, onTold }: Pick<ScanStationProps, "isReopened" | "onTold">,
): void {
  const { dispatch } = core;
  useEffect(() => {
    if (!isReopened) return;
    dispatch({ type: "say", banner: { kind: "error", text: words.storageReopened } });
    play("buzz");
    onTold();
  }, [isReopened, onTold, dispatch, play]);
}

/** Counting one area: the banner, the count, the actions. */
export function ScanStation({ device, place, camera, ...reopening }: ScanStationProps) {
  const station = useStation(device, place);
  useReopeningSaid(station, reopening);
  const { state, now } = station.core;
  const [opened, setOpened] = useState<OpenedDialog>({ dialog: null, pass: state.pass });
  const setDialog = useCallback((dialog: OpenDialog) => setOpened({ dialog, pass: now().pass }), [now]);
  const closeDialog = useCallback(() => setDialog(null), [setDialog]);
  const dialog = standingDialog(opened, state);
  const banner = useBannerWithEnd(device, place.sessionId, state);
  const isCameraOpen = camera.isWanted && state.block === null;
  const isPaused = dialog !== null || station.taking.choice !== null || station.starting.question !== null;
  return (
    <div className={classes.station} data-camera={isCameraOpen}>
      <Capture station={station} isPaused={isPaused} />
      <PlaceHeader place={place} username={station.user.username} device={device} />
      {station.products.kind === "failed" ? <ErrorMessage message={words.failedProducts} /> : null}
      <StatusBanner banner={banner} isReady={station.isReady} />
      {isCameraOpen ? <CameraScanning station={station} isPaused={isPaused} /> : null}
      <Figures tally={state.tally} />
      <Actions
        isBlocked={state.block !== null}
        canUndo={state.tally.length > 0}
        camera={camera}
        onOpen={setDialog}
        onUndo={station.undo}
        onExit={station.finishing.exit}
      />
      <RecentScans tally={state.tally} />
      <div className={classes.hint}>{words.footer}</div>
      <Button variant="subtle" color="gray" size="lg" onClick={() => setDialog("settings")}>
        Device Settings
      </Button>
      <Dialogs station={station} device={device} dialog={dialog} onClose={closeDialog} />
    </div>
  );
}

import { Button, Text } from "@mantine/core";
import { lazy, memo, Suspense, useEffect, useId } from "react";
import { useOnline } from "../../../offline/offline.ts";
import { clearScannerInput, listenToScanner } from "../../../scanner/scanner-input.ts";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { DeviceSettings } from "../device/device-settings.tsx";
import { messages } from "../messages.ts";
import { AskAboutArea } from "../opening/area-in-progress.tsx";
import type { CountingArea } from "../opening/counting-area.ts";
import type { Notice } from "../station/notices.ts";
import { entryText, namedWithSize } from "../station/product-text.ts";
import type { Station } from "../station/station.ts";
import {
  isPaused,
  isStationReady,
  lastScan,
  type StationState,
  visibleNotice,
} from "../station/station-state.ts";
import { changeableUnits, unitsOfSku } from "../station/tally.ts";
import { unreadText } from "../station/unread.ts";
import actions from "./actions.module.css";
import { ChooseProduct } from "./choose-product.tsx";
import { CountOnly } from "./count-only.tsx";
import { FinishDialog } from "./finish-dialog.tsx";
import { loadSearch, ManualEntry } from "./manual-entry.tsx";
import { QuantityPad } from "./quantity-pad.tsx";
import { RecentScans } from "./recent-scans.tsx";
import classes from "./scan-screen.module.css";
import { SessionOver } from "./session-over.tsx";
import { AreaHeader, Figures, StatusBanner, UnreadNotice } from "./station-display.tsx";
import { type StationPage, useStation } from "./use-station.ts";

// The decoder is large and most counters have a scanner: it loads when the camera is opened.
const CameraView = lazy(() => import("./camera-view.tsx"));

interface ActionsProps {
  readonly station: Station;
  readonly isBlocked: boolean;
  /** What Undo Last takes back; null where nothing was scanned. */
  readonly undoes: string | null;
  /** How many units the last product's entry counts; null where there is none. */
  readonly quantity: number | null;
  readonly isCameraOpen: boolean;
}

/** The buttons. Where nothing more can be counted, Exit Area is the prominent one. */
const Actions = memo(function Actions(props: ActionsProps) {
  const { station, isBlocked, undoes, quantity, isCameraOpen } = props;
  const undoId = useId();
  const canUndo = !isBlocked && undoes !== null;
  const button = { size: "lg", variant: "default", className: actions.action ?? "" } as const;
  return (
    <div className={actions.actions}>
      <Button {...button} disabled={isBlocked} onClick={station.toggleCamera}>
        {isCameraOpen ? "Close Camera" : "Scan with Camera"}
      </Button>
      <Button {...button} disabled={isBlocked} onClick={() => station.openDialog("manual")}>
        Manual Entry
      </Button>
      <Button {...button} disabled={!canUndo} onClick={station.undo} aria-describedby={undoId}>
        Undo Last
      </Button>
      <Button {...button} variant={isBlocked ? "filled" : "default"} onClick={() => void station.exit()}>
        Exit Area
      </Button>
      <Button
        {...button}
        style={{ "--columns": 3 }}
        disabled={isBlocked || quantity === null}
        onClick={() => station.openDialog("quantity")}
        aria-label={messages.changeQuantity(quantity ?? 1)}
      >
        ×N
      </Button>
      <Button
        size="lg"
        className={actions.action ?? ""}
        style={{ "--columns": 5 }}
        disabled={isBlocked}
        onClick={() => station.openDialog("finish")}
      >
        Finish Area
      </Button>
      <Text className={actions.undoes} id={undoId} fz="sm" lh={1.2} c="dimmed" ta="center" truncate>
        {canUndo ? messages.undoTakesBack(undoes) : "\u00a0"}
      </Text>
    </div>
  );
});

interface StationViewProps {
  readonly page: StationPage;
  readonly station: Station;
  readonly state: StationState;
}

function OpenDialog({ page: { device }, station, state }: StationViewProps) {
  const { feedback, chooseProduct, opening } = station;
  const tell = () => feedback.play("alarm");
  const close = () => station.openDialog(null);
  const isOnline = useOnline(device);
  if (state.opening.question !== null) {
    return <AskAboutArea device={device} opening={opening} state={state.opening} onScanIgnored={tell} />;
  }
  if (state.choice !== null) {
    return <ChooseProduct choice={state.choice} onChoose={chooseProduct} onScanIgnored={tell} />;
  }
  switch (state.dialog) {
    case "manual":
      return (
        <ManualEntry
          station={station}
          state={state}
          onClose={close}
          onSubmit={(code, method) => {
            close();
            station.scan(code, method);
          }}
        />
      );
    case "quantity":
      return (
        <QuantityPad station={station} entry={state.tally.at(-1)} onClose={close} onScanIgnored={tell} />
      );
    case "finish":
      return (
        <FinishDialog
          station={station}
          isBusy={state.isFinishing}
          isOnline={isOnline}
          question={state.finishQuestion}
          onClose={close}
          onScanIgnored={tell}
        />
      );
    case "settings":
      return <DeviceSettings device={device} feedback={feedback} onClose={close} />;
    case null:
      return null;
  }
}

/** The hidden input that a scanner types into. */
const Capture = memo(function Capture({ station, isOff }: { station: Station; isOff: boolean }) {
  const listen = (input: HTMLInputElement | null) =>
    input === null
      ? undefined
      : listenToScanner(input, {
          onCode: (code) => station.scan(code, "scan"),
          onUnended: station.reportUnended,
        });
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <input
        ref={isOff ? clearScannerInput : listen}
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
});

/** The camera instead of a scanner, for a phone that has none. */
const CameraScanning = memo(function CameraScanning({ station }: { station: Station }) {
  const scan = (code: string) => {
    // It goes on behind a dialog, so that a label which stays in view is not read anew when that is closed.
    if (isPaused(station.getSnapshot())) station.reportBehind(code);
    else station.scan(code, "scan");
  };
  return (
    <Suspense fallback={<LoadingState label={messages.cameraStarts} />}>
      <CameraView onCode={scan} />
    </Suspense>
  );
});

/** The photo of the product that a notice says was counted, and how many of it are here. */
function shownProduct({ products }: Station, { tally, elsewhere }: StationState, notice: Notice | null) {
  const sku = notice?.sku ?? null;
  if (sku === null) return { image: null, here: null };
  const here = messages.here(unitsOfSku(tally, sku), elsewhere?.othersCounted !== true);
  return { image: products.ofSku(sku)?.image ?? null, here };
}

/** The banner, the count, the actions. */
function Counting({ station, state }: StationViewProps) {
  const isBlocked = state.block !== null;
  const isCameraOpen = state.isCameraWanted && !isBlocked;
  const last = lastScan(state);
  const notice = visibleNotice(state);
  return (
    <>
      <UnreadNotice text={unreadText(state)} onDismiss={station.dismissUnread} />
      {state.products === "failed" ? <ErrorMessage message={messages.failedProducts} /> : null}
      {state.only === null ? null : (
        <CountOnly
          // Read before the first scan; from then on the count needs the room.
          key={`${last === undefined}`}
          isOpen={last === undefined}
          only={state.only}
          products={station.products}
          isReady={isStationReady(state)}
        />
      )}
      <StatusBanner
        notice={notice}
        isReady={isStationReady(state)}
        {...shownProduct(station, state, notice)}
      />
      {isCameraOpen ? <CameraScanning station={station} /> : null}
      <Figures tally={state.tally} elsewhere={state.elsewhere} />
      <Actions
        station={station}
        isBlocked={isBlocked}
        // What was set aside has no quantity here, and the product before it is not meant.
        quantity={last?.isUnknown === true ? null : changeableUnits(last)}
        undoes={last === undefined ? null : entryText(last, namedWithSize)}
        isCameraOpen={isCameraOpen}
      />
      <RecentScans tally={state.tally} unknown={state.unknown} />
      <div className={classes.hint}>{messages.footer}</div>
    </>
  );
}

/** Counting one area, until its session is over. */
export function ScanStation({ page, area }: { page: StationPage; area: CountingArea }) {
  const [station, state] = useStation(page, area);
  useEffect(loadSearch, []);
  const isCameraOpen = state.isCameraWanted && state.block === null;
  const View = state.block === "no_session" ? SessionOver : Counting;
  return (
    <div
      className={classes.station}
      data-at-edge={state.block !== "no_session"}
      data-camera={isCameraOpen}
      data-ready={isStationReady(state)}
      data-unread={unreadText(state) !== null}
    >
      <Capture station={station} isOff={isPaused(state)} />
      <AreaHeader area={station.area} username={page.username} device={page.device} />
      <View page={page} station={station} state={state} />
      <Button variant="subtle" color="gray" size="lg" onClick={() => station.openDialog("settings")}>
        Device Settings
      </Button>
      <OpenDialog page={page} station={station} state={state} />
    </div>
  );
}

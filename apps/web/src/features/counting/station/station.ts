import type { LiveEvent } from "@stocktake/contract";
import type { Feedback } from "../../../scanner/feedback.ts";
import { doubleTapMs } from "../../../ui/pressing/double-tap.ts";
import { messages } from "../messages.ts";
import { readAreaNotes } from "../opening/area-notes.ts";
import { type AreaOpening, createAreaOpening } from "../opening/area-opening.ts";
import { type CountingArea, countedArea } from "../opening/counting-area.ts";
import { forgetActiveArea, storeActiveArea, storeLastCount } from "../opening/last-area.ts";
import { type FinishFigures, ownFigures, readFinishFigures } from "./finish-question.ts";
import { answerUnknown, answerWhose, askForTotal, exitArea, finishArea, leaveWhenDone } from "./finishing.ts";
import { followArea } from "./follow-area.ts";
import { followConnectivity } from "./follow-connectivity.ts";
import { followOutbox } from "./follow-outbox.ts";
import { notices } from "./notices.ts";
import { createStationProducts, type StationProducts } from "./products.ts";
import { createScanning, type Scanning } from "./scanning.ts";
import { createStationCore, follow, type StationCore, type StationServices } from "./station-core.ts";
import {
  isStationReady,
  lastScan,
  type ScanMethod,
  type StationDialog,
  type StationState,
  type TotalOf,
} from "./station-state.ts";
import { undoOf } from "./tally.ts";
import { withoutShown } from "./unread.ts";

/** Counting one area, as a plain object: what the scanner, the device and the server do drives it, and a screen shows it. */
export interface Station extends Omit<Scanning, "start"> {
  readonly area: CountingArea;
  readonly products: Pick<StationProducts, "isUnknown" | "ofSku" | "search">;
  readonly feedback: Feedback;
  /** The same reference until something changes. */
  readonly getSnapshot: () => StationState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Opens the station; the returned function closes it. A closed one can be started again. */
  readonly start: () => () => void;
  /** What the scanner read without an Enter or Tab behind it. */
  readonly reportUnended: (text: string) => void;
  /** What the camera read while a dialog was open. */
  readonly reportBehind: (code: string) => void;
  readonly onLiveEvent: (event: LiveEvent) => void;
  readonly undo: () => void;
  /** `of` is null where nobody else is known to have counted here. */
  readonly finish: (declaredTotal: number, of?: TotalOf | null) => Promise<void>;
  /** The answer to the question what the declared total is of. */
  readonly answerWhose: (of: TotalOf) => Promise<void>;
  /** The answer to the question whether the declared total includes the unknown scans. */
  readonly answerUnknown: (wereIncluded: boolean) => Promise<void>;
  readonly exit: () => Promise<void>;
  /** Takes away what stayed in sight: the person has read it. */
  readonly dismissUnread: () => void;
  readonly openDialog: (dialog: StationDialog | null) => void;
  readonly toggleCamera: () => void;
  /** The question about a label's area, and the commands that answer it. */
  readonly opening: AreaOpening;
  /** The numbers beside the declared total: this device's own at once, then by the server's list as it is now. */
  readonly ownFigures: () => FinishFigures;
  readonly readFinishFigures: () => Promise<FinishFigures>;
}

// The sequence goes on from the server's number where that comes in time; a conflict is resolved later where it does not.
const sequenceTimeoutMs = 3_000;

// The browser's back button leads here too, past the dashboard's check.
async function refuseWhileFinishing({ device, area, show }: StationCore): Promise<void> {
  const note = (await readAreaNotes(device.database, area.sessionId)).get(area.areaId);
  if (note?.isFinishWaiting === true) show(notices.finishWaits());
}

async function prepare(core: StationCore): Promise<void> {
  const { device, area, timers } = core;
  core.askForPersistence().catch(globalThis.reportError);
  const timeout = new Promise<void>((resolve) => timers.after(sequenceTimeoutMs, resolve));
  await Promise.all([
    Promise.race([device.continueSequence(area.sessionId), timeout]),
    core.reload(),
    refuseWhileFinishing(core),
  ]);
  core.change({ type: "patched", patch: { isPrepared: true } });
}

/** Whoever scanned too early is shown READY TO SCAN as soon as it is true. */
function followReadiness(core: StationCore): () => void {
  return follow(core, isStationReady, (isReady) => {
    if (isReady && core.state().notice === notices.notReady()) core.show(null);
    return undefined;
  });
}

/** The area as it is counted now. */
function areaOf({ area, state }: StationCore, pass: number): CountingArea {
  const { only: _begunWith, ...named } = area;
  const { only } = state();
  return { ...named, pass, ...(only === null ? {} : { only: [...only] }) };
}

/** Keeps the pass in the history entry and on the device, so that a reload or a crash goes on in it while it can. */
function rememberPass(core: StationCore): () => void {
  const { device, userId, pages } = core;
  const ends = [
    follow(
      core,
      ({ pass, block }) => (block === null ? pass : null),
      (pass) => {
        const { database, clock } = device;
        const { sessionId, store } = core.area;
        const last = { sessionId, store: store.name, at: clock.now() };
        const stored =
          pass === null
            ? [forgetActiveArea(database, userId)]
            : [storeActiveArea(database, userId, areaOf(core, pass)), storeLastCount(database, userId, last)];
        Promise.all(stored).catch(globalThis.reportError);
        return undefined;
      },
    ),
    follow(
      core,
      ({ pass }) => pass,
      (pass) => {
        if (pass !== core.area.pass) pages.rememberArea(areaOf(core, pass));
        return undefined;
      },
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}

// What a scanner ends so soon after the screen was replaced may be the rest of a code that began before.
const restMs = 1_000;

/** After the storage was closed beneath a screen: shows that a scan may have been lost, as the notice of then went with it. */
function createReopening({ visit, device, show, now }: StationCore) {
  let reopenedAt = Number.NEGATIVE_INFINITY;
  const tell = () => show(notices.storageReopened(device.rescued));
  return {
    start() {
      const isReopened = visit.device !== null && visit.device !== device;
      visit.device = device;
      if (!isReopened) return;
      reopenedAt = now();
      tell();
    },
    /** Takes what may be half a code, and says so. */
    takes(method: ScanMethod): boolean {
      if (method === "manual" || now() - reopenedAt >= restMs) return false;
      tell();
      return true;
    },
  };
}

/**
 * Takes the last scan back, counted or unknown: here as soon as it is tapped, so that the next tap takes the scan before it. The second
 * of a double tap must not take back a scan that was right.
 */
function createUndo({ device, area, feedback, now, state, change }: StationCore): () => void {
  let undoneAt = Number.NEGATIVE_INFINITY;
  return () => {
    const { pass, block } = state();
    const entry = lastScan(state());
    const at = now();
    if (entry === undefined || block !== null || at - undoneAt < doubleTapMs) return;
    undoneAt = at;
    change({ type: "undone", entry, notice: notices.undone(entry) });
    device.operate(undoOf(entry, countedArea(area, pass))).then(
      () => feedback.play("knock"),
      (error: unknown) => {
        globalThis.reportError(error);
        change({ type: "undo_failed", entry, notice: notices.undoNotSaved() });
      },
    );
  };
}

/** Creates the station of an area. It takes scans once it is started and prepared. */
export function createStation(services: StationServices): Station {
  const core = createStationCore(services);
  const { area, state, change, show, feedback, visit } = core;
  const products = createStationProducts(core);
  const opening = createAreaOpening({
    ...{ device: core.device, server: core.server, enter: core.pages.openArea },
    ...{ userId: core.userId, storeId: area.storeId, currentAreaId: area.areaId },
  });
  const scanning = createScanning(core, products, opening);
  const reopening = createReopening(core);
  return {
    chooseProduct: scanning.chooseProduct,
    countFound: scanning.countFound,
    setQuantity: scanning.setQuantity,
    scan(code, method) {
      if (!reopening.takes(method)) scanning.scan(code, method);
    },
    ...{
      area,
      products,
      feedback,
      opening,
      getSnapshot: state,
      subscribe: core.subscribe,
      onLiveEvent: products.onLiveEvent,
    },
    start() {
      prepare(core).catch(globalThis.reportError);
      const ends = [
        feedback.start(),
        opening.subscribe(() => change({ type: "patched", patch: { opening: opening.get() } })),
        products.start(),
        scanning.start(),
        followOutbox(core),
        followConnectivity(core),
        followArea(core),
        leaveWhenDone(core),
        followReadiness(core),
        rememberPass(core),
      ];
      reopening.start();
      return () => {
        for (const end of ends) end();
      };
    },
    reportUnended(text) {
      // Where nothing more can be counted, the banner tells why.
      if (state().block === null) show(notices.unended(text));
      else feedback.play("alarm");
    },
    reportBehind(code) {
      const isShown = state().notice?.text === messages.readBehind;
      // Heard once: whoever holds a phone moves it past one label after the other.
      if (!isShown && state().block === null) show(notices.readBehind(code));
    },
    undo: createUndo(core),
    finish: (declaredTotal, of = null) => finishArea(core, { declaredTotal, of }),
    answerWhose: (of) => answerWhose(core, of),
    answerUnknown: (wereIncluded) => answerUnknown(core, wereIncluded),
    exit: () => exitArea(core),
    dismissUnread: () => change({ type: "patched", patch: withoutShown(state()) }),
    openDialog(dialog) {
      if (dialog === "finish") askForTotal(core);
      else change({ type: "patched", patch: { dialog } });
    },
    toggleCamera() {
      visit.isCameraWanted = !visit.isCameraWanted;
      change({ type: "patched", patch: { isCameraWanted: visit.isCameraWanted } });
    },
    ownFigures: () => ownFigures(core),
    readFinishFigures: () => readFinishFigures(core),
  };
}

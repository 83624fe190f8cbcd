import type { Product, ProductIndex } from "@stocktake/contract";
import { type RefObject, useCallback, useEffect, useReducer, useRef, useState } from "react";
import { useNavigate } from "react-router";
import {
  askForPersistence,
  type CountedArea,
  type CountingDevice,
  type LocalOutcome,
  type PendingScan,
  type ScanDraft,
} from "../../offline/offline.ts";
import { createDebounce, type DebounceMode } from "../../scanner/debounce.ts";
import { chosen, interpret, type SentCode } from "../../scanner/interpret.ts";
import type { SoundName } from "../../scanner/sounds.ts";
import { learnArea } from "./area-knowledge.ts";
import { readAreaNotes } from "./area-notes.ts";
import { forgetActiveArea, keepActiveArea } from "./kept-place.ts";
import { words } from "./messages.ts";
import { scanText } from "./product-text.ts";
import type { CountingPlace } from "./route-state.ts";
import {
  type Banner,
  countedBanner,
  initialStation,
  type StationState,
  stationReducer,
} from "./station-state.ts";

/** Where and by whom a station counts, and what it needs to be heard. */
export interface StationPorts {
  readonly device: CountingDevice;
  readonly place: CountingPlace;
  readonly userId: string;
  readonly play: (name: SoundName) => void;
}

type StationDispatch = (action: Parameters<typeof stationReducer>[1]) => void;

/** The state, a way to read it between renderings, and the way to change it. */
export interface StationCore {
  readonly state: StationState;
  readonly now: () => StationState;
  readonly dispatch: StationDispatch;
  /** False until the device's rows are read and its sequence goes on from the server's. */
  readonly isPrepared: boolean;
  /** Reads the pass and the tally again. */
  readonly reload: () => Promise<void>;
}

export function countedArea(place: CountingPlace, pass: number): CountedArea {
  const { sessionId, storeId, locationId, areaId } = place;
  return { sessionId, storeId, locationId, areaId, areaCode: place.area.code, pass };
}

// The sequence goes on from the server's number where it answers in time; a conflict is resolved later where it does not.
const sequencePatienceMs = 3_000;

function patiently(work: Promise<void>): Promise<void> {
  return Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, sequencePatienceMs))]);
}

/** A reducer whose state can also be read between renderings: a scanner's events come faster than those. */
function useReadableReducer(pass: number): [StationState, () => StationState, StationDispatch] {
  const [state, dispatch] = useReducer(stationReducer, pass, initialStation);
  const latest = useRef(state);
  const change: StationDispatch = useCallback((action) => {
    latest.current = stationReducer(latest.current, action);
    dispatch(action);
  }, []);
  const now = useCallback(() => latest.current, []);
  return [state, now, change];
}

/** Keeps the pass in the history entry and on the device, so that a reload or a crash goes on in it while it can. */
function useKeptPlace({ device, place, userId }: StationPorts, { pass, block }: StationState): void {
  const navigate = useNavigate();
  const isOver = block !== null;
  useEffect(() => {
    const current = { ...place, pass };
    const { database } = device;
    const kept = isOver ? forgetActiveArea(database, userId) : keepActiveArea(database, userId, current);
    kept.catch(globalThis.reportError);
    if (pass !== place.pass) void navigate(".", { replace: true, state: current });
  }, [device, place, userId, pass, isOver, navigate]);
}

// The browser's back button leads here too, past the dashboard's check.
async function refuseWhileFinishing(
  device: CountingDevice,
  sessionId: string,
  areaId: string,
  dispatch: StationDispatch,
): Promise<void> {
  const note = (await readAreaNotes(device.database, sessionId)).get(areaId);
  if (note?.isFinishWaiting !== true) return;
  const banner = { kind: "warning", text: words.finishWaits } as const;
  dispatch({ type: "blocked", block: "finished", banner });
}

/** Opens the station: storage is made lasting, the sequence continued, the tally rebuilt from the device and the server. */
export function useStationCore(ports: StationPorts): StationCore {
  const { device, place } = ports;
  const [state, now, dispatch] = useReadableReducer(place.pass);
  const [isPrepared, setPrepared] = useState(false);
  const reload = useCallback(async () => {
    const { pass } = now();
    const known = await learnArea(device, { ...place, pass });
    if (now().pass !== pass) return;
    const banner = { kind: "warning", text: words.startedAgain } as const;
    if (known.pass > pass) dispatch({ type: "started_again", pass: known.pass, banner });
    dispatch({ type: "rebuilt", tally: known.tally, pass: known.pass });
  }, [device, place, now, dispatch]);
  const { sessionId, areaId } = place;
  const firstReload = useRef(reload);
  useEffect(() => {
    askForPersistence().catch(globalThis.reportError);
    const prepare = Promise.all([
      patiently(device.continueSequence(sessionId)),
      firstReload.current(),
      refuseWhileFinishing(device, sessionId, areaId, dispatch),
    ]);
    prepare.then(() => setPrepared(true), globalThis.reportError);
  }, [device, sessionId, areaId, dispatch]);
  useKeptPlace(ports, state);
  return { state, now, dispatch, isPrepared, reload };
}

/** A code that fits several products, waiting for a person's choice. */
export interface Choice {
  readonly code: string;
  readonly products: readonly Product[];
  readonly method: "scan" | "manual";
  /** The pass that it was scanned in. */
  readonly pass: number;
}

export interface Taking {
  /** True where a scan comes within a second of the last one; then that is said. */
  readonly isTooSoon: (code: string, method: "scan" | "manual") => boolean;
  readonly takeCode: (code: string, method: "scan" | "manual") => void;
  readonly choice: Choice | null;
  readonly choose: (product: Product | null) => void;
}

interface Taken {
  readonly sent: SentCode;
  readonly product: Product | null;
  readonly outcome: LocalOutcome;
  readonly method: "scan" | "manual";
}

/** What the banner says of a scan that has just been kept. */
function bannerForKept(scan: PendingScan, isOnline: boolean): Banner {
  if (scan.localOutcome === "unresolved") return { kind: "error", text: words.unknownCode(scan.input) };
  if (isOnline) return countedBanner(scan);
  return { kind: "warning", text: words.savedLocally, detail: scanText(scan) };
}

function useKeeping({ device, place, userId, play }: StationPorts, { now, dispatch }: StationCore) {
  return useCallback(
    ({ sent, product, outcome, method }: Taken) => {
      const draft: ScanDraft = {
        ...{
          area: countedArea(place, now().pass),
          ...sent,
          method,
          scannedById: userId,
          localOutcome: outcome,
        },
        ...{
          sku: product?.sku ?? null,
          productTitle: product?.productTitle ?? null,
          size: product?.size ?? null,
        },
      };
      return device.scan(draft).then(
        (scan) => {
          dispatch({ type: "scanned", scan, banner: bannerForKept(scan, device.connectivity.isOnline()) });
          play(outcome === "counted" ? "beep" : "buzz");
        },
        (error: unknown) => {
          globalThis.reportError(error);
          dispatch({ type: "say", banner: { kind: "error", text: words.notSaved } });
          play("buzz");
        },
      );
    },
    [device, place, userId, play, now, dispatch],
  );
}

/**
 * The debounce; what it swallows is shown and heard: after the scan before it, whose banner, still on its way through the
 * device's storage, would take its place.
 */
function useDebounce(
  { play }: StationPorts,
  { dispatch }: StationCore,
  mode: DebounceMode,
  kept: RefObject<Promise<void>>,
) {
  const [debounce] = useState(createDebounce);
  return useCallback(
    (code: string, method: "scan" | "manual") => {
      // Typing takes a person longer than the debounce; what was submitted was meant.
      if (method === "manual" || debounce.accept(code, performance.now(), mode)) return false;
      void kept.current.then(() => {
        play("knock");
        dispatch({ type: "say", banner: { kind: "warning", text: words.swallowed, detail: code } });
      });
      return true;
    },
    [debounce, mode, play, dispatch, kept],
  );
}

/** Takes codes: debounces, matches in memory, writes to the outbox, and only then shows and sounds success. */
export function useTaking(
  ports: StationPorts,
  core: StationCore,
  index: ProductIndex<Product> | null,
  mode: DebounceMode,
): Taking {
  const { play } = ports;
  const { now, dispatch, state } = core;
  const [asked, setChoice] = useState<Choice | null>(null);
  // Of an area that was started again or closed meanwhile nothing is left to choose.
  const choice = asked?.pass === state.pass && state.block === null ? asked : null;
  const kept = useRef(Promise.resolve());
  const isTooSoon = useDebounce(ports, core, mode, kept);
  const keep = useKeeping(ports, core);
  const isReady = core.isPrepared && index !== null;
  const takeCode = useCallback(
    (code: string, method: "scan" | "manual") => {
      const { block } = now();
      if (block !== null) {
        play("buzz");
        // Every other block's banner says already that nothing can be counted.
        if (block !== "finished") return;
        return dispatch({ type: "say", banner: { kind: "error", text: words.areaFinished, detail: code } });
      }
      if (!isReady || index === null) {
        play("knock");
        return dispatch({
          type: "say",
          banner: { kind: "warning", text: words.notReady },
        });
      }
      if (isTooSoon(code, method)) return;
      const found = interpret(index, code);
      if (found.kind === "choose") return setChoice({ ...found, method, pass: now().pass });
      const product = found.kind === "product" ? found.product : null;
      const outcome = product === null ? "unresolved" : "counted";
      kept.current = keep({ sent: found.sent, product, outcome, method });
    },
    [now, dispatch, play, isReady, index, isTooSoon, keep],
  );
  const choose = useCallback(
    (product: Product | null) => {
      setChoice(null);
      if (product === null || choice === null) return;
      kept.current = keep({ sent: chosen(product), product, outcome: "counted", method: choice.method });
    },
    [choice, keep],
  );
  return { isTooSoon, takeCode, choice, choose };
}

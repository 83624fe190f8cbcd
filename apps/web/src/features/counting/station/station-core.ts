import { createObservable } from "../../../events/observable.ts";
import type { CountingDevice, Timers } from "../../../offline/offline.ts";
import type { Feedback } from "../../../scanner/feedback.ts";
import type { CountingArea } from "../opening/counting-area.ts";
import type { CountingServer } from "../opening/counting-server.ts";
import { loadAreaState } from "./area-state.ts";
import { type Notice, notices } from "./notices.ts";
import { initialStation, type StationAction, type StationState, stationReducer } from "./station-state.ts";

/** Where the station leads a person. */
interface StationPages {
  readonly openArea: (area: CountingArea) => void;
  /** Rewrites the history entry, so that a reload goes on in the area's new pass. */
  readonly rememberArea: (area: CountingArea) => void;
  readonly leave: () => Promise<void>;
}

/** What lasts from area to area, as a label opens one after the other. */
export interface Visit {
  isCameraWanted: boolean;
  /** The device of the last station; another one means that the browser closed the storage beneath it. */
  device: CountingDevice | null;
}

/** Everything that a station needs, handed in. */
export interface StationServices {
  readonly device: CountingDevice;
  readonly server: CountingServer;
  readonly feedback: Feedback;
  readonly timers: Timers;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly pages: StationPages;
  /** Asks the browser to keep the storage. */
  readonly askForPersistence: () => Promise<unknown>;
  readonly visit: Visit;
  readonly userId: string;
  readonly username: string;
  readonly area: CountingArea;
}

/** The state of a station, and the ways to change it. */
export interface StationCore extends StationServices {
  readonly state: () => StationState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Applies the action, then plays the sound of its notice. */
  readonly change: (action: StationAction) => void;
  readonly show: (notice: Notice | null) => void;
  /** Shows what nobody asked for, such as the state of the network; not over what has to be read first. */
  readonly mention: (notice: Notice) => void;
  /** Reads the pass and the tally again. */
  readonly reload: () => Promise<void>;
}

async function reload({ state, change, area, ...sources }: Omit<StationCore, "reload">): Promise<void> {
  const { pass } = state();
  const loaded = await loadAreaState(sources, { ...area, pass });
  if (state().pass !== pass) return;
  const isNext = loaded.pass > pass;
  if (isNext && !loaded.isRestored)
    change({ type: "started_again", pass: loaded.pass, notice: notices.startedAgain() });
  const told = isNext && loaded.isRestored ? { notice: notices.countRestored() } : {};
  const lost = loaded.pass < pass ? { notice: notices.passLost() } : {};
  change({ type: "loaded", loaded, ...told, ...lost });
  const { assignedToOthers } = loaded;
  if (assignedToOthers !== null && state().block === null)
    change({ type: "noticed", notice: notices.areaAssigned(assignedToOthers) });
}

/** Runs the effect now and after each change of what is selected, and what it returns before the next run and at the end. */
export function follow<Value>(
  { state, subscribe }: StationCore,
  select: (state: StationState) => Value,
  effect: (value: Value) => (() => void) | undefined,
): () => void {
  let value = select(state());
  let end = effect(value);
  const unsubscribe = subscribe(() => {
    const next = select(state());
    if (next === value) return;
    value = next;
    end?.();
    end = effect(value);
  });
  return () => {
    unsubscribe();
    end?.();
  };
}

export function createStationCore(services: StationServices): StationCore {
  const state = createObservable(initialStation(services.area, services.visit.isCameraWanted));
  const change = (action: StationAction) => {
    state.set(stationReducer(state.get(), action));
    const sound = "notice" in action ? action.notice?.sound : undefined;
    if (sound !== undefined) services.feedback.play(sound);
  };
  const core = {
    ...services,
    ...{ state: state.get, subscribe: state.subscribe, change },
    show: (notice: Notice | null) => change({ type: "noticed", notice }),
    mention(notice: Notice) {
      if (state.get().notice?.isReadFirst !== true) change({ type: "noticed", notice });
    },
  };
  return { ...core, reload: () => reload(core) };
}

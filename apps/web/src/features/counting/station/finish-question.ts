import type { AreaDevice } from "@stocktake/contract";
import { unitsOf } from "../../../offline/offline.ts";
import type { CountingArea } from "../opening/counting-area.ts";
import { type AreaState, type Elsewhere, loadAreaState } from "./area-state.ts";
import type { StationCore } from "./station-core.ts";
import {
  type Declared,
  type FinishQuestion,
  itemsScanned,
  type UnknownQuestion,
  type WhoseQuestion,
} from "./station-state.ts";
import { scannedBy, type Tally } from "./tally.ts";

/** The units of the pass that a declared total is read beside, over all devices where the server lists them. */
export interface FinishFigures {
  readonly counted: number;
  readonly unknown: number;
  /** Units that an administrator accepted. */
  readonly accepted: number;
  /** Also where an administrator accepted all that others scanned: their devices may hold more. */
  readonly othersCounted: boolean;
  /** The other devices that counted here, as the server last knew them. */
  readonly devices: readonly AreaDevice[];
  /** Who else counted with this device. */
  readonly sharedWith: readonly string[];
}

// With a network this bad, the device's own numbers are better than keeping a person waiting.
const figuresTimeoutMs = 3_000;

function othersOf(
  elsewhere: Elsewhere | null,
): Pick<FinishFigures, "othersCounted" | "devices" | "sharedWith"> {
  const { othersCounted = false, devices = [], sharedWith = [] } = elsewhere ?? {};
  return { othersCounted: othersCounted || devices.length > 0, devices, sharedWith };
}

const hasOthers = (elsewhere: Elsewhere | null) => othersOf(elsewhere).othersCounted;

/** This device's own numbers, and who else counted here by what the server last listed of the pass. */
export function ownFigures({ state }: Pick<StationCore, "state">): FinishFigures {
  const { unknown, elsewhere, listedForTotal } = state();
  return {
    counted: itemsScanned(state()),
    unknown: unitsOf(unknown),
    accepted: elsewhere?.accepted ?? 0,
    ...othersOf(hasOthers(listedForTotal) ? listedForTotal : elsewhere),
  };
}

function figuresOf({ tally, unknown, elsewhere }: AreaState): FinishFigures | null {
  if (elsewhere === null) return null;
  return {
    counted: unitsOf(tally) + elsewhere.counted,
    unknown: unitsOf(unknown) + elsewhere.unknown,
    accepted: elsewhere.accepted,
    ...othersOf(elsewhere),
  };
}

async function listedFigures(core: StationCore, area: CountingArea): Promise<FinishFigures | null> {
  const loaded = await loadAreaState(core, area);
  if (loaded.pass !== area.pass) return null;
  // Should the server be away when the total is submitted, who else counted here is known all the same.
  const isOfPass = loaded.elsewhere !== null && core.state().pass === area.pass;
  if (isOfPass) core.change({ type: "patched", patch: { listedForTotal: loaded.elsewhere } });
  return figuresOf(loaded);
}

/** The figures by the server's list where it comes in time, else the device's own. */
export async function readFinishFigures(core: StationCore): Promise<FinishFigures> {
  const { device, area, timers, state } = core;
  if (!device.connectivity.isOnline()) return ownFigures(core);
  let cancel = () => {};
  const timeout = new Promise<null>((resolve) => {
    cancel = timers.after(figuresTimeoutMs, () => resolve(null));
  });
  const listed = await Promise.race([listedFigures(core, { ...area, pass: state().pass }), timeout]);
  cancel();
  return listed ?? ownFigures(core);
}

type UnitsOfTotal = Pick<FinishFigures, "counted" | "unknown" | "othersCounted">;

function unitsHere({ state }: StationCore): UnitsOfTotal {
  const { tally, unknown } = state();
  return { counted: unitsOf(tally), unknown: unitsOf(unknown), othersCounted: false };
}

/** What the person scanned with this device, by the server's rule of whose a scan is. */
function ownUnits(core: StationCore): UnitsOfTotal {
  const { tally, unknown } = core.state();
  const unitsIn = (list: Tally) => unitsOf(scannedBy(list, core));
  return { counted: unitsIn(tally), unknown: unitsIn(unknown), othersCounted: false };
}

const isTotalOf = (declaredTotal: number, { counted, unknown }: UnitsOfTotal) =>
  declaredTotal === counted || declaredTotal === counted + unknown;

function unknownQuestion({ declaredTotal, of }: Declared, units: UnitsOfTotal): UnknownQuestion | null {
  const { counted, unknown, othersCounted } = units;
  if (unknown === 0 || declaredTotal !== counted + unknown) return null;
  return { asks: "unknown", declaredTotal, of, counted, unknown, othersCounted };
}

/**
 * Comes where others turned out to have counted here only now, or where the area's total is what this device alone shows, or what the
 * person scanned with it. It must not
 * depend on what the others counted: that it comes would tell.
 */
function whoseQuestion(
  core: StationCore,
  { declaredTotal, of }: Declared,
  { othersCounted }: FinishFigures,
): WhoseQuestion | null {
  const isOwnCount = isTotalOf(declaredTotal, ownUnits(core));
  const isShown = isOwnCount || isTotalOf(declaredTotal, unitsHere(core));
  if (!othersCounted || of === "own" || (of === "area" && !isShown)) return null;
  return { asks: "whose", declaredTotal, of, isOwnCount };
}

/** The question that comes before a total which is right with the unknown scans and wrong without them; else null. */
export async function questionAboutUnknown(
  core: StationCore,
  declared: Declared,
): Promise<UnknownQuestion | null> {
  return unknownQuestion(declared, declared.of === "own" ? ownUnits(core) : await readFinishFigures(core));
}

/** What is asked before a total is sent: what it is of, then whether the unknown scans are in it; null where neither is in doubt. */
export async function questionAbout(core: StationCore, declared: Declared): Promise<FinishQuestion | null> {
  if (declared.of === "own") return questionAboutUnknown(core, declared);
  const figures = await readFinishFigures(core);
  return whoseQuestion(core, declared, figures) ?? unknownQuestion(declared, figures);
}

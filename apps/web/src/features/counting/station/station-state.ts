import type { Product } from "@stocktake/contract";
import { isUnheardTag, isUnknownHere, type PendingScan, unitsOf } from "../../../offline/offline.ts";
import { messages } from "../messages.ts";
import { type AreaOpeningState, nothingOpening } from "../opening/area-opening.ts";
import { type AreaState, countedFromElsewhere, type Elsewhere } from "./area-state.ts";
import { type Block, endOf, type Notice, notices } from "./notices.ts";
import { type SessionEnd, sessionEndSentence } from "./session-end.ts";
import { applyRow, type Tally, type TallyEntry, withEntry, withoutEntry } from "./tally.ts";
import { nothingUnread, type Unread } from "./unread.ts";

/** `manual` is a code that a person typed. */
export type ScanMethod = "scan" | "manual";

/** A code that matches several products, waiting for a person's choice. */
export interface Choice {
  readonly code: string;
  readonly products: readonly Product[];
  readonly method: ScanMethod;
}

/** What a total is of: the whole area, or what this person counted alone. */
export type TotalOf = "area" | "own";

export interface Declared {
  readonly declaredTotal: number;
  /** Null where nobody else was known to have counted here. */
  readonly of: TotalOf | null;
}

/** Whether the declared total includes the unknown scans, which no total of the server's does. */
export interface UnknownQuestion extends Declared {
  readonly asks: "unknown";
  readonly counted: number;
  readonly unknown: number;
  readonly othersCounted: boolean;
}

/** What the declared total is of, where others counted here too. */
export interface WhoseQuestion extends Declared {
  readonly asks: "whose";
  /** It is what this device shows to have counted. */
  readonly isOwnCount: boolean;
}

export type FinishQuestion = UnknownQuestion | WhoseQuestion;

export type StationDialog = "manual" | "quantity" | "finish" | "settings";

/** Everything that the scan screen shows. */
export interface StationState extends Unread {
  readonly pass: number;
  /** The SKUs that are counted in the pass; null for everything. */
  readonly only: readonly string[] | null;
  readonly tally: Tally;
  /** This device's scans of the pass that were set aside as unknown: not in Items Scanned, but undone like the others. */
  readonly unknown: Tally;
  /** The rows of this device's reads of RFID tags of which the server has not said yet whether they count. */
  readonly unheardTags: ReadonlySet<number>;
  /** What the server last had in the pass beyond this device's scans; null until it has answered. */
  readonly elsewhere: Elsewhere | null;
  /** What the finish dialog was last told so of the pass. Apart from the one above, a change of which is news. */
  readonly listedForTotal: Elsewhere | null;
  /** Rows undone on this screen: a row that was read before its undo was written must not bring them back. */
  readonly undone: ReadonlySet<number>;
  /** Null shows READY TO SCAN. */
  readonly notice: Notice | null;
  readonly block: Block | null;
  /** What became of this device's last scans, read after the session's end. */
  readonly sessionEnd: SessionEnd | null;
  /** False until the device's rows are read and its sequence goes on from the server's. */
  readonly isPrepared: boolean;
  readonly products: "loading" | "ready" | "failed";
  readonly choice: Choice | null;
  readonly dialog: StationDialog | null;
  readonly isCameraWanted: boolean;
  readonly isFinishing: boolean;
  /** How many accepted units a person had been shown when the finish dialog was opened. */
  readonly knownAccepted: number;
  /** Reads of RFID tags had not been answered then. */
  readonly tagsUnheard: boolean;
  /** Asked before a total is submitted. */
  readonly finishQuestion: FinishQuestion | null;
  readonly opening: AreaOpeningState;
}

type Patchable = Omit<
  StationState,
  "pass" | "tally" | "unknown" | "unheardTags" | "elsewhere" | "undone" | "notice" | "block"
>;

/** What a station begins with. */
interface Begun {
  readonly pass: number;
  readonly only?: readonly string[] | undefined;
}

/** An action with a notice shows it and plays its sound. */
export type StationAction =
  | { readonly type: "noticed"; readonly notice: Notice | null }
  | { readonly type: "patched"; readonly patch: Partial<Patchable> }
  | { readonly type: "loaded"; readonly loaded: AreaState; readonly notice?: Notice }
  | { readonly type: "scanned"; readonly scan: PendingScan; readonly notice: Notice }
  | { readonly type: "row_changed"; readonly scan: PendingScan; readonly notice: Notice | null }
  | { readonly type: "undone"; readonly entry: TallyEntry; readonly notice: Notice }
  | { readonly type: "undo_failed"; readonly entry: TallyEntry; readonly notice: Notice }
  | { readonly type: "undo_refused"; readonly id: number }
  | { readonly type: "pass_named"; readonly pass: number }
  /** Counting had ended here and goes on, in the pass of the state or one that is told next. The notice gives way to what has to be read first. */
  | { readonly type: "reopened"; readonly notice?: Notice }
  | {
      readonly type: "started_again";
      readonly pass: number;
      readonly notice: Notice;
      /** Absent: as before. */
      readonly only?: readonly string[] | null;
    };

export function initialStation({ pass, only }: Begun, isCameraWanted: boolean): StationState {
  return {
    ...{
      pass,
      only: only ?? null,
      tally: [],
      unknown: [],
      unheardTags: new Set(),
      elsewhere: null,
      listedForTotal: null,
      undone: new Set(),
    },
    ...{ notice: null, ...nothingUnread, block: null, sessionEnd: null },
    ...{ isPrepared: false, products: "loading", choice: null, dialog: null, isCameraWanted },
    ...{
      isFinishing: false,
      knownAccepted: 0,
      tagsUnheard: false,
      finishQuestion: null,
      opening: nothingOpening,
    },
  };
}

/** Whether a product is counted here: always, unless only some are. */
export function isAskedFor({ only }: Pick<StationState, "only">, sku: string | null): boolean {
  return only === null || sku === null || only.includes(sku);
}

/** Items Scanned: this device's count, and what was accepted from elsewhere where it alone counts in the pass. */
export function itemsScanned({ tally, elsewhere }: Pick<StationState, "tally" | "elsewhere">): number {
  return unitsOf(tally) + countedFromElsewhere(elsewhere);
}

/** The scan that Undo Last takes back: the last one, whatever it was. */
export function lastScan({
  tally,
  unknown,
}: Pick<StationState, "tally" | "unknown">): TallyEntry | undefined {
  const [counted, aside] = [tally.at(-1), unknown.at(-1)];
  if (counted === undefined || aside === undefined) return counted ?? aside;
  return counted.order > aside.order ? counted : aside;
}

/** What is told: the last notice, and after the session's end what became of the last scans, or that one came after it. */
export function visibleNotice({ block, notice, sessionEnd }: StationState): Notice | null {
  if (block !== "no_session" || notice?.isAfterEnd === true) return notice;
  const detail = sessionEnd === null ? messages.countEnded : sessionEndSentence(sessionEnd);
  return { ...notices.noSession(), detail };
}

/** From here on a scan is taken: the device's rows, its sequence and the products are read. */
export function isStationReady({ isPrepared, products }: StationState): boolean {
  return isPrepared && products === "ready";
}

/** True while a dialog waits for a person: then a scan is not taken. */
export function isPaused({ dialog, choice, opening }: StationState): boolean {
  return dialog !== null || choice !== null || opening.question !== null;
}

function without(ids: ReadonlySet<number>, id: number | null): ReadonlySet<number> {
  return new Set([...ids].filter((each) => each !== id));
}

function withNotice(state: StationState, notice: Notice | null): StationState {
  const requests = notice?.stays === undefined ? state.requests : [...state.requests, notice];
  return { ...state, notice, requests, block: notice?.block ?? state.block };
}

type Tallies = Pick<StationState, "tally" | "unknown" | "unheardTags">;

function withRow({ tally, unknown, unheardTags }: Tallies, scan: PendingScan): Tallies {
  const isChanged = isUnheardTag(scan) !== unheardTags.has(scan.id);
  return {
    tally: applyRow(tally, scan),
    unknown: applyRow(unknown, scan, isUnknownHere),
    unheardTags: isChanged ? toggled(unheardTags, scan.id) : unheardTags,
  };
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return ids.has(id) ? without(ids, id) : new Set([...ids, id]);
}

function rowChanged(state: StationState, row: PendingScan, notice: Notice | null): StationState {
  const scan = state.undone.has(row.id) ? { ...row, undone: true } : row;
  const { tally, unknown, unheardTags } = scan.pass === state.pass ? withRow(state, scan) : state;
  const block = state.block ?? endOf(state, scan, scan.acknowledgement?.reason ?? null);
  // Most rows are acknowledged as they were shown: the same state, so that the screen is not drawn for each of them.
  const isSame = tally === state.tally && unknown === state.unknown && block === state.block;
  if (notice === null && isSame && unheardTags === state.unheardTags) return state;
  return { ...state, tally, unknown, unheardTags, block, notice: notice ?? state.notice };
}

function undone(state: StationState, entry: TallyEntry, notice: Notice): StationState {
  const ids = entry.id === null ? state.undone : new Set([...state.undone, entry.id]);
  const tally = withoutEntry(state.tally, entry);
  const unheardTags = without(state.unheardTags, entry.id);
  return { ...state, tally, unknown: withoutEntry(state.unknown, entry), unheardTags, undone: ids, notice };
}

function undoFailed(state: StationState, entry: TallyEntry, notice: Notice): StationState {
  const list = entry.isUnknown ? "unknown" : "tally";
  const undone = without(state.undone, entry.id);
  return { ...state, [list]: withEntry(state[list], entry), undone, notice };
}

function loaded(
  state: StationState,
  { tally, unknown, unheardTags, elsewhere, pass }: AreaState,
): StationState {
  const isLeft = ({ id }: TallyEntry) => id === null || !state.undone.has(id);
  return {
    ...{ ...state, pass, unheardTags, tally: tally.filter(isLeft), unknown: unknown.filter(isLeft) },
    // Without an answer the server's last word on the pass is still the best there is.
    elsewhere: elsewhere ?? (pass === state.pass ? state.elsewhere : null),
  };
}

/** What happened to the area itself: shown, and kept in sight until it is tapped away. */
function told(notice: Notice | undefined): Partial<Pick<StationState, "notice" | "unread">> {
  return notice === undefined ? {} : { notice, unread: notice };
}

const nothingCounted = { tally: [], unknown: [], unheardTags: new Set<number>(), elsewhere: null } as const;

function reduce(state: StationState, action: StationAction): StationState {
  switch (action.type) {
    case "noticed":
      return withNotice(state, action.notice);
    case "patched":
      return { ...state, ...action.patch };
    case "loaded":
      return { ...loaded(state, action.loaded), ...told(action.notice) };
    case "scanned":
      return { ...state, ...withRow(state, action.scan), notice: action.notice };
    case "row_changed":
      return rowChanged(state, action.scan, action.notice);
    case "undone":
      return undone(state, action.entry, action.notice);
    case "undo_failed":
      return undoFailed(state, action.entry, action.notice);
    case "undo_refused":
      return { ...state, undone: without(state.undone, action.id) };
    case "pass_named":
      return { ...state, pass: action.pass };
    case "reopened": {
      const { notice = state.notice } = action;
      const before = state.notice?.stays === undefined ? undefined : state.notice;
      return { ...state, block: null, sessionEnd: null, notice, ...told(before) };
    }
    case "started_again": {
      const notice = notices.withAside(action.notice, unitsOf(state.unknown));
      return {
        ...{ ...state, pass: action.pass, only: action.only === undefined ? state.only : action.only },
        ...nothingCounted,
        ...{ notice, unread: notice.stays === undefined ? null : notice },
      };
    }
  }
}

/** What a person was asked about a pass that is over gives way to the notice of its end; the settings are of no pass. */
export function stationReducer(state: StationState, action: StationAction): StationState {
  const next = reduce(state, action);
  const isOver = next.pass !== state.pass || (next.block !== null && state.block === null);
  if (!isOver) return next;
  return {
    ...next,
    ...(next.block === null ? {} : nothingUnread),
    choice: null,
    finishQuestion: null,
    listedForTotal: null,
    dialog: next.dialog === "settings" ? "settings" : null,
  };
}

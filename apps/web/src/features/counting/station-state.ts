import type { PendingScan } from "../../offline/offline.ts";
import { takenBackReason, words } from "./messages.ts";
import { namedWithSize, scanText } from "./product-text.ts";
import { hasRow, type Tally, type TallyEntry, takeRow, withoutEntry } from "./tally.ts";

/** The status banner: its state, the message, and a second line. */
export interface Banner {
  readonly kind: "success" | "error" | "warning" | "info";
  readonly text: string;
  readonly detail?: string | undefined;
}

/** Why nothing more can be scanned here. */
export type Block = "no_session" | "area_closed" | "area_deleted" | "finished";

/** The scan screen's state. */
export interface StationState {
  readonly pass: number;
  readonly tally: Tally;
  /** Rows undone on this screen: a row that was read before its undo was written must not bring them back. */
  readonly undone: ReadonlySet<number>;
  /** Null shows READY TO SCAN. */
  readonly banner: Banner | null;
  readonly block: Block | null;
}

export type StationAction =
  | { readonly type: "say"; readonly banner: Banner | null }
  | { readonly type: "rebuilt"; readonly tally: Tally; readonly pass: number }
  | { readonly type: "scanned"; readonly scan: PendingScan; readonly banner: Banner }
  | { readonly type: "row_changed"; readonly scan: PendingScan }
  | { readonly type: "undone"; readonly entry: TallyEntry }
  | { readonly type: "undo_refused"; readonly id: number }
  | { readonly type: "undo_failed"; readonly entry: TallyEntry; readonly banner: Banner }
  | { readonly type: "pass_named"; readonly pass: number }
  | { readonly type: "started_again"; readonly pass: number; readonly banner: Banner }
  | { readonly type: "blocked"; readonly block: Block; readonly banner: Banner };

export function initialStation(pass: number): StationState {
  return { pass, tally: [], undone: new Set(), banner: null, block: null };
}

/** The banner of a scan that was counted: what it is in large, its SKU below. */
export function countedBanner(scan: Pick<TallyEntry, "productTitle" | "size" | "sku">): Banner {
  const detail = scan.productTitle === null ? undefined : (scan.sku ?? undefined);
  return { kind: "success", text: namedWithSize(scan), detail };
}

/** True where the server's answer takes a success back that this screen shows. */
export function isTakenBack(state: StationState, scan: PendingScan): boolean {
  if (scan.acknowledgement === null || scan.undone) return false;
  return scan.acknowledgement.status !== "counted" && hasRow(state.tally, scan.id);
}

const blocksByReason: Partial<Record<string, Block>> = {
  AREA_CLOSED: "area_closed",
  AREA_DELETED: "area_deleted",
  SESSION_CLOSED: "no_session",
};

/** Which end of counting an answer's reason or a refusal's code means; null where counting goes on. */
export function blockOf(reason: string | null): Block | null {
  return reason === null ? null : (blocksByReason[reason] ?? null);
}

/** What the banner says of a row that the server has just spoken about; null where nothing has to be said. */
export function bannerForRow(state: StationState, scan: PendingScan): Banner | null {
  if (scan.refusal !== null) {
    return { kind: "error", text: `Not counted: ${scan.refusal.error}`, detail: scanText(scan) };
  }
  const { acknowledgement } = scan;
  if (acknowledgement === null || scan.undone) return null;
  if (isTakenBack(state, scan)) {
    const text = takenBackReason(acknowledgement.reason, scan.input);
    return { kind: "error", text, detail: scanText(scan) };
  }
  if (acknowledgement.status === "counted" && scan.localOutcome === "unresolved") {
    return { kind: "success", text: words.countedAfterAll, detail: scanText(scan) };
  }
  return null;
}

/** What is said of a scan of another area that was shown as counted there and is not. */
export function bannerForElsewhere(scan: PendingScan): Banner | null {
  const { acknowledgement, refusal, localOutcome, undone, areaCode } = scan;
  if (localOutcome !== "counted" || undone) return null;
  const isLost = refusal !== null || (acknowledgement !== null && acknowledgement.status !== "counted");
  if (!isLost) return null;
  const reason = refusal?.error ?? takenBackReason(acknowledgement?.reason ?? null, scan.input);
  return {
    kind: "error",
    text: `A scan in area ${areaCode} was not counted`,
    detail: `${reason} ${scanText(scan)}`,
  };
}

function without(ids: ReadonlySet<number>, id: number | null): ReadonlySet<number> {
  return new Set([...ids].filter((each) => each !== id));
}

function rowChanged(state: StationState, row: PendingScan): StationState {
  const scan = state.undone.has(row.id) ? { ...row, undone: true } : row;
  const banner = bannerForRow(state, scan);
  const tally = scan.pass === state.pass ? takeRow(state.tally, scan) : state.tally;
  const block = state.block ?? blockOf(scan.acknowledgement?.reason ?? null);
  // Most rows are acknowledged as they were shown: the same state, so that the screen is not drawn for each of them.
  if (banner === null && tally === state.tally && block === state.block) return state;
  return { ...state, tally, banner: banner ?? state.banner, block };
}

export function stationReducer(state: StationState, action: StationAction): StationState {
  switch (action.type) {
    case "say":
      return { ...state, banner: action.banner };
    case "rebuilt":
      return {
        ...state,
        tally: action.tally.filter((entry) => entry.id === null || !state.undone.has(entry.id)),
        pass: action.pass,
      };
    case "scanned":
      return { ...state, tally: takeRow(state.tally, action.scan), banner: action.banner };
    case "row_changed":
      return rowChanged(state, action.scan);
    case "undone":
      return {
        ...state,
        tally: withoutEntry(state.tally, action.entry),
        undone: action.entry.id === null ? state.undone : new Set([...state.undone, action.entry.id]),
        banner: { kind: "info", text: "Undone", detail: scanText(action.entry) },
      };
    case "undo_failed":
      return {
        ...state,
        tally: [...state.tally, action.entry],
        undone: without(state.undone, action.entry.id),
        banner: action.banner,
      };
    case "undo_refused":
      return { ...state, undone: without(state.undone, action.id) };
    case "pass_named":
      return { ...state, pass: action.pass };
    case "started_again":
      return { ...state, pass: action.pass, tally: [], banner: action.banner };
    case "blocked":
      return { ...state, block: action.block, banner: action.banner };
  }
}

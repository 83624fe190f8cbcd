import type {
  Area,
  AreaDevice,
  AreaScan,
  CountingSession,
  Location,
  UnresolvedScan,
} from "@stocktake/contract";
import { ApiError, NoAnswerError } from "../../../http/errors.ts";
import type { Cached } from "../../../offline/offline.ts";
import type { CountingArea } from "./counting-area.ts";
import type { StartData } from "./start-counting.ts";

/** An area found by its label, and its location, which names the store. */
export interface LabelledArea {
  readonly area: Area;
  readonly location: Location;
}

/** Every area that this counter can access, and its location: what a scanned label is looked up in. */
export interface AreaBook {
  readonly areas: readonly Area[];
  readonly locations: readonly Location[];
}

/** The server as counting needs it: lists that are followed, each from the server or from what the device cached of it. */
export interface CountingServer {
  /** Calls back with the areas of a location, now and whenever they change, until the returned function is called. */
  readonly watchAreas: (locationId: string, listener: (areas: Cached<Area[]>) => void) => () => void;
  /** The areas of a location as they are now; null where they can't be read. */
  readonly readAreas: (locationId: string) => Promise<Cached<Area[]> | null>;
  readonly watchSessions: (listener: (sessions: Cached<CountingSession[]>) => void) => () => void;
  /**
   * Follows every area that this counter can access: what labels are looked up in, so that they are understood without the
   * server too, and what an administrator wants counted again.
   */
  readonly watchAreaBook: (listener: (book: AreaBook) => void) => () => void;
  /** Null where no area of this store (of any store, where none is given) has the label. */
  readonly findLabel: (code: string, storeId: string | null) => Promise<LabelledArea | null>;
  readonly loadStartData: (location: Location) => Promise<StartData>;
  /** The area's current pass, its counted scans and its unresolved ones, which an older server does not list. */
  readonly readAreaScans: (area: CountingArea) => Promise<{
    readonly scans: AreaScan[];
    readonly unresolved?: UnresolvedScan[] | undefined;
    /** Who counted there, by device; an older server names nobody. */
    readonly devices?: AreaDevice[] | undefined;
    readonly pass: number;
    /** The pass is an earlier count that was restored; an older server does not say so. */
    readonly restored?: boolean | undefined;
  }>;
  /** Reads the areas and this device's notes on them again: an operation may have changed them. */
  readonly refreshAreas: () => void;
  readonly refreshSessions: () => void;
}

/** True where a call failed for want of the server, or was refused by it: counting goes on, and nothing is reported. */
export function isServerFailure(error: unknown): boolean {
  return error instanceof NoAnswerError || error instanceof ApiError;
}

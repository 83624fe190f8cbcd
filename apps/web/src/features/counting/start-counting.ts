import type { Area, CountingSession, Location, Store } from "@stocktake/contract";
import type { ProductSyncState } from "../../offline/product-store.ts";
import type { AreaNote } from "./area-notes.ts";
import { words } from "./messages.ts";
import type { CountingPlace } from "./route-state.ts";

/** What a person chose on the dashboard. */
export interface Selection {
  readonly storeId: string | null;
  readonly locationId: string | null;
  readonly areaId: string | null;
}

/** What the dashboard knows when Start Counting Area is pressed. */
export interface StartKnowledge {
  readonly stores: readonly Pick<Store, "_id" | "name">[];
  readonly locations: readonly Location[];
  readonly areas: readonly Area[];
  readonly sessions: readonly CountingSession[];
  readonly products: ProductSyncState | null;
  readonly notes: ReadonlyMap<string, AreaNote>;
}

export type StartDecision =
  | { readonly kind: "refused"; readonly error: string }
  /** An area in progress: the person decides whether to go on or to reset it. */
  | { readonly kind: "ask"; readonly place: CountingPlace; readonly area: Area }
  | { readonly kind: "start"; readonly place: CountingPlace };

export function activeSessionOf(
  sessions: readonly CountingSession[],
  storeId: string | null,
): CountingSession | null {
  return sessions.find((each) => each.storeId._id === storeId && each.status === "active") ?? null;
}

function placeOf(
  store: Pick<Store, "_id" | "name">,
  location: Location,
  area: Area,
  sessionId: string,
  knownPass: number,
): CountingPlace {
  const pass = Math.max(area.pass, knownPass);
  return {
    ...{ storeId: store._id, locationId: location._id, areaId: area._id, sessionId, pass },
    area: { code: area.code, name: area.name },
    store: { name: store.name },
    location: { name: location.name },
  };
}

/** Decides what Start Counting Area does: the specification's checks (section 5, "Counter start"), in its order. */
export function decideStart(selection: Selection, known: StartKnowledge): StartDecision {
  const refused = (error: string): StartDecision => ({ kind: "refused", error });
  const { storeId, locationId, areaId } = selection;
  if (storeId === null || locationId === null || areaId === null) return refused(words.selectAll);
  const session = activeSessionOf(known.sessions, storeId);
  if (session === null) return refused(words.noSessionForStore);
  if (known.products?.isComplete !== true) return refused(words.syncFirst);
  const store = known.stores.find((each) => each._id === storeId);
  const location = known.locations.find((each) => each._id === locationId);
  const area = known.areas.find((each) => each._id === areaId);
  if (store === undefined || location === undefined || area === undefined) {
    return refused(words.selectionGone);
  }
  if (area.status === "closed") return refused(words.areaCompleted(area.code));
  const note = known.notes.get(area._id);
  if (note?.isFinishWaiting === true) return refused(words.finishWaits);
  const place = placeOf(store, location, area, session._id, note?.knownPass ?? 0);
  return area.status === "in_progress" ? { kind: "ask", place, area } : { kind: "start", place };
}

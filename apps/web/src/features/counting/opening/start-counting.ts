import type { Area, CountingSession, Location, Store } from "@stocktake/contract";
import type { ProductSyncState } from "../../../offline/offline.ts";
import { messages } from "../messages.ts";
import { type AreaNote, isRecountNeeded } from "./area-notes.ts";
import { isOthersAlone, namesOf } from "./area-order.ts";
import type { CountingArea } from "./counting-area.ts";

/** What a person chose on the dashboard. */
export interface Selection {
  readonly storeId: string | null;
  readonly locationId: string | null;
  readonly areaId: string | null;
}

/** What the choice of an area is decided by. */
export interface StartData {
  readonly stores: readonly Pick<Store, "_id" | "name">[];
  readonly locations: readonly Location[];
  readonly areas: readonly Area[];
  readonly sessions: readonly CountingSession[];
  readonly products: ProductSyncState | null;
  readonly notes: ReadonlyMap<string, AreaNote>;
}

/** What a person does on the dashboard before an area can be started, in the order of the page. */
export type StartStep = "store" | "location" | "products" | "area";

export type StartDecision =
  /** `missing` is the step that has to be taken first, where one is. */
  | { readonly kind: "refused"; readonly error: string; readonly missing: StartStep | null }
  /** An area in progress: the person decides whether to go on or to reset it. */
  | { readonly kind: "ask"; readonly area: CountingArea; readonly activity: Area["activity"] }
  | { readonly kind: "start"; readonly area: CountingArea };

function missingChoice({ storeId, locationId, areaId }: Selection): StartStep | null {
  if (storeId === null) return "store";
  if (locationId === null) return "location";
  return areaId === null ? "area" : null;
}

/** True once a missing step has been done: its error is no longer true. */
export function isDone(step: StartStep, selection: Selection, products: ProductSyncState | null): boolean {
  return step === "products" ? products?.isComplete === true : missingChoice(selection) === null;
}

export function activeSessionOf(
  sessions: readonly CountingSession[],
  storeId: string | null,
): CountingSession | null {
  return sessions.find((each) => each.storeId._id === storeId && each.status === "active") ?? null;
}

function countingAreaOf(
  store: Pick<Store, "_id" | "name">,
  location: Location,
  area: Area,
  session: CountingSession,
  knownPass: number,
): CountingArea {
  const pass = Math.max(area.pass, knownPass);
  const { _id: sessionId } = session;
  const only = countedOnly(area, session);
  return {
    ...{ storeId: store._id, locationId: location._id, areaId: area._id, sessionId, pass },
    area: { code: area.code, name: area.name },
    store: { name: store.name },
    location: { name: location.name },
    ...(only === null ? {} : { only }),
  };
}

/** The SKUs that are counted in an area, by its own list or its session's; null where everything is. */
export function countedOnly(area: Area, session: CountingSession | undefined): string[] | null {
  return area.only ?? session?.only ?? null;
}

/** Decides what Start Counting Area does: the specification's checks (section 5, "Counter start"), in its order. */
export function decideStart(selection: Selection, data: StartData): StartDecision {
  const refused = (error: string, missing: StartStep | null = null): StartDecision => ({
    ...{ kind: "refused", error, missing },
  });
  const { storeId, locationId, areaId } = selection;
  const choice = missingChoice(selection);
  if (choice !== null) return refused(messages.selectAll, choice);
  const session = activeSessionOf(data.sessions, storeId);
  if (session === null) return refused(messages.noSessionForStore);
  if (data.products?.isComplete !== true) return refused(messages.syncFirst, "products");
  const store = data.stores.find((each) => each._id === storeId);
  const location = data.locations.find((each) => each._id === locationId);
  const area = data.areas.find((each) => each._id === areaId);
  if (store === undefined || location === undefined || area === undefined) {
    return refused(messages.selectionGone);
  }
  if (area.status === "closed") return refused(messages.areaCompleted(area.code));
  if (isOthersAlone(area)) return refused(messages.assignedAlone(namesOf(area)));
  const note = data.notes.get(area._id);
  if (note?.isFinishWaiting === true) return refused(messages.finishWaits);
  const counting = countingAreaOf(store, location, area, session, note?.knownPass ?? 0);
  // After a mismatch the area is at zero already: there is nothing to continue, nor to reset.
  const isAtStake = area.status === "in_progress" && !isRecountNeeded(area, note);
  return isAtStake
    ? { kind: "ask", area: counting, activity: area.activity }
    : { kind: "start", area: counting };
}

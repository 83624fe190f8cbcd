import {
  type Area,
  areaOfLabel,
  isAreaLabel,
  type Location,
  listAreas,
  listLocations,
} from "@stocktake/contract";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { type CountingDevice, cachedLists, readThroughCache, writeSetting } from "../../offline/offline.ts";
import { type AreaNote, readAreaNotes } from "./area-notes.ts";
import {
  counterAreasQuery,
  counterSessionsQuery,
  deviceRoots,
  patienceOf,
  productStateQuery,
} from "./counter-queries.ts";
import { keptBook } from "./kept-place.ts";
import { activeSessionOf, type Selection, type StartKnowledge } from "./start-counting.ts";

/** Every area in this counter's sight and where it lies: what a scanned label is looked up in. */
export interface AreaBook {
  readonly areas: readonly Area[];
  readonly locations: readonly Location[];
}

/** An area's label, found: the area and its location, which names the store. */
export interface LabelledArea {
  readonly area: Area;
  readonly location: Location;
}

/** So that the selector, too, works without the server at locations that were never opened on this device. */
async function keepByLocation(device: CountingDevice, userId: string, { areas, locations }: AreaBook) {
  const now = new Date(device.clock.now()).toISOString();
  for (const { _id } of locations) {
    const here = areas.filter((area) => area.locationId === _id);
    await writeSetting(device.database, cachedLists.areas(userId, _id), here, now);
  }
}

async function readAreaBook(device: CountingDevice, userId: string): Promise<AreaBook> {
  const timeoutMs = patienceOf(device);
  const [areas, locations] = await Promise.all([
    readThroughCache(
      device,
      keptBook.areas(userId),
      async () => (await callApi(listAreas, { timeoutMs })).areas,
    ),
    readThroughCache(
      device,
      keptBook.locations(userId),
      async () => (await callApi(listLocations, { query: {}, timeoutMs })).locations,
    ),
  ]);
  const book = { areas: areas.value, locations: locations.value };
  if (areas.from === "server" && locations.from === "server") await keepByLocation(device, userId, book);
  return book;
}

// Labels outlive their areas' states: nothing here is read again because somebody scans.
const bookFreshMs = 60_000;

/** Read when a counter's page opens, so that labels are understood without the server too. */
export function areaBookQuery(device: CountingDevice, userId: string) {
  return queryOptions({
    queryKey: [deviceRoots.book, userId],
    queryFn: () => readAreaBook(device, userId),
    staleTime: bookFreshMs,
  });
}

/** The area of a label in the book; null where none of this store bears it (of any store, where none is given). */
function findLabelled(
  { areas, locations }: AreaBook,
  code: string,
  storeId: string | null,
): LabelledArea | null {
  const area = isAreaLabel(code) ? areaOfLabel(code, areas) : null;
  const location = locations.find((each) => each._id === area?.locationId);
  if (area === null || location === undefined) return null;
  return storeId === null || location.storeId._id === storeId ? { area, location } : null;
}

/** Whose labels are looked up, and where. */
export interface LabelPorts {
  readonly device: CountingDevice;
  readonly client: QueryClient;
  readonly userId: string;
  /** Null understands the labels of every store in sight. */
  readonly storeId: string | null;
}

/** Looks a label up in the book, and once more in a fresh one: the area may have been added since. */
export async function lookUpLabel(
  { device, client, userId, storeId }: LabelPorts,
  code: string,
): Promise<LabelledArea | null> {
  const query = { ...areaBookQuery(device, userId), retry: false } as const;
  const found = findLabelled(await client.fetchQuery(query), code, storeId);
  if (found !== null) return found;
  return findLabelled(await client.fetchQuery({ ...query, staleTime: 0 }), code, storeId);
}

export function selectionOf({ area, location }: LabelledArea): Selection {
  return { storeId: location.storeId._id, locationId: location._id, areaId: area._id };
}

/** What the choice of an area is decided by, read for the area of a label. */
export async function readKnowledge(
  { device, client, userId }: LabelPorts,
  { location }: LabelledArea,
): Promise<StartKnowledge> {
  const storeId = location.storeId._id;
  const now = { staleTime: 0, retry: false } as const;
  const [sessions, areas, products] = await Promise.all([
    client.fetchQuery({ ...counterSessionsQuery(device, userId), ...now }),
    client.fetchQuery({ ...counterAreasQuery(device, userId, location._id), ...now }),
    client.fetchQuery({ ...productStateQuery(device, storeId), ...now }),
  ]);
  const session = activeSessionOf(sessions.value, storeId);
  const notes =
    session === null ? new Map<string, AreaNote>() : await readAreaNotes(device.database, session._id);
  return {
    ...{ sessions: sessions.value, areas: areas.value, products, notes },
    stores: [location.storeId],
    locations: [location],
  };
}

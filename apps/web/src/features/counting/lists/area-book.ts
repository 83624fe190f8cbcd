import { Area, areaOfLabel, isAreaLabel, Location, listAreas, listLocations } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { callAllPages } from "../../../http/call.ts";
import {
  type CountingDevice,
  cachedLists,
  readThroughCache,
  type Setting,
  writeSetting,
} from "../../../offline/offline.ts";
import type { AreaBook, LabelledArea } from "../opening/counting-server.ts";
import { deviceRoots, timeoutOf } from "./counter-queries.ts";

/** So that the selector, too, works without the server at locations that were never opened on this device. */
async function cacheByLocation(device: CountingDevice, userId: string, { areas, locations }: AreaBook) {
  const now = new Date(device.clock.now()).toISOString();
  for (const { _id } of locations) {
    const here = areas.filter((area) => area.locationId === _id);
    await writeSetting(device.database, cachedLists.areas(userId, _id), here, now);
  }
}

/** The areas and locations that a user can access, for reading area labels without the server. */
const cachedBook = {
  areas: (userId: string): Setting<Area[]> => ({ key: `allAreas_${userId}`, schema: z.array(Area) }),
  locations: (userId: string): Setting<Location[]> => ({
    key: `allLocations_${userId}`,
    schema: z.array(Location),
  }),
};

async function readAreaBook(device: CountingDevice, userId: string): Promise<AreaBook> {
  const timeoutMs = timeoutOf(device);
  const [areas, locations] = await Promise.all([
    readThroughCache(
      device,
      cachedBook.areas(userId),
      async () => (await callAllPages(listAreas, { timeoutMs })).areas,
    ),
    readThroughCache(
      device,
      cachedBook.locations(userId),
      async () => (await callAllPages(listLocations, { query: {}, timeoutMs })).locations,
    ),
  ]);
  const book = { areas: areas.value, locations: locations.value };
  if (areas.from === "server" && locations.from === "server") await cacheByLocation(device, userId, book);
  return book;
}

// Nothing here is read again because somebody scans; what an area event is about is (`useFreshAreaBook`).
const bookFreshMs = 60_000;

/** Read when a counter's page opens, so that labels are understood without the server too. */
export function areaBookQuery(device: CountingDevice, userId: string) {
  return queryOptions({
    queryKey: [deviceRoots.book, userId],
    queryFn: () => readAreaBook(device, userId),
    staleTime: bookFreshMs,
  });
}

/** The area of a label in the book; null where none of this store (of any store, where none is given) has it. */
export function findLabelled(
  { areas, locations }: AreaBook,
  code: string,
  storeId: string | null,
): LabelledArea | null {
  const area = isAreaLabel(code) ? areaOfLabel(code, areas) : null;
  const location = locations.find((each) => each._id === area?.locationId);
  if (area === null || location === undefined) return null;
  return storeId === null || location.storeId._id === storeId ? { area, location } : null;
}

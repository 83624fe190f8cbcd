import { listAreasOfLocation, listLocations, listSessions, listStores } from "@stocktake/contract";
import { keepPreviousData, queryOptions, skipToken } from "@tanstack/react-query";
import { callAllPages } from "../../../http/call.ts";
import { queryRoots } from "../../../http/query-roots.ts";
import {
  type CountingDevice,
  cachedLists,
  type QueueState,
  readProductSyncState,
  readStatistics,
  readThroughCache,
} from "../../../offline/offline.ts";
import { readAreaNotes } from "../opening/area-notes.ts";
import { readActiveArea, readLastCount } from "../opening/last-area.ts";

// The second part of these keys sets them apart from the administrator's queries of the same roots: they hold what the
// device cached, too. Live events name the first part alone.
const counting = "counting";
const timeoutMs = 10_000;
// A network that has just given no answer is asked again, but what the device cached should not wait for it.
const awayTimeoutMs = 2_000;

/** How long a list is waited for before the device's cached one is taken, in milliseconds. */
export function timeoutOf({ connectivity }: Pick<CountingDevice, "connectivity">): number {
  return connectivity.isOnline() ? timeoutMs : awayTimeoutMs;
}

/** A store opens to a permanent counter with its session, of which no event reaches somebody without a store. */
const emptyAgainMs = 15_000;

export function counterStoresQuery(device: CountingDevice, userId: string) {
  return queryOptions({
    queryKey: [queryRoots.stores, counting, userId],
    queryFn: () =>
      readThroughCache(
        device,
        cachedLists.stores(userId),
        async () => (await callAllPages(listStores, { timeoutMs: timeoutOf(device) })).stores,
      ),
    refetchInterval: ({ state }) => (state.data?.value.length === 0 ? emptyAgainMs : false),
  });
}

export function counterSessionsQuery(device: CountingDevice, userId: string) {
  return queryOptions({
    queryKey: [queryRoots.sessions, counting, userId],
    queryFn: () =>
      readThroughCache(
        device,
        cachedLists.sessions(userId),
        async () => (await callAllPages(listSessions, { timeoutMs: timeoutOf(device) })).sessions,
      ),
  });
}

export function counterLocationsQuery(device: CountingDevice, userId: string, storeId: string | null) {
  return queryOptions({
    queryKey: [queryRoots.locations, counting, userId, storeId],
    queryFn:
      storeId === null
        ? skipToken
        : () =>
            readThroughCache(
              device,
              cachedLists.locations(userId, storeId),
              async () =>
                (await callAllPages(listLocations, { query: { storeId }, timeoutMs: timeoutOf(device) }))
                  .locations,
            ),
  });
}

export function counterAreasQuery(device: CountingDevice, userId: string, locationId: string | null) {
  return queryOptions({
    queryKey: [queryRoots.areas, counting, userId, locationId],
    queryFn:
      locationId === null
        ? skipToken
        : () =>
            readThroughCache(
              device,
              cachedLists.areas(userId, locationId),
              async () =>
                (
                  await callAllPages(listAreasOfLocation, {
                    params: { locationId },
                    timeoutMs: timeoutOf(device),
                  })
                ).areas,
            ),
  });
}

/** The first parts of the keys of what the device itself holds. */
export const deviceRoots = {
  products: "device-products",
  notes: "device-area-notes",
  held: "device-held",
  book: "device-area-book",
} as const;

export function productStateQuery(device: CountingDevice, storeId: string | null) {
  return queryOptions({
    queryKey: [deviceRoots.products, storeId],
    queryFn: storeId === null ? skipToken : () => readProductSyncState(device.database, storeId),
  });
}

/** @param queue the queue's state, so that a change of it is read again at once */
export function statisticsQuery(device: CountingDevice, { pending, setAside }: QueueState) {
  return queryOptions({
    queryKey: [deviceRoots.held, "statistics", pending, setAside],
    queryFn: () => readStatistics(device.database),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export function areaNotesQuery(device: CountingDevice, sessionId: string | null) {
  return queryOptions({
    queryKey: [deviceRoots.notes, sessionId],
    queryFn: sessionId === null ? skipToken : () => readAreaNotes(device.database, sessionId),
  });
}

export function activeAreaQuery(device: CountingDevice, userId: string) {
  return queryOptions({
    queryKey: [deviceRoots.held, "active-area", userId],
    queryFn: () => readActiveArea(device.database, userId),
    // Written by the scan screen, which is another page.
    staleTime: 0,
  });
}

export function lastCountQuery(device: CountingDevice, userId: string) {
  return queryOptions({
    queryKey: [deviceRoots.held, "last-count", userId],
    queryFn: () => readLastCount(device.database, userId),
    staleTime: 0,
  });
}

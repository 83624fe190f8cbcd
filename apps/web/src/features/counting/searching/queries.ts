import {
  listSearchTasks,
  matchProduct,
  OpenedSearchTask,
  readSearchTask,
  SearchTask,
  SearchTaskItem,
} from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { callAllPages } from "../../../http/call.ts";
import { queryRoots } from "../../../http/query-roots.ts";
import {
  type CountingDevice,
  openProducts,
  readThroughCache,
  type Setting,
} from "../../../offline/offline.ts";
import { timeoutOf } from "../lists/counter-queries.ts";

/** A search list on this device. */
export interface OpenedList {
  readonly sessionId: string;
  readonly number: string;
}

const List = z.object({ task: OpenedSearchTask, items: z.array(SearchTaskItem) });
export type SearchedList = z.infer<typeof List>;

const cachedTasks = (userId: string, sessionId: string): Setting<SearchTask[]> => ({
  key: `searches_${userId}_${sessionId}`,
  schema: z.array(SearchTask),
});

const cachedList = (userId: string, { sessionId, number }: OpenedList): Setting<SearchedList> => ({
  key: `search_${userId}_${sessionId}_${number}`,
  schema: List,
});

/** The lists that somebody may work off in a session. */
export function searchTasksQuery(device: CountingDevice, userId: string, sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.searches, "tasks", userId, sessionId],
    queryFn: () =>
      readThroughCache(
        device,
        cachedTasks(userId, sessionId),
        async () =>
          (await callAllPages(listSearchTasks, { params: { id: sessionId }, timeoutMs: timeoutOf(device) }))
            .tasks,
      ),
  });
}

/** A list, or what this device had of it the last time. */
export function searchListQuery(device: CountingDevice, userId: string, list: OpenedList) {
  const params = { id: list.sessionId, number: list.number };
  return queryOptions({
    queryKey: [queryRoots.searches, "list", userId, list.sessionId, list.number],
    queryFn: () =>
      readThroughCache(device, cachedList(userId, list), async () => {
        const { task, items } = await callAllPages(readSearchTask, { params, timeoutMs: timeoutOf(device) });
        return { task, items };
      }),
    refetchOnMount: "always",
  });
}

/** The photos' addresses of SKUs, as far as this device has the store's products. */
export function photosQuery(device: CountingDevice, storeId: string | null, skus: readonly string[]) {
  return queryOptions({
    queryKey: [queryRoots.searches, "photos", storeId, skus],
    queryFn: () => readPhotos(device, storeId, skus),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function readPhotos(
  device: CountingDevice,
  storeId: string | null,
  skus: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const held = storeId === null ? null : await openProducts(device, storeId);
  const photos = new Map<string, string>();
  for (const sku of held === null ? [] : skus) {
    const match = held === null ? null : matchProduct(held.index, sku, "sku");
    const image = match?.kind === "one" ? match.product.image : null;
    if (image !== null) photos.set(sku, image);
  }
  return photos;
}

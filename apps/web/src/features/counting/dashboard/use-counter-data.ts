import type { Area } from "@stocktake/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type CountingDevice, type OutboxEvent, useOutboxEvents } from "../../../offline/offline.ts";
import { areaBookQuery } from "../lists/area-book.ts";
import {
  areaNotesQuery,
  counterAreasQuery,
  counterLocationsQuery,
  counterSessionsQuery,
  counterStoresQuery,
  deviceRoots,
  productStateQuery,
} from "../lists/counter-queries.ts";
import { type AreaNote, isRecountRequested } from "../opening/area-notes.ts";
import { isMine } from "../opening/area-order.ts";
import { activeSessionOf, type StartData } from "../opening/start-counting.ts";
import type { SelectionControl } from "./use-selection.ts";

const noNotes: ReadonlyMap<string, AreaNote> = new Map();
const noAreas: readonly Area[] = [];

/**
 * A location's areas by its list, or by the book of areas where that asks for one to be counted again in a later pass: the list may come long
 * after it, as each scan of others has it read from the start. A later pass alone says nothing, as a second count that is over is not shown
 * any more.
 */
function inLatestPass(list: readonly Area[], book: readonly Area[]): readonly Area[] {
  const inBook = new Map(book.map((area) => [area._id, area]));
  return list.map((area) => {
    const booked = inBook.get(area._id);
    return booked !== undefined && isRecountRequested(booked) && booked.pass > area.pass ? booked : area;
  });
}

/**
 * What the dashboard reads: from the server, or what the device cached of it. `isReading` until all of what is chosen is here. Its areas may be
 * read again then: `areas` says whether they are, and when they came last.
 */
export function useCounterData(device: CountingDevice, userId: string, { selection }: SelectionControl) {
  const client = useQueryClient();
  const stores = useQuery(counterStoresQuery(device, userId));
  const sessions = useQuery(counterSessionsQuery(device, userId));
  const locations = useQuery(counterLocationsQuery(device, userId, selection.storeId));
  const areas = useQuery(counterAreasQuery(device, userId, selection.locationId));
  const products = useQuery(productStateQuery(device, selection.storeId));
  const session = activeSessionOf(sessions.data?.value ?? [], selection.storeId);
  const notes = useQuery(areaNotesQuery(device, session?._id ?? null));
  useOutboxEvents(
    device,
    useCallback(
      (event: OutboxEvent) => {
        if (event.type !== "operation_settled" && event.type !== "operation_added") return;
        void client.invalidateQueries({ queryKey: [deviceRoots.notes] });
      },
      [client],
    ),
  );
  const book = useQuery(areaBookQuery(device, userId)).data;
  const listed = useMemo(
    () => inLatestPass(areas.data?.value ?? noAreas, book?.areas ?? noAreas),
    [areas.data, book],
  );
  const choices: StartData = {
    stores: stores.data?.value ?? [],
    locations: locations.data?.value ?? [],
    areas: listed,
    sessions: sessions.data?.value ?? [],
    products: products.data ?? null,
    notes: notes.data ?? noNotes,
  };
  const mine = (book?.areas ?? noAreas).filter((area) => isMine(area) && area.status !== "closed");
  const lists = { sessions: sessions.data?.value, areas: book?.areas };
  const isReading =
    [stores, sessions, locations, areas, products].some(({ isPending }) => isPending) ||
    (session !== null && notes.isPending);
  return { stores, sessions, locations, areas, choices, mine, lists, isReading };
}

export type CounterData = ReturnType<typeof useCounterData>;

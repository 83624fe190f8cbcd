import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useReadAgainOn } from "../../../http/live-events.tsx";
import type { CountingDevice } from "../../../offline/offline.ts";
import { areaBookQuery } from "../lists/area-book.ts";
import { deviceRoots } from "../lists/counter-queries.ts";
import { createRecountNews, type RequestedRecount, recountsIn } from "./recounts.ts";

/** So that a person hears of a request within two seconds, however busy the count is. */
const quietMs = 1_000;

/** Keeps the book of areas, and with it what an administrator wants counted again, as the server has it: once for every page of a counter. */
export function useFreshAreaBook(): void {
  useReadAgainOn("area", deviceRoots.book, quietMs);
}

/** The recounts to be done; calls back once with each that is new to this device. */
export function useRecounts(
  device: CountingDevice,
  userId: string,
  onNews: () => void,
): readonly RequestedRecount[] {
  const { data: book } = useQuery(areaBookQuery(device, userId));
  const told = useRef(onNews);
  useEffect(() => {
    told.current = onNews;
  });
  const tell = useMemo(() => createRecountNews(device.database, () => told.current()), [device]);
  useEffect(() => {
    if (book !== undefined) tell(book);
  }, [book, tell]);
  return useMemo(() => (book === undefined ? [] : recountsIn(book)), [book]);
}

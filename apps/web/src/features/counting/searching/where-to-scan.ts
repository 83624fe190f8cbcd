import type { Area, SearchTask } from "@stocktake/contract";
import { inCountingOrder, isOthersAlone } from "../opening/area-order.ts";
import type { AreaBook } from "../opening/counting-server.ts";

/** Where what was found can be scanned: its own area, or else the codes of those that are open; empty where none is. */
export type WhereToScan = "its area" | readonly string[];

/** Whoever asks may scan in it. */
const isOpen = (area: Area) => area.status !== "closed" && !isOthersAlone(area);

/**
 * By the areas of the store as this device knows them. What nobody counted is mostly looked for in areas that were closed without it,
 * which take no more scans: a unit counts for the store wherever it is scanned.
 */
export function whereToScan(area: SearchTask["area"], book: AreaBook, storeId: string | null): WhereToScan {
  const locations = new Set(
    book.locations.filter((location) => location.storeId._id === storeId).map(({ _id }) => _id),
  );
  const areas = book.areas.filter(({ locationId }) => locations.has(locationId));
  const own = areas.find(({ _id }) => _id === area?._id);
  if (own !== undefined && isOpen(own)) return "its area";
  return inCountingOrder(areas.filter(isOpen)).map(({ code }) => code);
}

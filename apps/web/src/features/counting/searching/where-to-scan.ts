import { type Area, areaNaming, type OpenedSearchTask } from "@stocktake/contract";
import { countersOf } from "../opening/area-notes.ts";
import { inCountingOrder, isOthersAlone } from "../opening/area-order.ts";
import type { AreaBook } from "../opening/counting-server.ts";

/** Where what was found can be scanned. */
export interface WhereToScan {
  /**
   * The area where it was looked for takes it, or is assigned to others alone, who will scan it there. Of what is looked for anywhere, the one
   * where it lies may take it.
   */
  readonly own: "open" | "closed" | "others" | "unknown";
  /** What others are called that take it without being in anybody's way. */
  readonly others: readonly string[];
}

/**
 * What nobody counted is mostly looked for in areas that were closed without it, which take no more scans: a unit counts for the store
 * wherever it is scanned. It is not led into an area that somebody else is counting, whose total would no longer match.
 * @param me the counter's name
 */
export function whereToScan(
  { area, openAreas }: OpenedSearchTask,
  book: AreaBook,
  { storeId, me }: { readonly storeId: string; readonly me: string },
): WhereToScan {
  const ofStore = book.locations.filter((location) => location.storeId._id === storeId);
  const locations = new Map(ofStore.map(({ _id, name }) => [_id, name]));
  const areas = book.areas.flatMap((each) => {
    const locationName = locations.get(each.locationId);
    return locationName === undefined ? [] : [{ ...each, locationName }];
  });
  const isTaking = ({ _id }: Area) => openAreas?.includes(_id) ?? true;
  const isOpen = (each: Area) => isTaking(each) && each.status !== "closed";
  const isFree = (each: Area) => countersOf(each)?.every((name) => name === me) ?? true;
  const own = areas.find(({ _id }) => _id === area?._id);
  const others = areas.filter((each) => each !== own && isOpen(each) && isFree(each) && !isOthersAlone(each));
  const ownState = (): WhereToScan["own"] => {
    if (area === null) return "unknown";
    if (own === undefined || !isOpen(own)) return "closed";
    return isOthersAlone(own) ? "others" : "open";
  };
  return {
    own: ownState(),
    others: inCountingOrder(others).map(areaNaming(areas)),
  };
}

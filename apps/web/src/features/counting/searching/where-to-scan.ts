import type { Area, OpenedSearchTask } from "@stocktake/contract";
import { countersOf } from "../opening/area-notes.ts";
import { inCountingOrder, isOthersAlone } from "../opening/area-order.ts";
import type { AreaBook } from "../opening/counting-server.ts";

/** Where what was found can be scanned. */
export interface WhereToScan {
  /** The area where it was looked for takes it. Of what is looked for anywhere, the one where it lies may. */
  readonly own: "open" | "closed" | "unknown";
  /** The codes of others that take it without being in anybody's way. */
  readonly others: readonly string[];
}

/**
 * What nobody counted is mostly looked for in areas that were closed without it, which take no more scans: a unit counts for the store
 * wherever it is scanned. It is not led into an area that somebody else is counting, whose total would no longer match.
 * @param me the counter's name
 */
export function whereToScan({ area, openAreas }: OpenedSearchTask, book: AreaBook, me: string): WhereToScan {
  const isTaking = ({ _id }: Area) => openAreas?.includes(_id) ?? true;
  const isOpen = (each: Area) => isTaking(each) && each.status !== "closed" && !isOthersAlone(each);
  const isFree = (each: Area) => countersOf(each)?.every((name) => name === me) ?? true;
  const own = book.areas.find(({ _id }) => _id === area?._id);
  const others = book.areas.filter((each) => each !== own && isOpen(each) && isFree(each));
  return {
    own: area === null ? "unknown" : own !== undefined && isOpen(own) ? "open" : "closed",
    others: inCountingOrder(others).map(({ code }) => code),
  };
}

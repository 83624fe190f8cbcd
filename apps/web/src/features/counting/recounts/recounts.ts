import type { Area, Recount } from "@stocktake/contract";
import * as z from "zod/mini";
import { readSetting, type Setting, type StocktakeDatabase, writeSetting } from "../../../offline/offline.ts";
import { countersOf } from "../opening/area-notes.ts";
import type { AreaBook } from "../opening/counting-server.ts";

/** An area that an administrator wants counted again, and where it is. */
export interface RequestedRecount {
  readonly area: Area;
  readonly recount: Recount;
  readonly storeId: string | null;
  readonly locationName: string | null;
}

/** The recounts that are still to be done, the newest request first. */
export function recountsIn({ areas, locations }: AreaBook): RequestedRecount[] {
  return areas
    .flatMap((area): RequestedRecount[] => {
      const recount = area.recount ?? null;
      if (recount === null) return [];
      const location = locations.find(({ _id }) => _id === area.locationId);
      return [
        { area, recount, storeId: location?.storeId._id ?? null, locationName: location?.name ?? null },
      ];
    })
    .sort((left, right) => right.recount.requestedAt.localeCompare(left.recount.requestedAt));
}

/**
 * Who else is already counting the area again; null where nobody is, or this person too. Nobody else is led there then: what is
 * asked at the door of an area in progress offers to reset it.
 */
export function othersCounting(area: Area, me: string): readonly string[] | null {
  const names = countersOf(area);
  return names?.includes(me) === true ? null : names;
}

/** The requests that this device has told of. */
const acknowledged: Setting<string[]> = { key: "recountsTold", schema: z.array(z.string()) };

const keyOf = ({ area, recount }: RequestedRecount) => `${area._id} ${recount.pass}`;

/** Calls back with the requests that this device has not told of yet, each once, also after a reload. */
export function createRecountNews(
  database: StocktakeDatabase,
  onNews: (recounts: readonly RequestedRecount[]) => void,
): (book: AreaBook) => void {
  let queue = Promise.resolve();
  const tell = async (owed: readonly RequestedRecount[]) => {
    // Mostly there is none: then nothing is read, which a browser that deletes the storage just then would break off.
    if (owed.length === 0) return;
    const before = (await readSetting(database, acknowledged)) ?? [];
    const known = new Set(before);
    const news = owed.filter((recount) => !known.has(keyOf(recount)));
    // What is done is forgotten with the next request.
    if (news.length === 0) return;
    await writeSetting(database, acknowledged, owed.map(keyOf), new Date().toISOString());
    onNews(news);
  };
  return (book) => {
    queue = queue.then(() => tell(recountsIn(book))).catch(globalThis.reportError);
  };
}

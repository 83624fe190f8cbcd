import { readTag } from "@stocktake/contract";
import {
  isCountedHere,
  isUnheardTag,
  type PendingScan,
} from "../../../../apps/web/src/offline/database/records.ts";
import type { CountedArea } from "../../../../apps/web/src/offline/outbox/append.ts";
import { readSession } from "../../../../apps/web/src/offline/outbox/read.ts";
import type { SimulatedPhone } from "../simulated-phone.ts";
import type { ShelfCounter } from "./counter.ts";
import type { ShelfTrial } from "./shelf-trial.ts";

/** What a phone makes of a tag that it reads in an area. */
export type KnownRead = "new" | "read_here" | "counts_elsewhere";

/** What a phone has on a tag, by its own rows as the app does (docs/SYNC.md, S44). Nothing here begins a pass anew. */
export async function knownRead(phone: SimulatedPhone, area: CountedArea, tag: string): Promise<KnownRead> {
  const rows = await readSession(phone.device.database, area.sessionId);
  const reads = rows.filter(({ input, refusal }) => input === tag && refusal === null);
  if (reads.some(({ areaId, pass }) => areaId === area.areaId && pass === area.pass)) return "read_here";
  return reads.some(isCountedHere) ? "counts_elsewhere" : "new";
}

/** The tags that count in an area as far as the phones have heard, and whether the counter's has not heard of some. */
export async function tagsOfArea(
  counter: ShelfCounter,
  everybody: readonly ShelfCounter[],
  area: CountedArea,
) {
  const readBy = async ({ phone }: ShelfCounter): Promise<PendingScan[]> => {
    const rows = await readSession(phone.device.database, area.sessionId);
    return rows.filter((row) => row.areaId === area.areaId);
  };
  const all = (await Promise.all(everybody.map(readBy))).flat();
  const counted = all.filter((row) => readTag(row.input) !== null && isCountedHere(row));
  return {
    tags: new Set(counted.map(({ input }) => input)),
    isUnheard: (await readBy(counter)).some(isUnheardTag),
  };
}

/**
 * The field of a reader takes in tags wherever they hang, in an area of its own or in that of somebody else: these hear of it before
 * they finish, as the reader has to be in contact.
 */
export async function readTags(trial: ShelfTrial, reader: ShelfCounter, pick: number): Promise<void> {
  const isGuest = pick % 2 === 1;
  if (isGuest && !(reader.line.isOnline && (await reader.phone.unsettled()) === 0)) return;
  const owners = isGuest ? trial.counters.filter((counter) => counter !== reader) : [reader];
  const places = reader.isSentAway ? [] : owners.flatMap(({ placesLeft }) => placesLeft);
  const place = places[pick % places.length];
  if (place === undefined) return;
  const tagged = trial.shelf.units.filter(({ isHere, tag }) => isHere && tag !== null);
  for (const unit of tagged) {
    for (let times = trial.draw(4); times > 1; times -= 1) await reader.read(place.area, unit);
  }
  await reader.settled();
}

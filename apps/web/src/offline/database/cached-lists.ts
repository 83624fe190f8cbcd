import { Area, CountingSession, Location, Store } from "@stocktake/contract";
import * as z from "zod/mini";
import { ApiError, NoAnswerError } from "../../http/errors.ts";
import type { Clock } from "../ports.ts";
import type { StocktakeDatabase } from "./database.ts";
import { readSetting, type Setting, writeSetting } from "./settings.ts";

/** A list as the server returned it now, or as the device cached it the last time. */
export interface Cached<Value> {
  readonly value: Value;
  readonly from: "server" | "device";
}

/**
 * What a start without the server needs (docs/SYNC.md, S24), cached per user: another login must not see it.
 */
export const cachedLists = {
  stores: (userId: string): Setting<Store[]> => ({ key: `stores_${userId}`, schema: z.array(Store) }),
  sessions: (userId: string): Setting<CountingSession[]> => ({
    key: `sessions_${userId}`,
    schema: z.array(CountingSession),
  }),
  locations: (userId: string, storeId: string): Setting<Location[]> => ({
    key: `locations_${userId}_${storeId}`,
    schema: z.array(Location),
  }),
  areas: (userId: string, locationId: string): Setting<Area[]> => ({
    key: `areas_${userId}_${locationId}`,
    schema: z.array(Area),
  }),
};

function isWithoutServer(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof ApiError && error.status >= 500);
}

/** Reads from the server and caches the result; without the server, returns what is cached. Throws where neither has it. */
export async function readThroughCache<Value>(
  ports: { readonly database: StocktakeDatabase; readonly clock: Clock },
  setting: Setting<Value>,
  read: () => Promise<Value>,
): Promise<Cached<Value>> {
  try {
    const value = await read();
    await writeSetting(ports.database, setting, value, new Date(ports.clock.now()).toISOString());
    return { value, from: "server" };
  } catch (error) {
    const cached = isWithoutServer(error) ? await readSetting(ports.database, setting) : null;
    if (cached === null) throw error;
    return { value: cached, from: "device" };
  }
}

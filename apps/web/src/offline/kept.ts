import { Area, CountingSession, Location, Store } from "@stocktake/contract";
import * as z from "zod/mini";
import { ApiError, NoAnswerError } from "../http/errors.ts";
import type { StocktakeDatabase } from "./database.ts";
import type { Clock } from "./ports.ts";
import { readSetting, type Setting, writeSetting } from "./settings.ts";

/** A list as the server gave it now, or as the device kept it from the last time. */
export interface Kept<Value> {
  readonly value: Value;
  readonly from: "server" | "device";
}

/**
 * What a start without the server needs (docs/SYNC.md, S24), kept for each user alone: another login must not see it.
 */
export const keptSettings = {
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

/** Reads from the server and keeps the answer; without the server gives what was kept. Throws where neither has it. */
export async function readOrKept<Value>(
  ports: { readonly database: StocktakeDatabase; readonly clock: Clock },
  setting: Setting<Value>,
  read: () => Promise<Value>,
): Promise<Kept<Value>> {
  try {
    const value = await read();
    await writeSetting(ports.database, setting, value, new Date(ports.clock.now()).toISOString());
    return { value, from: "server" };
  } catch (error) {
    const kept = isWithoutServer(error) ? await readSetting(ports.database, setting) : null;
    if (kept === null) throw error;
    return { value: kept, from: "device" };
  }
}

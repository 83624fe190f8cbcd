import * as z from "zod/mini";
import {
  deleteSetting,
  readSetting,
  type Setting,
  type StocktakeDatabase,
  writeSetting,
} from "../../../offline/offline.ts";
import { SelectedArea } from "./counting-area.ts";

// Where a user was counting, so that a crash (which loses the history entry) does not lose the way back.
const activeArea = (userId: string): Setting<SelectedArea> => ({
  key: `activeArea_${userId}`,
  schema: SelectedArea,
});

const Selection = z.object({ storeId: z.nullable(z.string()), locationId: z.nullable(z.string()) });
/** The store and location last chosen on the dashboard. */
export type StoredSelection = z.infer<typeof Selection>;
const selection = (userId: string): Setting<StoredSelection> => ({
  key: `selection_${userId}`,
  schema: Selection,
});

const LastCount = z.object({
  sessionId: z.string(),
  /** The store's name: once its session is over, a counter with a password can't ask for it any more. */
  store: z.string(),
  /** When an area was entered last, in milliseconds. */
  at: z.number(),
});
/** The session that somebody counted in last. */
export type LastCount = z.infer<typeof LastCount>;
const lastCount = (userId: string): Setting<LastCount> => ({ key: `lastCount_${userId}`, schema: LastCount });

const now = () => new Date().toISOString();

export function storeActiveArea(
  database: StocktakeDatabase,
  userId: string,
  area: SelectedArea,
): Promise<void> {
  return writeSetting(database, activeArea(userId), area, now());
}

export function readActiveArea(database: StocktakeDatabase, userId: string): Promise<SelectedArea | null> {
  return readSetting(database, activeArea(userId));
}

/** The person left the area on purpose: there is nothing to resume. */
export function forgetActiveArea(database: StocktakeDatabase, userId: string): Promise<void> {
  return deleteSetting(database, activeArea(userId).key);
}

export function storeLastCount(database: StocktakeDatabase, userId: string, value: LastCount): Promise<void> {
  return writeSetting(database, lastCount(userId), value, now());
}

export function readLastCount(database: StocktakeDatabase, userId: string): Promise<LastCount | null> {
  return readSetting(database, lastCount(userId));
}

/** The person has read that the count is over, and goes on to another. */
export function forgetLastCount(database: StocktakeDatabase, userId: string): Promise<void> {
  return deleteSetting(database, lastCount(userId).key);
}

export function storeSelection(
  database: StocktakeDatabase,
  userId: string,
  value: StoredSelection,
): Promise<void> {
  return writeSetting(database, selection(userId), value, now());
}

export function readSelection(database: StocktakeDatabase, userId: string): Promise<StoredSelection | null> {
  return readSetting(database, selection(userId));
}

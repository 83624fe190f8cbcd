import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { vi } from "vitest";
import { openStocktakeDatabase, type StocktakeDatabase } from "../database/database.ts";

/** A device that nothing was ever stored on. */
export function clearDevice(): void {
  vi.stubGlobal("indexedDB", new IDBFactory());
}

export function openFreshDatabase(): Promise<StocktakeDatabase> {
  clearDevice();
  return openStocktakeDatabase();
}

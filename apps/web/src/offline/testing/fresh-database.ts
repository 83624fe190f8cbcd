import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { vi } from "vitest";
import { openStocktakeDatabase, type StocktakeDatabase } from "../database/database.ts";

/** A device on which nothing was ever stored. */
export function clearDevice(): void {
  vi.stubGlobal("indexedDB", new IDBFactory());
}

export function openFreshDatabase(): Promise<StocktakeDatabase> {
  clearDevice();
  return openStocktakeDatabase();
}

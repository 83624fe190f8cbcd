import { expect, it, vi } from "vitest";
import { readStatistics } from "../device/statistics.ts";
import { createEngineHarness } from "../testing/engine-harness.ts";
import { openFreshDatabase } from "../testing/fresh-database.ts";
import { openStocktakeDatabase, StorageUnavailableError } from "./database.ts";

it("StocktakeDB, version 1, has exactly the specification's stores, keys and indexes [spec:3.database]", async () => {
  const database = await openFreshDatabase();
  expect([database.name, database.version]).toEqual(["StocktakeDB", 1]);
  const names = [...database.objectStoreNames];
  const transaction = database.transaction(names);
  const shape = names.map((name) => {
    const store = transaction.objectStore(name);
    return [name, store.keyPath, store.autoIncrement, [...store.indexNames]];
  });
  expect(shape).toEqual([
    ["metadata", "key", false, []],
    ["pendingScans", "id", true, ["synced", "timestamp"]],
    ["pendingSubmissions", "id", true, ["areaCode", "synced"]],
    ["products", "sku", false, ["barcode", "storeId"]],
    ["settings", "key", false, []],
  ]);
});

it("S28: without IndexedDB the error explains why scanning cannot start", async () => {
  vi.stubGlobal("indexedDB", undefined);
  await expect(openStocktakeDatabase()).rejects.toThrow(StorageUnavailableError);
  await expect(openStocktakeDatabase()).rejects.toThrow(/does not allow scans to be stored/);
});

it("the statistics have the number of products and pending rows, usage, quota and percentage [spec:3.statistics]", async () => {
  const harness = await createEngineHarness();
  const { createdAt } = await harness.scan("sent");
  await harness.run();
  await harness.scan("one");
  const estimate = async () => ({ usage: 250, quota: 1000 });
  expect(await readStatistics(harness.database, estimate)).toEqual({
    ...{ products: 0, pendingScans: 1, pendingSubmissions: 0, setAside: 0 },
    ...{ acknowledged: 1, acknowledgedSince: createdAt },
    ...{ usage: 250, quota: 1000, percentage: 25, isPersistent: null },
  });
});

it("usage and quota are null where the browser does not report them", async () => {
  const database = await openFreshDatabase();
  const statistics = await readStatistics(database, async () => ({}));
  expect(statistics).toMatchObject({ usage: null, quota: null, percentage: null });
});

import type { StocktakeDatabase } from "../database/database.ts";
import { createOutboxReader, readSetAside } from "../outbox/read.ts";

/** What the device stores and how much space it uses (specification, section 3, "Database statistics"). Bytes; null where the browser does not report it. */
export interface DatabaseStatistics {
  readonly products: number;
  readonly pendingScans: number;
  readonly pendingSubmissions: number;
  readonly setAside: number;
  /** Rows that the server has acknowledged, kept in case it is restored from a backup; and when the oldest was made, ISO 8601. */
  readonly acknowledged: number;
  readonly acknowledgedSince: string | null;
  readonly usage: number | null;
  readonly quota: number | null;
  readonly percentage: number | null;
  /** Whether the browser has promised not to clear the storage by itself; null where it does not say. */
  readonly isPersistent: boolean | null;
}

type Estimate = () => Promise<StorageEstimate>;

/** Pages on plain http have no storage manager: usage and quota are then unknown. */
function browserEstimate(): Promise<StorageEstimate> {
  return globalThis.navigator.storage?.estimate?.() ?? Promise.resolve({});
}

async function browserPromise(): Promise<boolean | null> {
  return (await globalThis.navigator.storage?.persisted?.()) ?? null;
}

async function readAcknowledged(database: StocktakeDatabase) {
  const [scans, operations] = await Promise.all([
    database.getAll("pendingScans"),
    database.getAll("pendingSubmissions"),
  ]);
  const times = [...scans, ...operations].flatMap(({ synced, createdAt }) => (synced ? [createdAt] : []));
  return { acknowledged: times.length, acknowledgedSince: times.sort()[0] ?? null };
}

export async function readStatistics(
  database: StocktakeDatabase,
  estimate: Estimate = browserEstimate,
): Promise<DatabaseStatistics> {
  const [products, unsettled, setAside, acknowledged, { usage = null, quota = null }, isPersistent] =
    await Promise.all([
      database.count("products"),
      createOutboxReader(database).unsettled(),
      readSetAside(database),
      readAcknowledged(database),
      estimate(),
      browserPromise(),
    ]);
  const percentage = usage === null || quota === null || quota === 0 ? null : (usage / quota) * 100;
  return {
    products,
    pendingScans: unsettled.scans.length,
    pendingSubmissions: unsettled.operations.length,
    setAside: setAside.scans.length + setAside.operations.length,
    ...acknowledged,
    usage,
    quota,
    percentage,
    isPersistent,
  };
}

/** Asks the browser not to clear this site's storage when space runs short. True where it agreed; it may refuse. */
export async function askForPersistence(): Promise<boolean> {
  return (await globalThis.navigator.storage?.persist?.()) ?? false;
}

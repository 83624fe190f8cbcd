import type { StocktakeDatabase, StocktakeSchema } from "./database.ts";
import type { Unsettled } from "./queue.ts";
import { isUnsettled, type PendingOperation, type PendingScan } from "./records.ts";

/** A row that was read has its id; a missing one means the database is not what the page made. */
export function withId<Row extends { id?: number }>(row: Row): Row & { readonly id: number } {
  const { id } = row;
  if (id === undefined) throw new Error("A row of the outbox has no id.");
  return { ...row, id };
}

type OutboxStore = "pendingScans" | "pendingSubmissions";

/** Rows that were settled for good lie below these ids, so that a long day's rows are not read for every scan. */
interface LowWater {
  pendingScans: number;
  pendingSubmissions: number;
}

type Identified<Store extends OutboxStore> = StocktakeSchema[Store]["value"] & { readonly id: number };

function takeUnsettled<Store extends OutboxStore>(
  rows: readonly StocktakeSchema[Store]["value"][],
  store: Store,
  lowWater: LowWater,
): Identified<Store>[] {
  const unsettled = rows.map(withId).filter(isUnsettled);
  const last = rows.at(-1)?.id;
  lowWater[store] = unsettled[0]?.id ?? (last === undefined ? lowWater[store] : last + 1);
  return unsettled.sort((left, right) => left.order - right.order);
}

/** Reads the outbox. One a tab: it remembers below which ids everything is settled. */
export interface OutboxReader {
  unsettled(): Promise<Unsettled>;
  /** Forgets what it remembers: a row that was settled has been put back. */
  startOver(): void;
}

export function createOutboxReader(database: StocktakeDatabase): OutboxReader {
  const lowWater: LowWater = { pendingScans: 0, pendingSubmissions: 0 };
  return {
    async unsettled() {
      // One look at both stores: a finish must not be seen without the scans before it (docs/SYNC.md, S9).
      const transaction = database.transaction(["pendingScans", "pendingSubmissions"]);
      const above = (store: OutboxStore) => IDBKeyRange.lowerBound(lowWater[store]);
      const [scans, operations] = await Promise.all([
        transaction.objectStore("pendingScans").getAll(above("pendingScans")),
        transaction.objectStore("pendingSubmissions").getAll(above("pendingSubmissions")),
        transaction.done,
      ]);
      return {
        scans: takeUnsettled(scans, "pendingScans", lowWater),
        operations: takeUnsettled(operations, "pendingSubmissions", lowWater),
      };
    },
    startOver() {
      lowWater.pendingScans = 0;
      lowWater.pendingSubmissions = 0;
    },
  };
}

/** Rows that the server refused for good, oldest first. */
export interface SetAside {
  readonly scans: readonly PendingScan[];
  readonly operations: readonly PendingOperation[];
}

export async function readSetAside(database: StocktakeDatabase): Promise<SetAside> {
  const [scans, operations] = await Promise.all([
    database.getAll("pendingScans"),
    database.getAll("pendingSubmissions"),
  ]);
  return {
    scans: scans.map(withId).filter((row) => row.refusal !== null),
    operations: operations.map(withId).filter((row) => row.refusal !== null),
  };
}

/** Scans that this device showed as counted and that wait for an administrator instead, newest first. */
export async function readNotCounted(database: StocktakeDatabase): Promise<PendingScan[]> {
  const scans = await database.getAll("pendingScans");
  return scans
    .map(withId)
    .filter(({ acknowledgement, localOutcome, undone }) => {
      const isOpen = acknowledgement?.status === "late" || acknowledgement?.status === "unresolved";
      return isOpen && localOutcome === "counted" && !undone;
    })
    .reverse();
}

/** This device's own rows of one pass of an area, in order: what a screen is rebuilt from after a reload. */
export async function readPass(
  database: StocktakeDatabase,
  sessionId: string,
  areaId: string,
  pass: number,
): Promise<SetAside> {
  const [scans, operations] = await Promise.all([
    database.getAll("pendingScans"),
    database.getAll("pendingSubmissions"),
  ]);
  const belongs = (row: { sessionId: string; areaId: string; pass: number }) =>
    row.sessionId === sessionId && row.areaId === areaId && row.pass === pass;
  return {
    scans: scans.map(withId).filter(belongs),
    operations: operations.map(withId).filter(belongs),
  };
}

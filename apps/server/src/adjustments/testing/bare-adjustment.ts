import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Database } from "../../database/pool.ts";
import type { AdjustmentRowsTable } from "../../database/tables.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import type { Direction } from "../queries.ts";

/** A row of an adjustment as a test gives it; confirmed unless it says otherwise. */
export type BareRow = Partial<
  Pick<AdjustmentRowsTable, "sku" | "unmovable" | "note" | "activation" | "direction"> & {
    state: "waiting" | "sent" | "confirmed" | "unclear" | "not_moved";
    byReading: boolean;
    doubtful: boolean;
    settledAt: Date;
  }
>;

const emptied = ["stockLedger", "adjustmentChunks", "adjustmentRows", "operations", "adjustments"] as const;

/** A session that is over, for tests that need its rows alone, without a shop or a server; each begins without adjustments. */
export function bareSessionInFile(): { readonly database: Database; readonly sessionId: string } {
  let db: TestDatabase;
  let sessionId: string;
  beforeAll(async () => {
    db = await createTestDatabase();
    sessionId = await makeBareSession(db.database);
  });
  afterAll(() => db.drop());
  beforeEach(async () => {
    for (const table of emptied) await db.database.deleteFrom(table).execute();
  });
  return {
    get database() {
      return db.database;
    },
    get sessionId() {
      return sessionId;
    },
  };
}

/** Such a session. Returns its id. */
export async function makeBareSession(database: Database): Promise<string> {
  const { id: storeId } = await database
    .insertInto("stores")
    .values({ name: "High Street", shopifyLocationId: randomUUID() })
    .returning("id")
    .executeTakeFirstOrThrow();
  const at = new Date("2026-03-01T07:00:00Z");
  const { id } = await database
    .insertInto("sessions")
    .values({
      ...{ storeId, status: "closed", scope: "full", shopDomain: "shop", currency: "USD", items: 0 },
      ...{ shopifyLocationId: "gid://1", startSnapshotAt: at, endSnapshotAt: at, endedAt: at },
      ...{ startedBy: null, endedBy: null },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** An adjustment with rows in a direction; it failed, has the note "before" and 77 rows that moved, until a test ends it. */
export async function addBareAdjustment(
  database: Database,
  sessionId: string,
  direction: Direction,
  rows: readonly BareRow[],
): Promise<string> {
  const { id } = await database
    .insertInto("adjustments")
    .values({
      ...{ sessionId, status: "failed", basis: "end", zeroUncounted: false, totalAdjustments: 77 },
      ...{ note: "before", appliedBy: null, rollbackRequestedBy: null },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await addBareRows(database, id, direction, rows);
  return id;
}

export async function addBareRows(
  database: Database,
  adjustmentId: string,
  direction: Direction,
  rows: readonly BareRow[],
): Promise<void> {
  for (const row of rows) {
    await database
      .insertInto("adjustmentRows")
      .values({
        ...{ adjustmentId, sku: randomUUID(), inventoryItemId: "gid://1", direction, chunk: 1, delta: 1 },
        ...{ unmovable: null, note: null, activation: null, keptOnHand: null, activationKey: null },
        ...{ settledBy: null, state: "confirmed" },
        ...row,
      })
      .execute();
  }
}

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AdjustmentRowsTable } from "../../database/tables.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import { conclude } from "./conclude.ts";

type Direction = AdjustmentRowsTable["direction"];
type Row = Partial<
  Pick<AdjustmentRowsTable, "unmovable" | "note" | "activation"> & {
    state: "confirmed" | "unclear" | "not_moved";
    byReading: boolean;
    settledAt: Date;
  }
>;

let db: TestDatabase;
let sessionId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  const { database } = db;
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
  sessionId = id;
});
afterAll(() => db.drop());
beforeEach(async () => {
  await db.database.deleteFrom("adjustmentRows").execute();
  await db.database.deleteFrom("adjustments").execute();
});

async function addAdjustment(direction: Direction, rows: readonly Row[]): Promise<string> {
  const { id } = await db.database
    .insertInto("adjustments")
    .values({
      ...{ sessionId, status: "failed", basis: "end", zeroUncounted: false, totalAdjustments: 77 },
      ...{ note: "before", appliedBy: null, rollbackRequestedBy: null },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const [index, row] of rows.entries()) {
    await db.database
      .insertInto("adjustmentRows")
      .values({
        ...{
          adjustmentId: id,
          sku: `SKU-${index}`,
          inventoryItemId: "gid://1",
          direction,
          chunk: 1,
          delta: 1,
        },
        ...{ unmovable: null, note: null, activation: null, keptOnHand: null, activationKey: null },
        ...{ settledBy: null, state: "confirmed" },
        ...row,
      })
      .execute();
  }
  return id;
}

function storedOf(id: string) {
  return db.database
    .selectFrom("adjustments")
    .select(["status", "note", "totalAdjustments", "rolledBackAt"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** What comes of rows, beside another adjustment and another direction that went otherwise. */
async function concluded(direction: Direction, rows: readonly Row[]) {
  const strange: Row[] = [
    { state: "unclear", byReading: true, activation: "done" },
    { state: "not_moved", note: "A strange note" },
    { state: "not_moved", note: "A strange note", unmovable: "DELETED" },
  ];
  const strangeId = await addAdjustment(direction, strange);
  const id = await addAdjustment(direction, rows);
  const other = direction === "deploy" ? "rollback" : "deploy";
  for (const [index, row] of strange.entries()) {
    await db.database
      .insertInto("adjustmentRows")
      .values({
        ...{ adjustmentId: id, sku: `OTHER-${index}`, inventoryItemId: "gid://1", chunk: 1, delta: 1 },
        ...{ unmovable: null, note: null, activation: null, keptOnHand: null, activationKey: null },
        ...{ settledBy: null, state: "confirmed", direction: other },
        ...row,
      })
      .execute();
  }
  const said = await db.database.transaction().execute((transaction) => conclude(transaction, id, direction));
  const { rolledBackAt, ...stored } = await storedOf(id);
  const untouched = { status: "failed", note: "before", totalAdjustments: 77, rolledBackAt: null };
  expect(await storedOf(strangeId)).toEqual(untouched);
  return { ...said, ...stored, isRolledBack: rolledBackAt !== null };
}

const yes: Row = { state: "confirmed" };
const read: Row = { state: "confirmed", byReading: true };
const unclear: Row = { state: "unclear", byReading: true };
const no: Row = { state: "not_moved", note: "because" };
const gone: Row = { state: "not_moved", note: "gone", unmovable: "DELETED" };
const left: Row = { state: "not_moved", note: "left", settledAt: new Date() };

const lookUp = (skus: string) => `${skus} must be looked up in Shopify and settled here.`;
const byReading = (skus: string) => `${skus} confirmed by reading Shopify's stock, as its answer was lost.`;

describe("a deploy", () => {
  test.each<[string, readonly Row[], string, string | null, number, boolean, string | null]>([
    ["applied as a whole", [yes, yes], "applied", null, 2, false, null],
    ["of nothing", [], "failed", null, 77, false, null],
    ["none of it", [no, gone], "failed", "2 SKUs could not be moved.", 77, true, "because"],
    ["none of it by what it is", [gone], "failed", "1 SKU could not be moved.", 77, true, "gone"],
    ["some of it", [yes, no], "partial", "1 SKU could not be moved.", 1, false, "because"],
    ["all that can be", [yes, gone, left], "applied", "2 SKUs could not be moved.", 1, false, "gone"],
    ["unclear", [unclear], "partial", lookUp("1 SKU"), 1, false, null],
    ["unclear in part", [yes, unclear], "partial", lookUp("1 SKU"), 2, false, null],
    [
      "unclear and not moved, as many of each",
      [yes, unclear, no],
      "partial",
      `${lookUp("1 SKU")} 1 SKU could not be moved.`,
      2,
      false,
      "because",
    ],
    ["confirmed by reading", [yes, read, read], "applied", byReading("2 SKUs were"), 3, false, null],
    [
      "stocked for it",
      [{ ...yes, activation: "done" }, { ...yes, activation: "refused" }, read],
      "applied",
      `${byReading("1 SKU was")} 1 SKU was stocked at this location and stays active there, even after a rollback.`,
      3,
      false,
      null,
    ],
    [
      "stocked, and not moved after all",
      [
        { ...no, activation: "done" },
        { ...yes, activation: "done" },
      ],
      "partial",
      "1 SKU could not be moved. 2 SKUs were stocked at this location and stay active there, even after a rollback.",
      1,
      false,
      "because",
    ],
  ])("%s", async (_name, rows, status, note, totalAdjustments, failed, firstNote) => {
    expect(await concluded("deploy", rows)).toEqual({
      ...{ status, note, totalAdjustments, failed, firstNote, isRolledBack: false },
    });
  });
});

describe("a rollback", () => {
  const rest = ". Resume the rollback, or settle what is left.";

  test.each<[string, readonly Row[], boolean, string | null, boolean, string | null]>([
    ["as a whole", [yes, yes], true, null, false, null],
    ["of which some is left by a person", [yes, left], true, "1 SKU could not be moved back.", false, "left"],
    ["of which some is left open", [yes, gone], false, `1 SKU could not be moved back${rest}`, false, "gone"],
    ["of which some is unclear", [yes, unclear], false, lookUp("1 SKU"), false, null],
    [
      "of which some is unclear and as much left open",
      [unclear, no],
      false,
      `${lookUp("1 SKU")} 1 SKU could not be moved back${rest}`,
      false,
      "because",
    ],
    ["of which nothing went", [no], false, `1 SKU could not be moved back${rest}`, true, "because"],
    [
      "of which nothing can go, by what it is",
      [gone],
      false,
      `1 SKU could not be moved back${rest}`,
      false,
      "gone",
    ],
    ["of nothing", [], true, null, false, null],
  ])("%s", async (_name, rows, isWhole, note, failed, firstNote) => {
    expect(await concluded("rollback", rows)).toEqual({
      ...{ status: isWhole ? "applied" : "partial", isRolledBack: isWhole },
      ...{ note, totalAdjustments: 77, failed, firstNote },
    });
  });
});

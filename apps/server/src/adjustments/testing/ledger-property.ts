import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findActiveAdjustment } from "../queries.ts";
import { LedgerHistory } from "./ledger-history.ts";
import { appliedAfterADay, history, secondDeployLost, skus } from "./ledger-steps.ts";
import { deltaOf, openStockRoom, type StockRoom } from "./stock-room.ts";

/** Every adjustment of the session that has not failed, with its rows. */
async function readAdjustments({ database, sessionId }: LedgerHistory) {
  const adjustments = await database
    .selectFrom("adjustments")
    .selectAll()
    .where("sessionId", "=", sessionId)
    .where("status", "<>", "failed")
    .execute();
  const rows = await database
    .selectFrom("adjustmentRows")
    .selectAll()
    .where(
      "adjustmentId",
      "in",
      adjustments.map(({ id }) => id).concat("00000000-0000-0000-0000-000000000000"),
    )
    .execute();
  return adjustments.map((adjustment) => ({
    ...adjustment,
    rows: rows.filter(({ adjustmentId }) => adjustmentId === adjustment.id),
  }));
}

type ReadAdjustment = Awaited<ReturnType<typeof readAdjustments>>[number];

/** What a person decided to leave in Shopify, by SKU. */
function leftInShop(adjustments: readonly ReadAdjustment[]): Set<string> {
  return new Set(
    adjustments.flatMap(({ rows }) =>
      rows
        .filter(
          ({ direction, state, settledAt }) =>
            direction === "rollback" && state === "not_moved" && settledAt !== null,
        )
        .map(({ sku }) => sku),
    ),
  );
}

/** The variance, or nothing: where nothing is deployed, something is left only of what a person decided to leave. */
async function expectVarianceOrNothing(lived: LedgerHistory, adjustments: readonly ReadAdjustment[]) {
  const ledger = await lived.ledger();
  const active = await findActiveAdjustment(lived.database, lived.sessionId);
  const left = leftInShop(adjustments);
  const rows = adjustments.find(({ id }) => id === active?.id)?.rows ?? [];
  skus.forEach((sku, index) => {
    const moved = ledger.get(sku);
    expect([0, active !== undefined || left.has(sku) ? deltaOf(index) : 0]).toContain(moved);
    const of = rows.filter((row) => row.sku === sku);
    const deployed = of.some(({ direction, state }) => direction === "deploy" && state === "confirmed");
    const back = of.some(({ direction, state }) => direction === "rollback" && state === "confirmed");
    if (deployed) expect(moved).toBe(back ? 0 : deltaOf(index));
  });
}

/** A deploy is applied and a rollback whole only when nothing is left that anybody could still move or decide. */
function expectWholeOnlyWhenSettled({ rows, ...adjustment }: ReadAdjustment): void {
  const { status, rollbackRequestedAt, rolledBackAt } = adjustment;
  const direction = rollbackRequestedAt === null ? "deploy" : "rollback";
  const asked = rows.filter((row) => row.direction === direction);
  const open = asked.filter(
    ({ state, settledAt, unmovable }) =>
      state === "unclear" ||
      (state === "not_moved" && settledAt === null && (direction === "rollback" || unmovable === null)),
  );
  expect(asked.filter(({ state }) => state === "waiting" || state === "sent")).toEqual([]);
  expect(status).toBe(open.length === 0 ? "applied" : "partial");
  if (direction === "deploy") return;
  expect(rolledBackAt !== null).toBe(open.length === 0);
  const deployed = rows.filter((row) => row.direction === "deploy" && row.state === "confirmed");
  const known = new Set(asked.map(({ sku }) => sku));
  expect(deployed.filter(({ sku }) => !known.has(sku))).toEqual([]);
}

async function expectBooksToBalance(lived: LedgerHistory): Promise<void> {
  expect(await lived.ledger()).toEqual(await lived.movedInShop());
  const adjustments = await readAdjustments(lived);
  await expectVarianceOrNothing(lived, adjustments);
  for (const adjustment of adjustments) expectWholeOnlyWhenSettled(adjustment);
}

/** A restore copies the whole database, so that no room lives through more histories than this. */
const historiesPerRoom = 250;

/**
 * The books balance through so many random histories of sales, deploys, rollbacks and resumed ones under faults, of items
 * that are deactivated, untracked and deleted, and of restored backups.
 */
export function proveLedger(histories: number): void {
  for (let from = 0; from < histories; from += historiesPerRoom) {
    const to = Math.min(histories, from + historiesPerRoom);
    describe(`histories ${from + 1} to ${to}`, () => proveInOneRoom(to - from));
  }
}

function proveInOneRoom(histories: number): void {
  let room: StockRoom;

  beforeAll(async () => {
    room = await openStockRoom(skus.length);
  });
  afterAll(() => room.close());

  test("whatever goes wrong, the ledger is what the shop's stock was moved by: the variance, or nothing", async () => {
    const property = fc.asyncProperty(history, async ({ unstocked, steps }) => {
      const lived = await LedgerHistory.begin(room, unstocked);
      try {
        for (const step of steps) {
          await lived.live(step);
          await expectBooksToBalance(lived);
        }
      } finally {
        await lived.end();
      }
    });
    await fc.assert(property, { numRuns: histories, examples: [[secondDeployLost], [appliedAfterADay]] });
  }, 900_000);
}

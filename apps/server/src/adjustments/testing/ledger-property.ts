import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settleUnclearRow } from "../moving/settle-rows.ts";
import { type Direction, findActiveAdjustment } from "../queries.ts";
import { disturbedBy, faultCases, provoke } from "./fault-cases.ts";
import { everySetting } from "./fault-suite.ts";
import { moveOnce, rowsOf } from "./moving.ts";
import {
  adjustedSince,
  countSession,
  deltaOf,
  openStockRoom,
  type StockRoom,
  shelf,
  skuOf,
} from "./stock-room.ts";

const skus = [0, 1, 2].map(skuOf);
const anywhere = faultCases.filter(({ only }) => only === undefined);

type Step =
  | { readonly kind: "sale"; readonly sku: string; readonly quantity: number }
  | { readonly kind: Direction; readonly fault: number; readonly setting: number };

const sale: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant("sale" as const),
  sku: fc.constantFrom(...skus),
  quantity: fc.integer({ min: 1, max: 3 }),
});

const move: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("deploy" as const, "rollback" as const),
  fault: fc.nat(anywhere.length - 1),
  setting: fc.nat(everySetting.length - 1),
});

function sumsBySku(deltasOf: (sku: string) => readonly number[]): Map<string, number> {
  return new Map(skus.map((sku) => [sku, deltasOf(sku).reduce((sum, delta) => sum + delta, 0)]));
}

/** What adjustments have moved in the shop, by SKU: the truth that a person finds there. */
async function movedInShop(room: StockRoom): Promise<Map<string, number>> {
  const adjusted = await adjustedSince(room, 0);
  return sumsBySku((sku) => adjusted.get(sku) ?? []);
}

async function ledgerOf(room: StockRoom, sessionId: string): Promise<Map<string, number>> {
  const rows = await room.database.database
    .selectFrom("stockLedger")
    .select(["sku", "delta"])
    .where("sessionId", "=", sessionId)
    .execute();
  return sumsBySku((sku) => rows.filter((row) => row.sku === sku).map(({ delta }) => delta));
}

/** Deploys or rolls back where that makes sense, under a fault; then a person settles by the truth what is unclear. */
async function moveUnderFault(
  room: StockRoom,
  sessionId: string,
  { kind, fault: index, setting }: Extract<Step, { fault: number }>,
): Promise<void> {
  const { database } = room.database;
  const deployed = (await findActiveAdjustment(database, sessionId)) !== undefined;
  if (deployed !== (kind === "rollback")) return;
  const fault = anywhere[index] ?? { name: "nothing" };
  // A fault's settings last for its own step: with neither guard left, a request applied late can't be told from another.
  await room.shop.changeSettings({
    idempotencyIgnored: false,
    compareIgnored: false,
    ...everySetting[setting],
  });
  await provoke(room, fault);
  await moveOnce(room, sessionId, kind, disturbedBy(fault, room));
  await room.shop.clearFaults();
  await room.shop.releaseHanging();
  const active = await findActiveAdjustment(database, sessionId);
  if (active?.status === "partial") await settleAll(room, sessionId, active.id);
}

async function settleAll(room: StockRoom, sessionId: string, adjustmentId: string): Promise<void> {
  const [moved, ledger] = [await movedInShop(room), await ledgerOf(room, sessionId)];
  for (const direction of ["deploy", "rollback"] as const) {
    for (const [sku, { state }] of await rowsOf(room, sessionId, direction)) {
      if (state !== "unclear") continue;
      const applied = moved.get(sku) !== ledger.get(sku);
      await settleUnclearRow(room.server.context, room.admin, adjustmentId, { sku, applied });
    }
  }
}

/** Stock is what it was, and what was deployed, less what was rolled back, and what was sold or came in. */
async function expectBooksToBalance(room: StockRoom, sessionId: string): Promise<void> {
  const [moved, ledger] = [await movedInShop(room), await ledgerOf(room, sessionId)];
  expect(ledger).toEqual(moved);
  const active = await findActiveAdjustment(room.database.database, sessionId);
  const rows = await rowsOf(room, sessionId, "deploy");
  skus.forEach((sku, index) => {
    const variance = active === undefined ? 0 : deltaOf(index);
    expect([0, variance]).toContain(ledger.get(sku));
    const row = rows.get(sku);
    if (active !== undefined && row?.state === "confirmed") {
      expect(ledger.get(sku)).toBe(variance);
    }
  });
}

/** The books balance through so many random histories of sales, deploys and rollbacks under faults. */
export function proveLedger(histories: number): void {
  let room: StockRoom;

  beforeAll(async () => {
    room = await openStockRoom(skus.length);
  });
  afterAll(() => room.close());

  async function live(sessionId: string, step: Step): Promise<void> {
    await room.clock.sleep(60_000);
    if (step.kind !== "sale") return moveUnderFault(room, sessionId, step);
    await room.shop.sell({ item: step.sku, location: shelf, quantity: step.quantity });
  }

  test("whatever goes wrong, the ledger is what the shop's stock was moved by: the variance, or nothing", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.oneof(sale, move, move), { maxLength: 7 }),
      async (steps) => {
        await room.shop.reset();
        const sessionId = await countSession(room);
        for (const step of steps) {
          await live(sessionId, step);
          await expectBooksToBalance(room, sessionId);
        }
      },
    );
    await fc.assert(property, { numRuns: histories });
  }, 900_000);
}

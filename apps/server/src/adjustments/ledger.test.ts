import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settleUnclearRow } from "./settle-row.ts";
import { findStanding } from "./standing.ts";
import type { Direction } from "./stock-move.ts";
import { aroundSends, faultCases } from "./testing/fault-cases.ts";
import { everySetting } from "./testing/fault-suite.ts";
import { moveOnce, rowsOf } from "./testing/moving.ts";
import {
  adjustedSince,
  countSession,
  deltaOf,
  openStockRoom,
  type StockRoom,
  shelf,
  skuOf,
} from "./testing/stock-room.ts";

const skus = [0, 1, 2].map(skuOf);
let room: StockRoom;

beforeAll(async () => {
  room = await openStockRoom(skus.length);
});
afterAll(() => room.close());

type Step =
  | { readonly kind: "sale"; readonly sku: string; readonly quantity: number }
  | { readonly kind: Direction; readonly fault: number; readonly setting: number };

const sale = fc.record({
  kind: fc.constant("sale" as const),
  sku: fc.constantFrom(...skus),
  quantity: fc.integer({ min: 1, max: 3 }),
});
const move = fc.record({
  kind: fc.constantFrom("deploy" as const, "rollback" as const),
  fault: fc.nat(faultCases.length - 1),
  setting: fc.nat(everySetting.length - 1),
});

/** What the session's adjustments have moved in the shop, by SKU: the truth that a person finds there. */
async function movedInShop(): Promise<Map<string, number>> {
  const adjusted = await adjustedSince(room, 0);
  return new Map(skus.map((sku) => [sku, (adjusted.get(sku) ?? []).reduce((sum, delta) => sum + delta, 0)]));
}

async function ledgerOf(sessionId: string): Promise<Map<string, number>> {
  const rows = await room.database.database
    .selectFrom("stock_ledger")
    .select(["sku", "delta"])
    .where("session_id", "=", sessionId)
    .execute();
  const sum = (sku: string) =>
    rows.filter((row) => row.sku === sku).reduce((total, { delta }) => total + delta, 0);
  return new Map(skus.map((sku) => [sku, sum(sku)]));
}

function standing(sessionId: string) {
  return findStanding(room.database.database, sessionId);
}

/** Deploys or rolls back where that makes sense, under a fault; then a person settles by the truth what is unclear. */
async function take(sessionId: string, step: Extract<Step, { fault: number }>): Promise<void> {
  const deployed = (await standing(sessionId)) !== undefined;
  if (deployed !== (step.kind === "rollback")) return;
  const fault = faultCases[step.fault] ?? { name: "nothing" };
  await room.shop.changeSettings({
    idempotencyIgnored: false,
    ...everySetting[step.setting],
    ...fault.settings,
  });
  await room.shop.addFaults({ faults: [...(fault.faults ?? [])] });
  await moveOnce(room, sessionId, step.kind, { between: aroundSends(room, fault) });
  await room.shop.clearFaults();
  await room.shop.releaseHanging();
  const adjustment = await standing(sessionId);
  if (adjustment?.status === "partial") await settleAll(sessionId, adjustment.id);
}

async function settleAll(sessionId: string, adjustmentId: string): Promise<void> {
  const [moved, ledger] = [await movedInShop(), await ledgerOf(sessionId)];
  for (const direction of ["deploy", "rollback"] as const) {
    for (const [sku, { state }] of await rowsOf(room, sessionId, direction)) {
      if (state !== "unclear") continue;
      const applied = moved.get(sku) !== ledger.get(sku);
      await settleUnclearRow(room.server.context, room.admin, adjustmentId, { sku, applied });
    }
  }
}

/** Stock is what it was, and what was deployed, less what was rolled back, and what was sold or came in. */
async function expectBooksToBalance(sessionId: string): Promise<void> {
  const [moved, ledger] = [await movedInShop(), await ledgerOf(sessionId)];
  expect(ledger).toEqual(moved);
  const adjustment = await standing(sessionId);
  const rows = await rowsOf(room, sessionId, "deploy");
  skus.forEach((sku, index) => {
    const open = adjustment === undefined ? 0 : deltaOf(index);
    expect([0, open]).toContain(ledger.get(sku));
    if (adjustment !== undefined && rows.get(sku)?.state === "confirmed" && !rows.get(sku)?.rolledBack) {
      expect(ledger.get(sku)).toBe(open);
    }
  });
}

test("whatever goes wrong, the ledger is what the shop's stock was moved by: the variance, or nothing", async () => {
  const property = fc.asyncProperty(fc.array(fc.oneof(sale, move, move), { maxLength: 7 }), async (steps) => {
    await room.shop.reset();
    const sessionId = await countSession(room);
    for (const step of steps) {
      await room.clock.sleep(60_000);
      if (step.kind === "sale")
        await room.shop.sell({ item: step.sku, location: shelf, quantity: step.quantity });
      else await take(sessionId, step);
      await expectBooksToBalance(sessionId);
    }
  });
  await fc.assert(property, { numRuns: 400 });
}, 900_000);

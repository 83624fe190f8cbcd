import { describe, expect, test } from "vitest";
import { readLiveLevels } from "./levels.ts";
import { data, type Reply, topLevel } from "./testing/scripted-shop.ts";
import { transportInEachTest } from "./testing/scripted-transport.ts";

const location = "gid://shopify/Location/1";
const idOf = (number: number) => `gid://shopify/InventoryItem/${number}`;
const ids = (count: number) => Array.from({ length: count }, (_, index) => idOf(index + 1));

const level = (available: number, isActive = true) => ({
  isActive,
  updatedAt: "2026-11-02T08:00:05Z",
  quantities: [
    { name: "on_hand", quantity: available + 2 },
    { name: "available", quantity: available, updatedAt: "2026-11-02T07:00:00Z" },
    { name: "committed", quantity: 2 },
  ],
});

/** Answers every id it was asked for. */
const answerIds: Reply = (response, request) => {
  const asked: string[] = JSON.parse(request.body).variables.ids;
  data({ nodes: asked.map((id) => ({ id, tracked: true, inventoryLevel: level(5) })) })(response, request);
};

const scripted = transportInEachTest();

const asked = () => scripted.shop.received.map(({ body }) => JSON.parse(body).variables.ids.length);

describe("live levels", () => {
  test("tell stocked, not stocked, inactive, untracked and deleted items apart", async () => {
    const nodes = [
      { id: idOf(1), tracked: true, inventoryLevel: level(5) },
      { id: idOf(2), tracked: true, inventoryLevel: null },
      { id: idOf(3), tracked: false, inventoryLevel: level(9, false) },
      null,
      {},
    ];
    scripted.shop.will(data({ nodes }));
    const none = {
      stocked: false,
      onHand: 0,
      available: 0,
      committed: 0,
      availableUpdatedAt: null,
      levelUpdatedAt: null,
    };
    expect(Object.fromEntries(await readLiveLevels(scripted.transport, location, ids(5)))).toEqual({
      [idOf(1)]: {
        tracked: true,
        stocked: true,
        onHand: 7,
        available: 5,
        committed: 2,
        availableUpdatedAt: "2026-11-02T07:00:00Z",
        levelUpdatedAt: "2026-11-02T08:00:05Z",
      },
      [idOf(2)]: { tracked: true, ...none },
      // It keeps what it had.
      [idOf(3)]: {
        tracked: false,
        stocked: false,
        onHand: 11,
        available: 9,
        committed: 2,
        availableUpdatedAt: "2026-11-02T07:00:00Z",
        levelUpdatedAt: "2026-11-02T08:00:05Z",
      },
      [idOf(4)]: null,
      [idOf(5)]: null,
    });
  });

  test("are asked for 250 at a time, each id once", async () => {
    scripted.shop.will(answerIds, answerIds, answerIds);
    const levels = await readLiveLevels(scripted.transport, location, [...ids(600), ...ids(10)]);
    expect(asked()).toEqual([250, 250, 100]);
    expect([...levels.values()].every((found) => found?.available === 5)).toBe(true);
    expect(levels.size).toBe(600);
  });

  test("are asked for in smaller parts when the platform finds 250 too costly", async () => {
    scripted.shop.will(topLevel("MAX_COST_EXCEEDED"), answerIds, answerIds, answerIds);
    expect((await readLiveLevels(scripted.transport, location, ids(300))).size).toBe(300);
    expect(asked()).toEqual([250, 125, 125, 50]);
  });

  test("of no items ask nothing", async () => {
    expect((await readLiveLevels(scripted.transport, location, [])).size).toBe(0);
    expect(scripted.shop.received).toHaveLength(0);
  });

  test.each([
    ["a malformed item", { nodes: [{ id: idOf(1), tracked: "yes" }] }],
    ["fewer answers than ids", { nodes: [] }],
    [
      "a level without a quantity",
      { nodes: [{ id: idOf(1), tracked: true, inventoryLevel: { ...level(1), quantities: [] } }] },
    ],
  ])("never take %s for a deleted or an empty one", async (_name, answer) => {
    scripted.shop.will(data(answer));
    await expect(readLiveLevels(scripted.transport, location, ids(1))).rejects.toMatchObject({
      kind: "unexpected-answer",
    });
  });
});

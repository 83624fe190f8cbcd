import { describe, expect, test } from "vitest";
import { defaultBulkTimeouts } from "./bulk.ts";
import { readChangedLevels } from "./changed-levels.ts";
import { collect } from "./testing/collect.ts";
import { data, type Reply } from "./testing/scripted-shop.ts";
import { transportInEachTest } from "./testing/scripted-transport.ts";
import { createTestClock } from "./testing/test-clock.ts";

const location = "gid://shopify/Location/1";
const scripted = transportInEachTest();

describe("changed levels", () => {
  const idOf = (number: number) => `gid://shopify/InventoryItem/${number}`;
  const changed = (number: number, available: number) => ({
    isActive: true,
    updatedAt: "2026-11-02T08:00:05Z",
    quantities: [
      { name: "on_hand", quantity: available + 2 },
      { name: "available", quantity: available, updatedAt: "2026-11-02T07:00:00Z" },
      { name: "committed", quantity: 2 },
    ],
    item: { id: idOf(number), tracked: true },
  });
  const read = (since: Date) => {
    const { transport } = scripted;
    const source = { transport, clock: createTestClock(), timeouts: defaultBulkTimeouts, bulkAbove: 1_000 };
    return collect(readChangedLevels(source, location, since));
  };
  const page = (nodes: unknown[], endCursor: string | null): Reply =>
    data({
      location: { inventoryLevels: { nodes, pageInfo: { hasNextPage: endCursor !== null, endCursor } } },
    });

  test("come page by page, searched from a second before the moment", async () => {
    scripted.shop.will(page([changed(1, 4)], "cursor-1"), page([changed(2, 6)], null));
    const since = new Date("2026-11-02T08:00:00.500Z");
    const batches = await read(since);
    expect(batches.flat().map((found) => [found.inventoryItemId, found.available])).toEqual([
      [idOf(1), 4],
      [idOf(2), 6],
    ]);
    expect(JSON.parse(scripted.shop.received[0]?.body ?? "").variables.search).toBe(
      "updated_at:>'2026-11-02T07:59:59.500Z'",
    );
  });

  test("of a location that is gone are an error", async () => {
    scripted.shop.will(data({ location: null }));
    await expect(read(new Date(0))).rejects.toMatchObject({
      kind: "rejected",
    });
  });
});

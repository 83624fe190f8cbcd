import type { Emulator } from "@stocktake/shopify-emulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onNewDatabase, startShop } from "./testing/starting-nodes.ts";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startShop();
});
afterAll(() => emulator.close());

test.each(Array.from({ length: 10 }, (_nothing, round) => round + 1))(
  "five nodes start at the same moment on one new database, round %i",
  async () => {
    await onNewDatabase(emulator, 5, async ({ running, failures }) => {
      expect(failures).toEqual([]);
      expect(running).toHaveLength(5);
    });
  },
);

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  codes,
  countInEachTest,
  countingSlices,
  countsOf,
  expectTotalsToMatchScans,
} from "../../scanning/testing/scene.ts";
import { draws } from "../../testing/draws.ts";
import { paperRoutes } from "../routes.ts";
import { sheetsOf } from "./testing.ts";

const scene = countInEachTest([...countingSlices, paperRoutes]);
const { bringBack, declareVoid, print } = sheetsOf(scene);

const products = [codes.jacketS, codes.jacketM, codes.jacketL];

/** What one person keys from a sheet; others may key something else from the same one. */
const keying = fc.record({
  sheet: fc.integer({ min: 0, max: 3 }),
  entries: fc.array(
    fc.record({ product: fc.constantFrom(...products), quantity: fc.integer({ min: 1, max: 9 }) }),
    { minLength: 1, maxLength: 5 },
  ),
});

test("S39: whoever keys what at the same time, each sheet counts once, as what was kept of it, or not at all where it is void", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(keying, { minLength: 1, maxLength: 8 }), async (keyings) => {
      const before = new Map(Object.entries(await countsOf(scene)));
      const sheets = (await Promise.all([0, 1, 2, 3].map(() => print()))).flat();
      const numberOf = (index: number) => sheets[index]?.number ?? 0;
      // The last one may be lost, while somebody keys it.
      const attempts = keyings.map(async ({ sheet, entries }) => {
        const others = entries.map(({ product, quantity }) => ({ code: product.input, quantity }));
        const kept = await bringBack(numberOf(sheet), { others }).catch(() => null);
        return { sheet, entries, isKept: kept !== null && !kept.isRepeat };
      });
      const lost = declareVoid(numberOf(3));
      const made = await Promise.all(attempts);
      const isLost = (await lost).status === 200;
      const kept = made.filter(({ isKept }) => isKept);
      expect(new Set(kept.map(({ sheet }) => sheet)).size).toBe(kept.length);
      expect(kept.some(({ sheet }) => sheet === 3)).toBe(made.some(({ sheet }) => sheet === 3) && !isLost);
      for (const { entries } of kept) {
        for (const { product, quantity } of entries)
          before.set(product.sku, (before.get(product.sku) ?? 0) + quantity);
      }
      expect(new Map(Object.entries(await countsOf(scene)))).toEqual(before);
      await expectTotalsToMatchScans(scene.server.database.database);
    }),
    draws(20),
  );
});

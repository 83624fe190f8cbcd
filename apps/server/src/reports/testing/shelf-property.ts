import type { Catalogue } from "@stocktake/shopify-emulator";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeStore, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { type Outcome, ShelfHistory, shop } from "./shelf-history.ts";
import { devices, history, skus } from "./shelf-steps.ts";

const catalogue: Catalogue = {
  fingerprint: "shelf",
  shop: { name: "Fjord", myshopifyDomain: "fjord-tests.myshopify.com", currencyCode: "USD" },
  locations: [{ name: shop }],
  products: [{ title: "Winter", variants: skus.map((sku) => ({ title: sku, sku, stock: [{}] })) }],
};

/** Whether the report, or the deploy's answer, says that the figure is not to be relied on, and why. */
function isNamed({ row, skipped }: Outcome, basis: "end" | "count"): boolean {
  if (skipped !== null || row === null || row.uncertain !== null) return true;
  // Compared with the end, what was sold after the count moves the variance; the row shows what it was when counted.
  const { low, high } = row.varianceAtCount;
  return basis === "end" && (low !== row.variance || high !== row.variance);
}

/** The shop has what is on the shelf; what nobody counted it leaves as it was. */
function isRight({ counted, shelf, inShop, tooMuch }: Outcome): boolean {
  return inShop === (counted ? shelf : shelf + tooMuch);
}

/** In so many random histories the shop has after a deploy what is on the shelf, or the row says that it is not sure. */
export function proveShelf(histories: number): void {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({
      catalogue,
      emulatorSettings: { maximumAvailable: 1_000_000, restoreRate: 1_000_000 },
    });
    store = await makeStore(server, { shopifyLocation: shop, areaCodes: devices });
  });
  afterAll(() => server.close());

  test("what is deployed is what is on the shelf, or is named as uncertain", async () => {
    let counted = 0;
    let certain = 0;
    const property = fc.asyncProperty(history, async (drawn) => {
      const lived = await ShelfHistory.begin(server, store, drawn);
      const outcomes = await lived.live().finally(() => lived.leave());
      const silent = outcomes.filter(
        (outcome) => !isRight(outcome) && !(outcome.counted && isNamed(outcome, drawn.basis)),
      );
      expect(silent).toEqual([]);
      const ofUnmoved = outcomes.filter((outcome) => outcome.counted && !outcome.moved);
      // Marks are no excuse: of what never moved every figure is certain.
      expect(ofUnmoved.filter((outcome) => !isRight(outcome) || isNamed(outcome, drawn.basis))).toEqual([]);
      const ofCounted = outcomes.filter((outcome) => outcome.counted);
      counted += ofCounted.length;
      certain += ofCounted.filter((outcome) => !isNamed(outcome, drawn.basis)).length;
    });
    await fc.assert(property, { numRuns: histories });
    expect(certain).toBeGreaterThan(counted / 4);
  }, 3_600_000);
}

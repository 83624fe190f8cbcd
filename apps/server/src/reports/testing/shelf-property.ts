import type { Catalogue } from "@stocktake/shopify-emulator";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeStore, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { type Outcome, ShelfHistory, shop } from "./shelf-history.ts";
import { devices, type History, history, skus } from "./shelf-steps.ts";

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

const historiesPerTest = 250;

/** Of so many the share that is certain is no matter of chance: about half of what was counted. */
const manyHistories = 100;

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

  async function outcomesOf(drawn: History): Promise<Outcome[]> {
    const lived = await ShelfHistory.begin(server, store, drawn);
    const outcomes = await lived.live().finally(() => lived.leave());
    // Nobody sets a clock in these histories, however far the two are apart.
    expect(outcomes.map(({ row }) => row?.uncertain)).not.toContain("CLOCK_WAS_SET");
    return outcomes;
  }

  for (let from = 0; from < histories; from += historiesPerTest) {
    const to = Math.min(histories, from + historiesPerTest);
    const name = `what is deployed is what is on the shelf, or is named as uncertain: histories ${from + 1} to ${to}`;
    test(name, () => proveHistories(to - from, outcomesOf), 3_600_000);
  }
}

async function proveHistories(histories: number, outcomesOf: (drawn: History) => Promise<Outcome[]>) {
  let counted = 0;
  let certain = 0;
  const property = fc.asyncProperty(history, async (drawn) => {
    const outcomes = await outcomesOf(drawn);
    const ofCounted = outcomes.filter((outcome) => outcome.counted);
    const named = ofCounted.filter((outcome) => isNamed(outcome, drawn.basis));
    expect(outcomes.filter((outcome) => !isRight(outcome) && !named.includes(outcome))).toEqual([]);
    // Marks are no excuse: of what never moved every figure is certain.
    expect(named.filter(({ moved }) => !moved)).toEqual([]);
    counted += ofCounted.length;
    certain += ofCounted.length - named.length;
  });
  await fc.assert(property, { numRuns: histories });
  expect(certain).toBeGreaterThan(histories < manyHistories ? 0 : counted / 4);
}

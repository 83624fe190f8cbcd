import { randomUUID } from "node:crypto";
import { indexProducts, matchProduct } from "@stocktake/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import type { SessionProduct } from "./products.ts";
import { indexSessionProducts, readSessionProducts } from "./session-products.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

type Stored = Omit<SessionProduct, "plainSku"> & { readonly plainSku: string | null };

/** Stores the products of a new session; resolves to its id. */
async function store(products: readonly Stored[]): Promise<string> {
  const sessionId = randomUUID();
  const rows = products.map((product, number) => ({
    ...product,
    sessionId,
    inventoryItemId: `gid://shopify/InventoryItem/${number + 1}`,
    variantNumber: String(number + 1),
    ...{ tracked: true, bundle: false, stocked: false, startOnHand: 0 },
  }));
  if (rows.length > 0) await db.database.insertInto("sessionItems").values(rows).execute();
  return sessionId;
}

function read(sessionId: string) {
  return db.database.transaction().execute((transaction) => readSessionProducts(transaction, sessionId));
}

/** The session's products as objects, in the order of its index. */
async function productsOf(sessionId: string): Promise<SessionProduct[]> {
  const rows = await db.database
    .selectFrom("sessionItems")
    .select(["sku", "plainSku", "barcode", "productTitle", "size"])
    .where("sessionId", "=", sessionId)
    .orderBy("sku")
    .execute();
  return rows.map(({ plainSku, ...row }) => ({ ...row, ...(plainSku === null ? {} : { plainSku }) }));
}

// Few different codes, so that barcodes, SKUs and endings are shared; whatever PostgreSQL stores elsewhere.
const code = fc.oneof(
  fc.constantFrom("", " ", "BAG", "036000291452", "0036000291452", "4006381333931", "TEE-1001", "CAP-21001"),
  fc.array(fc.constantFrom("0", "1"), { minLength: 4, maxLength: 5 }).map((all) => all.join("")),
);
const text = fc.string({ unit: "binary" }).map((drawn) => drawn.replaceAll("\0", ""));
const product: fc.Arbitrary<Stored> = fc.record({
  sku: code,
  plainSku: fc.option(code),
  barcode: fc.option(code),
  productTitle: text,
  size: fc.option(text),
});

describe("the index of a session", () => {
  test("gives what look-up tables over the products themselves give", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(product, { selector: ({ sku }) => sku, maxLength: 25 }),
        fc.array(code, { minLength: 5, maxLength: 20 }),
        async (products, inputs) => {
          const sessionId = await store(products);
          const reference = indexProducts(await productsOf(sessionId));
          const index = await indexSessionProducts(await read(sessionId));
          for (const input of inputs) {
            for (const inputType of ["barcode", "sku"] as const) {
              expect(matchProduct(index, input, inputType)).toEqual(
                matchProduct(reference, input, inputType),
              );
            }
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test("finds each of many products by its own codes", async () => {
    const many = Array.from({ length: 2_500 }, (_none, number): Stored => {
      const digits = String(number).padStart(6, "0");
      return {
        sku: `SKU-${digits}`,
        plainSku: null,
        barcode: `2000000${digits}`,
        productTitle: "Tee",
        size: "M",
      };
    });
    const { lines, digest } = await read(await store(many));
    expect(lines.length).toBe(2_500);
    const index = await indexSessionProducts({ lines, digest });
    for (const { plainSku: _none, ...each } of many) {
      expect(matchProduct(index, each.barcode ?? "")).toEqual({ kind: "one", product: each, by: "barcode" });
      expect(matchProduct(index, each.sku, "sku")).toEqual({ kind: "one", product: each, by: "sku" });
    }
  });
});

test("sessions of the same products have one digest, and any difference makes another", async () => {
  const tee: Stored = { sku: "A", plainSku: null, barcode: null, productTitle: "Tee", size: null };
  const digestOf = async (...products: Stored[]) => (await read(await store(products))).digest;
  const digests = [
    await digestOf(),
    await digestOf(tee),
    await digestOf({ ...tee, plainSku: "" }),
    await digestOf({ ...tee, barcode: "" }),
    await digestOf({ ...tee, size: "" }),
    await digestOf({ ...tee, productTitle: "Cap" }),
    await digestOf(tee, { ...tee, sku: "B" }),
  ];
  expect(new Set(digests).size).toBe(digests.length);
  expect(await digestOf(tee)).toBe(digests[1]);
});

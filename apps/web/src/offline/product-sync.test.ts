import type { Product } from "@stocktake/contract";
import { describe, expect, it, vi } from "vitest";
import { NoAnswerError } from "../http/errors.ts";
import { readProductSyncState, readProducts } from "./product-store.ts";
import { productSyncMessage, syncProducts } from "./product-sync.ts";
import { openFreshDatabase } from "./testing/fresh-database.ts";
import { createManualClock } from "./testing/manual-clock.ts";

const clock = createManualClock();

function products(storeId: string, skus: string[]): Product[] {
  return skus.map((sku) => ({
    ...{ sku, barcode: null, productTitle: `Title ${sku}`, size: "M", image: null, storeId },
  }));
}

function answers(...given: { storeId: string; skus: string[]; etag: string }[]) {
  const requests: (string | null)[] = [];
  const queue = [...given];
  vi.stubGlobal("fetch", async (_address: string, request: RequestInit) => {
    const asked = new Headers(request.headers).get("If-None-Match");
    requests.push(asked);
    const next = queue.shift();
    if (next === undefined) throw new TypeError("Failed to fetch");
    if (asked === next.etag) return new Response(null, { status: 304 });
    return Response.json({ products: products(next.storeId, next.skus), etag: next.etag });
  });
  return requests;
}

const held = async (database: Awaited<ReturnType<typeof openFreshDatabase>>, storeId: string) =>
  (await readProducts(database, storeId)).map((product) => product.sku);

describe("product sync", () => {
  it("S23: a 200 replaces the store's rows and metadata, and says how many [spec:3.metadata]", async () => {
    const database = await openFreshDatabase();
    answers(
      { storeId: "s1", skus: ["a", "b"], etag: '"1"' },
      { storeId: "s1", skus: ["b", "c", "d"], etag: '"2"' },
    );
    await syncProducts(database, "s1", clock);
    const result = await syncProducts(database, "s1", clock);
    expect(productSyncMessage(result)).toBe("Successfully synced 3 products for offline use!");
    expect(await held(database, "s1")).toEqual(["b", "c", "d"]);
    expect(await database.get("metadata", "products_etag_s1")).toMatchObject({
      value: '"2"',
      productCount: 3,
    });
    expect(await database.get("metadata", "products_lastsync_s1")).toMatchObject({ productCount: 3 });
  });

  it("S23: If-None-Match goes out with the stored etag, and a 304 is already up to date [spec:7.products.etag]", async () => {
    const database = await openFreshDatabase();
    const one = { storeId: "s1", skus: ["a"], etag: '"1"' };
    const requests = answers(one, one);
    await syncProducts(database, "s1", clock);
    const result = await syncProducts(database, "s1", clock);
    expect(requests).toEqual([null, '"1"']);
    expect(productSyncMessage(result)).toBe("Products are already up to date!");
  });

  it("S23: no If-None-Match once another store's sync took rows over, so that they come back", async () => {
    const database = await openFreshDatabase();
    const one = { storeId: "s1", skus: ["a", "b"], etag: '"1"' };
    const requests = answers(one, { storeId: "s2", skus: ["b", "c"], etag: '"1"' }, one);
    await syncProducts(database, "s1", clock);
    await syncProducts(database, "s2", clock);
    expect(await readProductSyncState(database, "s1")).toMatchObject({ isComplete: false });
    await syncProducts(database, "s1", clock);
    expect(requests).toEqual([null, null, null]);
    expect(await held(database, "s1")).toEqual(["a", "b"]);
  });

  it("S23: no answer leaves the rows held before whole", async () => {
    const database = await openFreshDatabase();
    answers({ storeId: "s1", skus: ["a"], etag: '"1"' });
    await syncProducts(database, "s1", clock);
    await expect(syncProducts(database, "s1", clock)).rejects.toThrow(NoAnswerError);
    expect(await held(database, "s1")).toEqual(["a"]);
  });

  it("S23: an answer that is not the server's changes nothing", async () => {
    const database = await openFreshDatabase();
    answers({ storeId: "s1", skus: ["a"], etag: '"1"' });
    await syncProducts(database, "s1", clock);
    vi.stubGlobal("fetch", async () => Response.json({ portal: "Please accept the terms." }));
    await expect(syncProducts(database, "s1", clock)).rejects.toThrow(NoAnswerError);
    expect(await held(database, "s1")).toEqual(["a"]);
  });

  it("S23: a refresh writes only rows that changed", async () => {
    const database = await openFreshDatabase();
    answers(
      { storeId: "s1", skus: ["a", "b"], etag: '"1"' },
      { storeId: "s1", skus: ["a", "c"], etag: '"2"' },
    );
    await syncProducts(database, "s1", clock);
    clock.advance(60_000);
    await syncProducts(database, "s1", clock);
    const rows = await database.getAllFromIndex("products", "storeId", "s1");
    const written = rows.filter((row) => Date.parse(row.syncedAt) === clock.now()).map((row) => row.sku);
    expect(rows.map((row) => row.sku)).toEqual(["a", "c"]);
    expect(written).toEqual(["c"]);
  });

  it("S23: the packed copy gives the same products as the rows", async () => {
    const database = await openFreshDatabase();
    answers({ storeId: "s1", skus: ["a", "b"], etag: '"1"' });
    await syncProducts(database, "s1", clock);
    const packed = await readProducts(database, "s1");
    await database.delete("metadata", "products_packed_s1");
    const rows = await readProducts(database, "s1");
    expect(rows).toMatchObject(packed);
    expect(packed).toEqual(products("s1", ["a", "b"]));
  });
});

import { matchProduct, type Product, packKey } from "@stocktake/contract";
import { describe, expect, it, vi } from "vitest";
import { NoAnswerError } from "../../http/errors.ts";
import { openFreshDatabase } from "../testing/fresh-database.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { packedLines, productOfLine } from "./packed-products.ts";
import { readPacked, readProductSyncState } from "./product-store.ts";
import {
  openProducts,
  type ProductSyncProgress,
  productSyncMessage,
  refreshProducts,
  syncProducts,
} from "./product-sync.ts";
import { createProductWriter } from "./product-writer.ts";

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

async function openDevice(): Promise<Parameters<typeof syncProducts>[0]> {
  const database = await openFreshDatabase();
  return { database, clock, productWriter: createProductWriter(database) };
}

/** The store's SKUs by its rows; the packed copy, where there is one, must agree. */
async function held({ database }: Parameters<typeof syncProducts>[0], storeId: string): Promise<string[]> {
  const skus = await database.getAllKeysFromIndex("products", "storeId", storeId);
  const packed = await readPacked(database, storeId);
  if (packed !== null) {
    const inPacked = packedLines(packed).map((line) => productOfLine(line, storeId).sku);
    expect(inPacked.toSorted()).toEqual(skus.toSorted());
  }
  return skus;
}

describe("product sync", () => {
  it("S23: a 200 replaces the store's rows and metadata, and returns how many [spec:3.metadata]", async () => {
    const device = await openDevice();
    answers(
      { storeId: "s1", skus: ["a", "b"], etag: '"1"' },
      { storeId: "s1", skus: ["b", "c", "d"], etag: '"2"' },
    );
    await syncProducts(device, "s1");
    const result = await syncProducts(device, "s1");
    expect(productSyncMessage(result)).toBe("Successfully synced 3 products for offline use!");
    expect(await held(device, "s1")).toEqual(["b", "c", "d"]);
    expect(await device.database.get("metadata", "products_etag_s1")).toMatchObject({
      value: '"2"',
      productCount: 3,
    });
    expect(await device.database.get("metadata", "products_lastsync_s1")).toMatchObject({ productCount: 3 });
  });

  it("S23: If-None-Match is sent with the stored etag, and a 304 means already up to date [spec:7.products.etag]", async () => {
    const device = await openDevice();
    const one = { storeId: "s1", skus: ["a"], etag: '"1"' };
    const requests = answers(one, one);
    await syncProducts(device, "s1");
    const result = await syncProducts(device, "s1");
    expect(requests).toEqual([null, '"1"']);
    expect(productSyncMessage(result)).toBe("Products are already up to date!");
  });

  it("S23: no If-None-Match once another store's sync has overwritten rows, so that they are restored", async () => {
    const device = await openDevice();
    const one = { storeId: "s1", skus: ["a", "b"], etag: '"1"' };
    const requests = answers(one, { storeId: "s2", skus: ["b", "c"], etag: '"1"' }, one);
    await syncProducts(device, "s1");
    await syncProducts(device, "s2");
    expect(await readProductSyncState(device.database, "s1")).toMatchObject({ isComplete: false });
    await syncProducts(device, "s1");
    expect(requests).toEqual([null, null, null]);
    expect(await held(device, "s1")).toEqual(["a", "b"]);
  });

  it("S23: without an answer the previous rows stay intact", async () => {
    const device = await openDevice();
    answers({ storeId: "s1", skus: ["a"], etag: '"1"' });
    await syncProducts(device, "s1");
    await expect(syncProducts(device, "s1")).rejects.toThrow(NoAnswerError);
    expect(await held(device, "s1")).toEqual(["a"]);
  });

  it("S23: a response that is not the server's changes nothing", async () => {
    const device = await openDevice();
    answers({ storeId: "s1", skus: ["a"], etag: '"1"' });
    await syncProducts(device, "s1");
    vi.stubGlobal("fetch", async () => Response.json({ portal: "Please accept the terms." }));
    await expect(syncProducts(device, "s1")).rejects.toThrow(NoAnswerError);
    expect(await held(device, "s1")).toEqual(["a"]);
  });

  it("S23: a refresh writes only rows that changed", async () => {
    const device = await openDevice();
    answers(
      { storeId: "s1", skus: ["a", "b"], etag: '"1"' },
      { storeId: "s1", skus: ["a", "c"], etag: '"2"' },
    );
    await syncProducts(device, "s1");
    clock.advance(60_000);
    await syncProducts(device, "s1");
    const rows = await device.database.getAllFromIndex("products", "storeId", "s1");
    const written = rows.filter((row) => Date.parse(row.syncedAt) === clock.now()).map((row) => row.sku);
    expect(rows.map((row) => row.sku)).toEqual(["a", "c"]);
    expect(written).toEqual(["c"]);
  });

  it("S23: the index matches right after the sync and when the page is opened again", async () => {
    const device = await openDevice();
    answers({ storeId: "s1", skus: ["a", "b"], etag: '"1"' });
    const result = await syncProducts(device, "s1");
    const opened = await openProducts(device, "s1");
    const [, product] = products("s1", ["a", "b"]);
    const found = { kind: "one", product, by: "sku" };
    expect(result.kind === "replaced" && matchProduct(result.products.index, "b")).toEqual(found);
    expect(opened).toMatchObject({ etag: '"1"', productCount: 2 });
    expect(opened && matchProduct(opened.index, "b")).toEqual(found);
  });

  it("S23: a tab adopts what another tab has synced, unless it has that already", async () => {
    const device = await openDevice();
    const newer = { storeId: "s1", skus: ["a", "b"], etag: '"2"' };
    const requests = answers({ storeId: "s1", skus: ["a"], etag: '"1"' }, newer, newer, newer);
    const inMemory = await refreshProducts(device, "s1", null);
    await syncProducts(device, "s1");
    const fresh = await refreshProducts(device, "s1", inMemory);
    expect(fresh).toMatchObject({ etag: '"2"', productCount: 2 });
    expect(fresh && matchProduct(fresh.index, "b")).toMatchObject({ kind: "one" });
    expect(await refreshProducts(device, "s1", fresh)).toBeNull();
    expect(requests).toEqual([null, '"1"', '"2"', '"2"']);
  });

  it("S23: without a packed copy of this version the rows are packed again", async () => {
    const device = await openDevice();
    answers({ storeId: "s1", skus: ["a", "b"], etag: '"1"' });
    await syncProducts(device, "s1");
    await device.database.put("metadata", {
      ...{ key: "products_packed_s1", value: '{"etag":"1","rows":[]}', productCount: 2, updatedAt: "" },
    });
    const opened = await openProducts(device, "s1");
    expect(opened && matchProduct(opened.index, "a")).toMatchObject({ kind: "one" });
    expect(await readPacked(device.database, "s1")).not.toBeNull();
  });

  it("S35: the codes of packs come with the products, and another version of the page keeps them", async () => {
    const device = await openDevice();
    const packs = [{ code: "DOZEN", sku: "a", units: 12 }];
    vi.stubGlobal("fetch", async () =>
      Response.json({ products: products("s1", ["a"]), packs, etag: '"1"' }),
    );
    await syncProducts(device, "s1");
    expect((await openProducts(device, "s1"))?.packs.get(packKey("DOZEN"))).toEqual(packs[0]);
    await device.database.put("metadata", {
      ...{ key: "products_packed_s1", value: "of another version", productCount: 1, updatedAt: "" },
    });
    expect((await openProducts(device, "s1"))?.packs.get(packKey("DOZEN"))).toEqual(packs[0]);
  });

  it("S23: rows that another store has overwritten do not count as the store's products", async () => {
    const device = await openDevice();
    answers({ storeId: "s1", skus: ["a", "b"], etag: '"1"' }, { storeId: "s2", skus: ["b"], etag: '"1"' });
    await syncProducts(device, "s1");
    await syncProducts(device, "s2");
    expect(await openProducts(device, "s1")).toBeNull();
  });

  it("S23: a tab that syncs while another does leaves the rows of its own response", async () => {
    const device = await openDevice();
    answers(
      { storeId: "s1", skus: ["a", "b"], etag: '"1"' },
      { storeId: "s1", skus: ["a", "b", "x"], etag: '"2"' },
      { storeId: "s1", skus: ["a", "c"], etag: '"3"' },
      { storeId: "s2", skus: ["a"], etag: '"1"' },
      { storeId: "s1", skus: ["a", "d"], etag: '"4"' },
    );
    await syncProducts(device, "s1");
    await Promise.all([syncProducts(device, "s1"), syncProducts(device, "s1")]);
    expect(await readProductSyncState(device.database, "s1")).toMatchObject({ isComplete: true });
    await held(device, "s1");
    await Promise.all([syncProducts(device, "s2"), syncProducts(device, "s1")]);
    // The other store is new here and has less to read, so this one's rows are written last.
    expect(await held(device, "s1")).toEqual(["a", "d"]);
  });

  it("S23: no If-None-Match once a row is missing, and the next sync restores it", async () => {
    const device = await openDevice();
    const skus = Array.from({ length: 6_000 }, (_none, index) => `sku-${index}`);
    const answer = { storeId: "s1", skus, etag: '"1"' };
    const requests = answers(answer, answer, answer);
    await syncProducts(device, "s1");
    expect(await readProductSyncState(device.database, "s1")).toMatchObject({ isComplete: true });
    for (const sku of ["sku-0", "sku-2999", "sku-999"]) {
      await device.database.delete("products", sku);
      expect(await readProductSyncState(device.database, "s1")).toMatchObject({ isComplete: false });
      for (const row of products("s1", [sku]))
        await device.database.put("products", { ...row, syncedAt: "" });
    }
    await device.database.delete("products", "sku-5999");
    await syncProducts(device, "s1");
    await syncProducts(device, "s1");
    expect(requests).toEqual([null, null, '"1"']);
    expect(await held(device, "s1")).toHaveLength(6_000);
  });

  it("S23: rows that another store left behind do not make a store's own incomplete", async () => {
    const device = await openDevice();
    const two = { storeId: "s2", skus: ["b", "c"], etag: '"2"' };
    const requests = answers({ storeId: "s1", skus: ["a", "b"], etag: '"1"' }, two, two);
    await syncProducts(device, "s1");
    await syncProducts(device, "s2");
    await syncProducts(device, "s2");
    expect(requests).toEqual([null, null, '"2"']);
  });

  it("reports how many of the rows to be written have been written", async () => {
    const device = await openDevice();
    const skus = Array.from({ length: 1_200 }, (_none, index) => `sku-${index}`);
    answers({ storeId: "s1", skus, etag: '"1"' });
    const progress: ProductSyncProgress[] = [];
    await syncProducts(device, "s1", (each) => progress.push(each));
    expect(progress).toEqual([
      { phase: "downloading" },
      { phase: "saving", saved: 500, of: 1_200 },
      { phase: "saving", saved: 1_000, of: 1_200 },
    ]);
  });
});

import { type LiveEvent, matchProduct, productMap } from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { operationRoutes } from "../operations/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, join, makePermanentCounter, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { jacketBarcodes } from "../testing/test-shop.ts";
import { catalogueRoutes, names } from "./routes.ts";

const slices = [authRoutes, sessionRoutes, operationRoutes, catalogueRoutes];
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ slices });
});
afterEach(() => server.shop.clearFaults());
afterAll(() => server.close());

function mapOf(store: TestStore) {
  return server.admin.call(productMap, { query: { storeId: store.id } });
}

async function skusIn(store: TestStore): Promise<string[]> {
  return (await mapOf(store)).products.map(({ sku }) => sku);
}

function sendMap(store: TestStore, headers: Record<string, string>) {
  return server.admin.send(productMap, { query: { storeId: store.id } }, headers);
}

async function versionOf(sessionId: string): Promise<number> {
  const row = await server.database.database
    .selectFrom("sessions")
    .select("catalogueVersion")
    .where("id", "=", sessionId)
    .executeTakeFirstOrThrow();
  return row.catalogueVersion;
}

describe("the product map before anything was read", () => {
  test("is read from Shopify, and refused while Shopify does not answer", async () => {
    const store = await makeStore(server);
    await server.shop.addFaults({
      faults: [{ effect: { kind: "status", status: 500, when: "before" }, times: "always" }],
    });
    expect(await server.admin.refusal(productMap, { query: { storeId: store.id } })).toMatchObject({
      status: 503,
      code: "PLATFORM_UNAVAILABLE",
    });
    await server.shop.clearFaults();
    expect(await skusIn(store)).toHaveLength(9);
  });
});

describe("the product map", () => {
  test("holds every variant of the shop, stocked here or not, and never a quantity or a cost", async () => {
    const { products } = await mapOf(await makeStore(server));
    expect(products.find(({ sku }) => sku === "JK-1001")).toEqual({
      sku: "JK-1001",
      barcode: jacketBarcodes[1],
      productTitle: "Jacket",
      size: "M",
      image: null,
      storeId: expect.any(String),
    });
    expect(products.filter(({ plainSku }) => plainSku === "SCARF")).toHaveLength(2);
    expect(products.some(({ sku }) => sku === "HAT-1")).toBe(true);
  });

  test("comes with its ETag in header and body, and is not sent again to whoever has it", async () => {
    const store = await makeStore(server);
    const { headers, body } = await sendMap(store, {});
    const etag = headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    expect(body).toMatchObject({ etag });
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, etag.replace(/"$/, '-gzip"')]) {
      const again = await sendMap(store, { "if-none-match": known });
      expect(again).toMatchObject({ status: 304, body: undefined });
      expect(again.headers.get("etag")).toBe(etag);
    }
    expect((await sendMap(store, { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("has the same ETag compressed and not", async () => {
    const store = await makeStore(server);
    const plain = await sendMap(store, { "accept-encoding": "identity" });
    const compressed = await sendMap(store, { "accept-encoding": "gzip" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    expect(compressed.headers.get("etag")).toBe(plain.headers.get("etag"));
    expect(compressed.body).toEqual(plain.body);
  });

  test("changes its ETag with the products, not with another reading of the same", async () => {
    const store = await makeStore(server);
    const { etag } = await mapOf(store);
    await server.context.catalogue.refresh();
    expect((await mapOf(store)).etag).toBe(etag);
    await server.shop.changeVariant({ item: "BELT-1", change: { barcode: "4000000000136" } });
    await server.context.catalogue.refresh();
    const changed = await mapOf(store);
    expect(changed.etag).not.toBe(etag);
    expect(changed.products.find(({ sku }) => sku === "BELT-1")?.barcode).toBe("4000000000136");
  });

  test("is only of stores that the caller sees", async () => {
    const [store, other] = [await makeStore(server), await makeStore(server)];
    const session = await begin(server, store);
    const counter = await join(server, session);
    const permanent = await makePermanentCounter(server);
    for (const { api } of [counter, permanent]) {
      expect((await api.call(productMap, { query: { storeId: store.id } })).products).not.toHaveLength(0);
      expect(await api.refusal(productMap, { query: { storeId: other.id } })).toMatchObject({ status: 404 });
    }
    expect(await server.admin.refusal(productMap, { query: { storeId: "nothing" } })).toMatchObject({
      status: 404,
    });
  });
});

describe("the catalogue of a running session", () => {
  test("only grows: what is new comes in without stock, what was there neither changes nor goes", async () => {
    const store = await makeStore(server);
    const session = await begin(server, store);
    const before = await versionOf(session._id);
    const { productId } = await server.shop.addProduct({
      title: "Glove",
      variants: [{ sku: "GLOVE-1", barcode: "GL-1", stock: [{ available: 6 }] }],
    });
    await server.shop.changeVariant({ item: "JK-1002", change: { sku: "JK-9999", barcode: null } });
    await server.shop.deleteVariant({ item: "HAT-1" });
    await server.context.catalogue.refresh();
    const { products } = await mapOf(store);
    expect(products.find(({ sku }) => sku === "GLOVE-1")).toMatchObject({ barcode: "GL-1" });
    expect(products.find(({ sku }) => sku === "JK-1002")?.barcode).toBe(jacketBarcodes[2]);
    expect(products.some(({ sku }) => sku === "HAT-1")).toBe(true);
    expect(await versionOf(session._id)).toBe(before + 1);
    const glove = await server.database.database
      .selectFrom("sessionItems")
      .select("startOnHand")
      .where("sessionId", "=", session._id)
      .where("sku", "=", "GLOVE-1")
      .executeTakeFirstOrThrow();
    expect(glove.startOnHand).toBe(0);
    expect((await skusIn(await makeStore(server))).includes("HAT-1")).toBe(false);
    await server.shop.deleteProduct({ productId });
  });

  test("gives a newcomer with a SKU that is taken its variant number, and asks which of them a label means", async () => {
    const store = await makeStore(server);
    const session = await begin(server, store);
    await server.shop.addProduct({
      title: "Jacket, again",
      variants: [{ sku: "JK-1000", barcode: "JK-AGAIN" }],
    });
    await server.context.catalogue.refresh();
    const added = (await mapOf(store)).products.find(({ barcode }) => barcode === "JK-AGAIN");
    expect(added).toMatchObject({ sku: expect.stringMatching(/^JK-1000#\d+$/), plainSku: "JK-1000" });
    const { index } = await server.context.catalogue.sessionIndex(session._id, await versionOf(session._id));
    expect(matchProduct(index, "JK-1000")).toMatchObject({ kind: "several" });
    expect(matchProduct(index, "JK-1000", "sku")).toMatchObject({ kind: "one", product: { sku: "JK-1000" } });
    expect(matchProduct(index, jacketBarcodes[0])).toMatchObject({
      kind: "one",
      product: { sku: "JK-1000" },
    });
  });

  test("is matched as of the version that was asked for", async () => {
    const session = await begin(server, await makeStore(server));
    const first = await server.context.catalogue.sessionIndex(session._id, 1);
    expect(await server.context.catalogue.sessionIndex(session._id, 1)).toBe(first);
    await server.shop.addProduct({ title: "Sock", variants: [{ sku: "SOCK-1" }] });
    await server.context.catalogue.refresh();
    expect(matchProduct(first.index, "SOCK-1", "sku").kind).toBe("none");
    const [second, same] = await Promise.all([
      server.context.catalogue.sessionIndex(session._id, 2),
      server.context.catalogue.sessionIndex(session._id, 2),
    ]);
    expect(second).toMatchObject({ version: 2 });
    expect(same).toBe(second);
    expect(matchProduct(second.index, "SOCK-1", "sku").kind).toBe("one");
  });
});

describe("a reading of the shop", () => {
  test("tells the sessions that grew, and is shared by those who ask for it at the same time", async () => {
    const [store, session] = await makeStore(server).then(
      async (made) => [made, await begin(server, made)] as const,
    );
    await server.shop.addProduct({ title: "Boot", variants: [{ sku: "BOOT-1" }] });
    const heard: LiveEvent[] = [];
    const unsubscribe = server.context.events.subscribe((event) => heard.push(event));
    await server.shop.clearCalls();
    await Promise.all([server.context.catalogue.refresh(), server.context.catalogue.refresh()]);
    const { calls } = await server.shop.calls();
    expect(calls.filter(({ operation }) => operation === "CataloguePage")).toHaveLength(1);
    await vi.waitFor(() =>
      expect(heard).toContainEqual({ type: "catalogue", sessionId: session._id, storeId: store.id }),
    );
    unsubscribe();
  });

  test("that fails in the middle changes nothing", async () => {
    const store = await makeStore(server);
    const { etag } = await mapOf(store);
    await server.shop.addProduct({ title: "Cap", variants: [{ sku: "CAP-1" }] });
    await server.shop.addFaults({
      faults: [
        {
          match: { operation: "CataloguePage" },
          effect: { kind: "status", status: 500, when: "before" },
          times: "always",
        },
      ],
    });
    await expect(server.context.catalogue.refresh()).rejects.toThrow("Shopify");
    expect((await mapOf(store)).etag).toBe(etag);
  });

  test("of another shop than the one of first contact is refused", async () => {
    const { pool } = server.database;
    await pool.query("update installation set shop_domain = 'another.myshopify.com'");
    await expect(server.context.catalogue.refresh()).rejects.toMatchObject({ code: "SHOP_CHANGED" });
    await pool.query("update installation set shop_domain = $1", [
      server.emulator.store.shop.myshopifyDomain,
    ]);
  });
});

test("If-None-Match is compared weakly, in lists, and with anything for *", () => {
  expect(names(undefined, '"a"')).toBe(false);
  expect(names("*", '"a"')).toBe(true);
  expect(names('W/"a"', '"a"')).toBe(true);
  expect(names('"b", "a-br"', '"a"')).toBe(true);
  expect(names('"ab"', '"a"')).toBe(false);
});

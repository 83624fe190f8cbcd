import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createShopifyPlatform, type ShopifyPlatform } from "./platform.ts";
import type { SnapshotOptions } from "./snapshot.ts";
import { collect } from "./testing/collect.ts";
import {
  breakOff,
  breakOffAfter,
  data,
  file,
  hang,
  type Reply,
  type ScriptedShop,
  status,
  topLevel,
} from "./testing/scripted-shop.ts";
import { startScriptedTransport } from "./testing/scripted-transport.ts";
import { type TestClock, TIME_LIMIT_MS } from "./testing/test-clock.ts";
import { exportOf, variantNode } from "./testing/variant-node.ts";

const location = "gid://shopify/Location/106318430514";
const count = (variants: number, precision = "EXACT"): Reply =>
  data({ productVariantsCount: { count: variants, precision } });

const page = (numbers: number[], endCursor: string | null): Reply =>
  data({
    productVariants: {
      nodes: numbers.map((number) => variantNode(number)),
      pageInfo: { hasNextPage: endCursor !== null, endCursor },
    },
  });

const operation = "gid://shopify/BulkOperation/1";
const started = data({
  bulkOperationRunQuery: { bulkOperation: { id: operation, status: "CREATED" }, userErrors: [] },
});
const refused = (code: string): Reply =>
  data({
    bulkOperationRunQuery: { bulkOperation: null, userErrors: [{ code, field: null, message: code }] },
  });

let shop: ScriptedShop;
let clock: TestClock;
let platform: ShopifyPlatform;

beforeEach(async () => {
  const scripted = await startScriptedTransport();
  ({ shop, clock } = scripted);
  platform = createShopifyPlatform({ transport: scripted.transport, clock, bulkAbove: 3 });
});

afterEach(() => shop.close());

const polled = (state: string, more: Record<string, unknown> = {}): Reply =>
  data({
    bulkOperation: { id: operation, status: state, errorCode: null, objectCount: "0", url: null, ...more },
  });
const completed = (rows: number, url = `${shop.url}/export.jsonl`) =>
  polled("COMPLETED", { objectCount: String(rows), url });

const read = async (options: Partial<SnapshotOptions> = {}) =>
  (await collect(platform.snapshot({ shopifyLocationId: location, ...options }))).flat();

const variablesOf = (position: number) => JSON.parse(shop.received[position]?.body ?? "{}").variables;

describe("a snapshot of a small catalogue", () => {
  test("is read by pages up to the last cursor", async () => {
    shop.will(count(3), page([1, 2], "cursor-2"), page([3], null));
    expect((await read()).map((variant) => variant.variantNumber)).toEqual(["1", "2", "3"]);
    expect(variablesOf(1)).toEqual({ first: 250, after: null, shopifyLocationId: location });
    expect(variablesOf(2)).toEqual({ first: 250, after: "cursor-2", shopifyLocationId: location });
  });

  test("says how far it is", async () => {
    shop.will(count(3), page([1, 2], "cursor-2"), page([3], null));
    const progress: [number, number | null][] = [];
    await read({ onProgress: (done, of) => progress.push([done, of]) });
    expect(progress).toEqual([
      [0, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  test("without a location asks for no level", async () => {
    shop.will(count(1), page([1], null));
    await read({ shopifyLocationId: null });
    expect(shop.received[1]?.body).not.toContain("inventoryLevel");
  });

  test("halves pages that the platform finds too costly", async () => {
    const tooCostly = topLevel("MAX_COST_EXCEEDED");
    shop.will(count(2), tooCostly, tooCostly, page([1], "cursor-1"), page([2], null));
    expect(await read()).toHaveLength(2);
    expect([1, 2, 3, 4].map((position) => variablesOf(position).first)).toEqual([250, 125, 63, 63]);
  });

  test("does not page for ever on a cursor that does not move on", async () => {
    shop.will(count(3), page([1], "cursor-1"), page([2], "cursor-1"));
    await expect(read()).rejects.toMatchObject({ kind: "unexpected-answer" });
  });
});

describe("a snapshot of a large catalogue", () => {
  test("is read by one bulk operation, polled with growing pauses, each variant once", async () => {
    shop.will(count(1203), started, polled("CREATED"), polled("RUNNING"), polled("RUNNING"), completed(1203));
    shop.will(file(exportOf(1203), 4099));
    const batches = await collect(platform.snapshot({ shopifyLocationId: location }));
    expect(batches.map((batch) => batch.length)).toEqual([500, 500, 203]);
    expect(new Set(batches.flat().map((variant) => variant.variantId)).size).toBe(1203);
    expect(clock.pauses).toEqual([100, 105, 111]);
    expect(variablesOf(1).query).toContain(location);
  });

  test("says how far the export is, never going back", async () => {
    shop.will(count(600), started, polled("RUNNING", { objectCount: "450" }), completed(600));
    shop.will(file(exportOf(600), 4099));
    const progress: number[] = [];
    await read({ onProgress: (done) => progress.push(done) });
    expect(progress).toEqual([0, 450, 600, 600, 600]);
  });

  test("is taken by bulk operation too when nobody can say how large it is", async () => {
    shop.will(count(2, "AT_LEAST"), started, completed(2), file(exportOf(2)));
    expect(await read()).toHaveLength(2);
  });

  test("does not send the token to where the export lies", async () => {
    shop.will(count(9), started, completed(1), file(exportOf(1)));
    await read();
    const download = shop.received.find((request) => request.path === "/export.jsonl");
    expect(download?.headers["x-shopify-access-token"]).toBeUndefined();
  });

  test.each(["OPERATION_IN_PROGRESS", "LIMIT_REACHED"])("waits for its turn after %s", async (code) => {
    shop.will(count(9), refused(code), refused(code), started, completed(1), file(exportOf(1)));
    expect(await read()).toHaveLength(1);
    expect(clock.pauses).toEqual([100, 125]);
  });

  test("says that the shop is busy when its turn never comes", async () => {
    shop.will(count(9), ...Array.from({ length: 200 }, () => refused("OPERATION_IN_PROGRESS")));
    await expect(read()).rejects.toMatchObject({ name: "PlatformUnavailableError", kind: "busy" });
  });

  test("is refused where the query itself is", async () => {
    shop.will(count(9), refused("INVALID"));
    await expect(read()).rejects.toMatchObject({ name: "PlatformRejectedError", kind: "rejected" });
  });

  test("runs once more after a fault of the platform's own", async () => {
    const fault = polled("FAILED", { errorCode: "INTERNAL_SERVER_ERROR" });
    shop.will(count(9), started, fault, started, completed(1), file(exportOf(1)));
    expect(await read()).toHaveLength(1);
  });

  const ends: [string, Record<string, unknown>, string][] = [
    ["FAILED", { errorCode: "ACCESS_DENIED" }, "unauthorised"],
    ["FAILED", { errorCode: null }, "bulk-failed"],
    ["CANCELED", {}, "bulk-failed"],
    ["EXPIRED", {}, "bulk-failed"],
  ];

  test.each(ends)("fails when the operation ends %s %j, partial data or not", async (state, more, kind) => {
    shop.will(count(9), started, polled(state, { ...more, partialDataUrl: `${shop.url}/partial.jsonl` }));
    await expect(read()).rejects.toMatchObject({ kind });
    expect(shop.received.map((request) => request.path)).not.toContain("/partial.jsonl");
  });

  test("fails after two faults of the platform's own", async () => {
    const fault = polled("FAILED", { errorCode: "TIMEOUT" });
    shop.will(count(9), started, fault, started, fault);
    await expect(read()).rejects.toMatchObject({ name: "PlatformUnavailableError", kind: "server-error" });
  });

  test("fails when the operation is gone", async () => {
    shop.will(count(9), started, data({ bulkOperation: null }));
    await expect(read()).rejects.toMatchObject({ kind: "bulk-failed" });
  });

  test("fails when the export holds fewer rows than the platform counted", async () => {
    shop.will(count(9), started, completed(3), file(exportOf(2)));
    await expect(read()).rejects.toMatchObject({ kind: "unexpected-answer" });
  });

  test("fails when a line is no variant", async () => {
    shop.will(count(9), started, completed(2), file(`${exportOf(1)}{"id":"gid://shopify/Product/1"}\n`));
    await expect(read()).rejects.toMatchObject({ kind: "unexpected-answer" });
  });

  test("fails when a completed operation has rows and no address", async () => {
    shop.will(count(9), started, polled("COMPLETED", { objectCount: 3 }));
    await expect(read()).rejects.toMatchObject({ kind: "unexpected-answer" });
  });

  test("is empty when the operation found nothing", async () => {
    shop.will(count(9), started, polled("COMPLETED"));
    expect(await read()).toEqual([]);
  });

  test.each(["http://elsewhere.example/export.jsonl", "file:///etc/passwd", "export.jsonl"])(
    "does not follow the address %s",
    async (url) => {
      shop.will(count(9), started, completed(1, url));
      await expect(read()).rejects.toMatchObject({ kind: "unexpected-answer" });
    },
  );

  test("does not follow an export that is redirected", async () => {
    const elsewhere = status(302, {}, { location: "/elsewhere.jsonl" });
    shop.will(count(9), started, completed(1), elsewhere, elsewhere, elsewhere, file(exportOf(1)));
    await expect(read()).rejects.toMatchObject({ name: "PlatformUnavailableError" });
    expect(shop.received.map((request) => request.path)).not.toContain("/elsewhere.jsonl");
  });

  test("goes on where a download broke off, without a variant twice", async () => {
    const text = exportOf(40);
    shop.will(
      count(99),
      started,
      completed(40),
      breakOffAfter(text.slice(0, 9001)),
      status(503),
      file(text, 512),
    );
    const numbers = (await read()).map((variant) => Number(variant.variantNumber));
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  test("gives up after three downloads", async () => {
    shop.will(count(9), started, completed(1), breakOff, breakOff, breakOff, file(exportOf(1)));
    await expect(read()).rejects.toMatchObject({ name: "PlatformUnavailableError", kind: "lost" });
  });

  test("begins the download anew when nothing arrives for too long", async () => {
    shop.will(count(9), started, completed(1), hang, file(exportOf(1)));
    const reading = read();
    await shop.arrived(4);
    clock.advance(TIME_LIMIT_MS);
    expect(await reading).toHaveLength(1);
  });

  test("ends at once when its caller gives up", async () => {
    const caller = new AbortController();
    shop.will(count(9), started, completed(1), hang);
    const reading = read({ signal: caller.signal });
    await shop.arrived(4);
    caller.abort(new Error("called off"));
    await expect(reading).rejects.toThrow("called off");
  });
});

import { describe, expect, test } from "vitest";
import { type AdjustRequest, adjustAvailable, readAdjustmentGroup } from "./adjustments.ts";
import {
  breakOff,
  breakOffAfter,
  data,
  hang,
  type Reply,
  stallInBody,
  status,
  topLevel,
} from "./testing/scripted-shop.ts";
import { closedUrl, startScriptedTransport, transportInEachTest } from "./testing/scripted-transport.ts";
import { TIME_LIMIT_MS } from "./testing/test-clock.ts";

const item = (number: number) => `gid://shopify/InventoryItem/${number}`;

const request: AdjustRequest = {
  idempotencyKey: "3f1f0d1e-6a53-4f0e-9f0c-0c6f4a1f7d11",
  reason: "cycle_count_available",
  referenceDocumentUri: "gid://stocktake/CycleCount/7-1-1",
  shopifyLocationId: "gid://shopify/Location/106318430514",
  changes: [
    { inventoryItemId: item(1), delta: 2, changeFromQuantity: 5 },
    { inventoryItemId: item(2), delta: -3, changeFromQuantity: 3 },
  ],
};

const change = (name: string, number: number, delta: number) => ({
  name,
  delta,
  item: { id: item(number) },
  location: { id: request.shopifyLocationId },
});

const group = {
  id: "gid://shopify/InventoryAdjustmentGroup/54640716382514",
  createdAt: "2026-11-02T08:00:00Z",
  reason: "cycle_count_available",
  referenceDocumentUri: request.referenceDocumentUri,
  changes: [
    change("available", 1, 2),
    change("on_hand", 1, 2),
    change("available", 2, -3),
    change("on_hand", 2, -3),
  ],
};

const payload = (inventoryAdjustmentGroup: unknown, userErrors: unknown[] = []): Reply =>
  data({ inventoryAdjustQuantities: { inventoryAdjustmentGroup, userErrors } });

const scripted = transportInEachTest();

describe("an adjustment", () => {
  test("is applied when the answer names a group, with the deltas that the group records", async () => {
    scripted.shop.will(payload(group));
    expect(await adjustAvailable(scripted.transport, request)).toEqual({
      kind: "applied",
      groupId: group.id,
      changes: [
        { inventoryItemId: item(1), delta: 2 },
        { inventoryItemId: item(2), delta: -3 },
      ],
    });
  });

  test("names available, every compare value and the key, and its repetition is the same bytes", async () => {
    scripted.shop.will(breakOff, payload(group));
    await adjustAvailable(scripted.transport, request);
    await adjustAvailable(scripted.transport, structuredClone(request));
    const [first, second] = scripted.shop.received.map(({ body }) => body);
    expect(second).toBe(first);
    const { query, variables } = JSON.parse(first ?? "");
    expect(query).toContain("@idempotent(key: $idempotencyKey)");
    expect(variables.idempotencyKey).toBe(request.idempotencyKey);
    expect(variables.input).toEqual({
      name: "available",
      reason: request.reason,
      referenceDocumentUri: request.referenceDocumentUri,
      changes: request.changes.map((row) => ({ ...row, locationId: request.shopifyLocationId })),
    });
  });

  test("writes an explicit null where no comparison is wanted: the field is mandatory", async () => {
    scripted.shop.will(payload(group));
    await adjustAvailable(scripted.transport, {
      ...request,
      changes: [{ inventoryItemId: item(1), delta: 2, changeFromQuantity: null }],
    });
    expect(scripted.shop.received[0]?.body).toContain('"changeFromQuantity":null');
  });

  test("is a no-op without a group and without errors", async () => {
    scripted.shop.will(payload(null));
    expect(await adjustAvailable(scripted.transport, request)).toEqual({ kind: "noop" });
  });

  test("says which row a user error speaks of", async () => {
    const field = ["input", "changes", "1", "changeFromQuantity"];
    const stale = { code: "CHANGE_FROM_QUANTITY_STALE", field, message: "stale" };
    const reason = { code: "INVALID_REASON", field: ["input", "reason"], message: "bad reason" };
    scripted.shop.will(payload(null, [stale, reason, { code: null, field: null, message: "something" }]));
    expect(await adjustAvailable(scripted.transport, request)).toEqual({
      kind: "userErrors",
      errors: [
        { ...stale, changeIndex: 1 },
        { ...reason, changeIndex: null },
        { code: null, field: [], message: "something", changeIndex: null },
      ],
      groupId: null,
      changes: [],
    });
  });

  test("keeps what a group beside user errors records, should one bad row fail only itself", async () => {
    const half = { ...group, changes: group.changes.slice(0, 2) };
    scripted.shop.will(
      payload(half, [{ code: "CHANGE_FROM_QUANTITY_STALE", field: null, message: "stale" }]),
    );
    expect(await adjustAvailable(scripted.transport, request)).toMatchObject({
      kind: "userErrors",
      groupId: group.id,
      changes: [{ inventoryItemId: item(1), delta: 2 }],
    });
  });

  test("keeps the group of an answer in which single fields failed", async () => {
    const errors = [{ message: "no app for you", path: ["inventoryAdjustQuantities", "app"] }];
    const inventoryAdjustQuantities = { inventoryAdjustmentGroup: group, userErrors: [] };
    scripted.shop.will(status(200, { data: { inventoryAdjustQuantities }, errors }));
    expect(await adjustAvailable(scripted.transport, request)).toMatchObject({
      kind: "applied",
      groupId: group.id,
    });
  });

  test.each([0, 251])("of %d rows is refused before it is sent", async (rows) => {
    const changes = Array.from({ length: rows }, () => ({
      inventoryItemId: item(1),
      delta: 1,
      changeFromQuantity: 0,
    }));
    await expect(adjustAvailable(scripted.transport, { ...request, changes })).rejects.toThrow(RangeError);
    expect(scripted.shop.received).toHaveLength(0);
  });
});

describe("an adjustment is certainly not applied", () => {
  // As recorded: the payload is null and the error has a path into the answer.
  const recorded = (code: string): Reply =>
    status(200, {
      errors: [{ message: code, locations: [{}], extensions: { code }, path: ["inventoryAdjustQuantities"] }],
      data: { inventoryAdjustQuantities: null },
    });
  const cases: [string, Reply, string, boolean][] = [
    ["the directive is missing (BAD_REQUEST)", recorded("BAD_REQUEST"), "rejected", false],
    ["a compare value is missing", recorded("INVALID_FIELD_ARGUMENTS"), "rejected", false],
    ["a variable is wrong", topLevel("INVALID_VARIABLE"), "rejected", false],
    ["it has too many rows", topLevel("MAX_INPUT_SIZE_EXCEEDED"), "rejected", false],
    ["a scope is missing", topLevel("ACCESS_DENIED"), "unauthorised", false],
    ["the token is refused (401)", status(401), "unauthorised", false],
    ["the app is refused (403)", status(403), "unauthorised", false],
    ["the shop is elsewhere (302)", status(302, {}, { location: "/" }), "rejected", false],
    ["the shop is frozen (402)", status(402), "rejected", false],
    ["the bucket is empty", topLevel("THROTTLED"), "throttled", true],
  ];

  test.each(cases)("when %s", async (_name, reply, reason, retryable) => {
    scripted.shop.will(reply);
    expect(await adjustAvailable(scripted.transport, request)).toMatchObject({
      kind: "notApplied",
      reason,
      retryable,
    });
  });

  test("when 429 refuses it, with the pause it asks for", async () => {
    scripted.shop.will(status(429, {}, { "retry-after": "2.5" }));
    expect(await adjustAvailable(scripted.transport, request)).toMatchObject({
      kind: "notApplied",
      reason: "throttled",
      retryable: true,
      retryAfterMs: 2500,
    });
  });

  test("when no connection came about", async () => {
    const nowhere = await startScriptedTransport({ apiUrl: await closedUrl() });
    expect(await adjustAvailable(nowhere.transport, request)).toMatchObject({
      kind: "notApplied",
      reason: "unreachable",
      retryable: true,
    });
    await nowhere.shop.close();
  });
});

describe("whether an adjustment was applied is unknown", () => {
  const nullPayload = { inventoryAdjustQuantities: null };
  const cases: [string, Reply, string][] = [
    ["the connection broke before the answer", breakOff, "lost"],
    ["the answer broke off", breakOffAfter('{"data":{"inventoryAdjustQuantities":'), "lost"],
    ["the answer is no JSON", status(200, "<html>"), "lost"],
    ["the answer has another form", data({ inventoryAdjustQuantities: { userErrors: "none" } }), "lost"],
    ["the answer holds neither data nor errors", status(200, {}), "lost"],
    ["500", status(500), "server-error"],
    ["502", status(502), "server-error"],
    ["504", status(504), "server-error"],
    ["408", status(408), "server-error"],
    ["an internal error in a 200", topLevel("INTERNAL_SERVER_ERROR"), "server-error"],
    ["a time-out in a 200", topLevel("TIMEOUT"), "server-error"],
    [
      "an error without a code",
      status(200, { errors: [{ message: "?" }], data: nullPayload }),
      "server-error",
    ],
    [
      "a known refusal beside an internal error",
      status(200, {
        errors: [
          { message: "a", extensions: { code: "BAD_REQUEST" } },
          { message: "b", extensions: { code: "INTERNAL_SERVER_ERROR" } },
        ],
      }),
      "server-error",
    ],
  ];

  test.each(cases)("when %s", async (_name, reply, reason) => {
    scripted.shop.will(reply);
    expect(await adjustAvailable(scripted.transport, request)).toMatchObject({ kind: "unknown", reason });
    expect(scripted.shop.received).toHaveLength(1);
  });

  test.each([
    ["no answer begins", hang],
    ["the answer never ends", stallInBody],
  ])("when the time is over and %s", async (_name, silence) => {
    scripted.shop.will(silence);
    const outcome = adjustAvailable(scripted.transport, request);
    await scripted.shop.arrived(1);
    scripted.clock.advance(TIME_LIMIT_MS);
    expect(await outcome).toMatchObject({ kind: "unknown", reason: "timeout" });
  });
});

describe("an adjustment group", () => {
  test("is read with its deltas of available", async () => {
    scripted.shop.will(data({ node: group }));
    expect(await readAdjustmentGroup(scripted.transport, group.id)).toEqual({
      id: group.id,
      createdAt: group.createdAt,
      reason: group.reason,
      referenceDocumentUri: group.referenceDocumentUri,
      changes: [
        { inventoryItemId: item(1), delta: 2 },
        { inventoryItemId: item(2), delta: -3 },
      ],
    });
  });

  test.each([null, {}])("that does not exist (%j) is null", async (node) => {
    scripted.shop.will(data({ node }));
    expect(await readAdjustmentGroup(scripted.transport, group.id)).toBeNull();
  });
});

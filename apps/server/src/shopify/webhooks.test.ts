import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isSignedBy, levelHint } from "./webhooks.ts";

const secret = "hush";
const body = Buffer.from(
  '{"inventory_item_id":9007199254740993123,"location_id": 9007199254740995321,"available":6,' +
    '"updated_at":"2026-11-02T08:00:00Z",' +
    '"admin_graphql_api_id":"gid://shopify/InventoryLevel/523463154?inventory_item_id=9007199254740993123"}',
);
const sign = (bytes: Uint8Array, key = secret) => createHmac("sha256", key).update(bytes).digest("base64");

describe("a webhook's signature", () => {
  test("holds for exactly the bytes that were signed", () => {
    expect(isSignedBy(secret, body, sign(body))).toBe(true);
    expect(isSignedBy(secret, Buffer.from(JSON.stringify(JSON.parse(body.toString()))), sign(body))).toBe(
      false,
    );
  });

  test.each([
    ["another secret", sign(body, "other")],
    ["nothing", undefined],
    ["an empty text", ""],
    ["a shorter text", sign(body).slice(0, 20)],
    ["something that is not base64", "€€€"],
  ])("does not hold for %s", (_name, signature) => {
    expect(isSignedBy(secret, body, signature)).toBe(false);
  });

  test("never holds without a secret", () => {
    expect(isSignedBy("", body, sign(body, ""))).toBe(false);
  });
});

describe("an inventory_levels/update", () => {
  test("names item and location with every digit of ids beyond 2^53", () => {
    expect(levelHint(body)).toEqual({
      inventoryItemId: "gid://shopify/InventoryItem/9007199254740993123",
      shopifyLocationId: "gid://shopify/Location/9007199254740995321",
    });
  });

  test.each(["", "[]", "{}", '{"admin_graphql_api_id":"gid://shopify/Product/1"}', "not JSON"])(
    "of the form %j is no hint",
    (text) => {
      expect(levelHint(Buffer.from(text))).toBeNull();
    },
  );
});

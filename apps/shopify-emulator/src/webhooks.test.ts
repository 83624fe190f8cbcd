import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { openShop } from "./test-shop.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks that keeps what it got. */
async function receiver(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/hook`, received };
}

describe("inventory_levels/update", () => {
  it("is signed, and carries ids above 2^53 digit by digit", async () => {
    const { control, north, itemId } = await openShop();
    const { url, received } = await receiver();
    await control.setWebhook({ target: { url, secret: "s3cret" } });
    await control.sell({ item: "TEE-S", location: north, quantity: 1 });
    expect((await control.deliveries()).deliveries).toMatchObject([{ status: 200 }]);
    const [hook] = received;
    const digits = itemId("TEE-S").replace("gid://shopify/InventoryItem/", "");
    expect(Number(digits)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
    expect(hook?.body).toBe(
      `{"inventory_item_id":${digits},"location_id":70410000001,"available":4,"updated_at":"2026-10-05T12:00:00+00:00","admin_graphql_api_id":"gid://shopify/InventoryLevel/70410000001?inventory_item_id=${digits}"}`,
    );
    expect(hook?.headers).toMatchObject({
      "x-shopify-topic": "inventory_levels/update",
      "x-shopify-shop-domain": "small-shop.myshopify.com",
      "x-shopify-hmac-sha256": createHmac("sha256", "s3cret")
        .update(hook?.body ?? "")
        .digest("base64"),
    });
    expect(hook?.headers["x-shopify-webhook-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("follows adjustments too, and not changes of other quantities", async () => {
    const { control, adjust, north } = await openShop();
    const { url, received } = await receiver();
    await control.setWebhook({ target: { url, secret: "s" } });
    await control.setStock({ item: "TEE-M", location: north, quantities: { damaged: 1 } });
    await adjust("k1", [{ sku: "TEE-S", delta: 1, from: 5 }]);
    await control.deliveries();
    expect(received.map(({ body }) => /"available":(\d+)/.exec(body)?.[1])).toEqual(["6"]);
  });

  it("says so where nobody takes it", async () => {
    const { control, north } = await openShop();
    await control.setWebhook({ target: { url: "http://127.0.0.1:1/hook", secret: "s" } });
    await control.sell({ item: "TEE-S", location: north, quantity: 1 });
    expect((await control.deliveries()).deliveries).toMatchObject([{ status: null }]);
  });
});

import { createHmac } from "node:crypto";
import { emulatorControl } from "@stocktake/shopify-emulator";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer, webhookSecret } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";
import { webhookRoutes } from "./webhook-routes.ts";

const clock = createHeldClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    slices: [authRoutes, sessionRoutes, webhookRoutes],
    environment: { clock },
  });
});
afterAll(() => server.close());

function deliver(
  topic: string,
  body: string,
  signedWith = webhookSecret,
  further: Readonly<Record<string, string>> = {},
) {
  return fetch(`${server.url}/api/webhooks/shopify`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin: "https://shopify.example",
      "x-shopify-topic": topic,
      "x-shopify-hmac-sha256": createHmac("sha256", signedWith).update(body).digest("base64"),
      ...further,
    },
    body,
  });
}

describe("a webhook", () => {
  test("that Shopify signed is answered at once, from any origin and whatever it says", async () => {
    for (const body of ["{}", "not JSON", '{"admin_graphql_api_id":7}']) {
      const answer = await deliver("inventory_levels/update", body);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ success: true });
    }
  });

  test("that is not signed, or by another, is refused", async () => {
    expect((await deliver("inventory_levels/update", "{}", "another")).status).toBe(401);
    expect((await server.stranger.request("POST", "/api/webhooks/shopify")).status).toBe(401);
  });

  test("that the same app signed for another shop is refused, and tells nothing of this one", async () => {
    const own = server.emulator.store.shop.myshopifyDomain;
    const ofShop = (shop: string) =>
      deliver("products/update", "{}", webhookSecret, { "x-shopify-shop-domain": shop });
    const refused = await ofShop("another.myshopify.com");
    expect(refused.status).toBe(401);
    expect(await refused.text()).not.toContain(own);
    expect((await ofShop(own)).status).toBe(200);
    expect((await ofShop(own.toUpperCase())).status).toBe(200);
  });

  test("of the diagnosis is told when the last one of Shopify's came, and is none of them", async () => {
    const probe = () => deliver("stocktake/diagnosis", "{}");
    const told = async () => (await probe()).headers.get("x-stocktake-last-webhook");
    await deliver("inventory_levels/update", "{}");
    const first = await told();
    expect(Date.parse(first ?? "")).toBeGreaterThan(0);
    clock.pass(1_000);
    expect(await told()).toBe(first);
    const another = await deliver("stocktake/diagnosis", "{}", "another");
    expect([another.status, another.headers.get("x-stocktake-last-webhook")]).toEqual([401, null]);
    const shopifys = await deliver("inventory_levels/update", "{}");
    expect(shopifys.headers.get("x-stocktake-last-webhook")).toBeNull();
  });

  test("about stock makes the session of that location read what moved", async () => {
    const session = await begin(server, await makeStore(server, { shopifyLocation: highStreet }));
    const shop = emulatorControl(server.emulator.url);
    await shop.setWebhook({ target: { url: `${server.url}/api/webhooks/shopify`, secret: webhookSecret } });
    await shop.sell({ item: "JK-1000", location: highStreet, quantity: 2 });
    const { deliveries } = await shop.deliveries();
    expect(deliveries.map(({ status }) => status)).toEqual([200]);
    await clock.untilAsleep(2_000);
    clock.pass(2_000);
    await vi.waitFor(async () => {
      const { rows } = await server.database.pool.query(
        "select on_hand from stock_readings where session_id = $1 order by read_at",
        [session._id],
      );
      expect(rows).toEqual([{ on_hand: 7 }, { on_hand: 5 }]);
    });
  });

  test.each(["products/create", "products/update", "products/delete"])(
    "of %s makes the catalogue be read, once for all that come in a minute",
    async (topic) => {
      // One that is still under way would be counted too.
      await server.context.catalogue.refresh();
      await server.shop.clearCalls();
      for (let hint = 0; hint < 5; hint += 1) await deliver(topic, "{}");
      await clock.untilAsleep(60_000);
      clock.pass(60_000);
      const readings = async () => {
        const { calls } = await server.shop.calls();
        return calls.filter(({ operation }) => operation === "CataloguePage").length;
      };
      await vi.waitFor(async () => expect(await readings()).toBe(1));
    },
  );

  test("of a product that is created while the catalogue is read makes it be read once more", async () => {
    // The test before may have left a reading under way, which has passed the call that is to hang.
    await server.context.catalogue.refresh();
    await server.shop.addFaults({
      faults: [{ match: { operation: "CataloguePage" }, effect: { kind: "hang", when: "after" } }],
    });
    const reading = server.context.catalogue.refresh();
    await server.shop.untilHanging();
    await server.shop.addProduct({ title: "Glove", variants: [{ sku: "GLOVE-1" }] });
    await deliver("products/create", "{}");
    await clock.untilAsleep(60_000);
    clock.pass(60_000);
    await clock.untilAsleep(60_000, 0);
    await server.shop.releaseHanging();
    await reading;
    await vi.waitFor(async () => {
      const { rows } = await server.database.pool.query("select from catalogue_items where sku = 'GLOVE-1'");
      expect(rows).toHaveLength(1);
    });
  });
});

import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../operations.ts";
import { openShop, type TestShop } from "../test-shop.ts";

const DAY = 24 * 60 * 60 * 1000;

function grant({ url }: TestShop, fields: Record<string, string>): Promise<Response> {
  return fetch(`${url}/admin/oauth/access_token`, { method: "POST", body: new URLSearchParams(fields) });
}

const CREDENTIALS = {
  grant_type: "client_credentials",
  client_id: "emulator-client",
  client_secret: "emulator-secret",
};

describe("signing in", () => {
  it("refuses an unknown token the way the platform does", async () => {
    const shop = await openShop();
    const response = await shop.send(OPERATIONS.shop, {}, { token: "shpat_other" });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      errors: "[API] Invalid API key or access token (unrecognized login or wrong password)",
    });
  });

  it("gives a token for client credentials that opens the shop for 24 hours", async () => {
    const shop = await openShop();
    const answer = await (await grant(shop, CREDENTIALS)).json();
    expect(answer).toEqual({
      access_token: expect.stringMatching(/^shpat_[0-9a-f]{32}$/),
      scope: "read_products,read_inventory,write_inventory,read_locations",
      expires_in: 86_399,
    });
    const token: string = Object(answer).access_token;
    expect((await shop.send(OPERATIONS.shop, {}, { token })).status).toBe(200);
    shop.advance(DAY);
    expect((await shop.send(OPERATIONS.shop, {}, { token })).status).toBe(401);
  });

  it("ends granted tokens on request, not the static one", async () => {
    const shop = await openShop();
    const token: string = Object(await (await grant(shop, CREDENTIALS)).json()).access_token;
    await shop.control.revokeTokens();
    expect((await shop.send(OPERATIONS.shop, {}, { token })).status).toBe(401);
    expect((await shop.send(OPERATIONS.shop)).status).toBe(200);
  });

  it("refuses wrong credentials and other grants", async () => {
    const shop = await openShop();
    expect((await grant(shop, { ...CREDENTIALS, client_secret: "guess" })).status).toBe(401);
    expect((await grant(shop, { ...CREDENTIALS, grant_type: "password" })).status).toBe(400);
  });

  it("can be made to fail", async () => {
    const shop = await openShop();
    const effect = { kind: "status", status: 503, when: "before" } as const;
    await shop.control.addFaults({ faults: [{ match: { operation: "accessToken" }, effect }] });
    expect((await grant(shop, CREDENTIALS)).status).toBe(503);
    expect((await grant(shop, CREDENTIALS)).status).toBe(200);
  });
});

describe("the GraphQL endpoint", () => {
  it("answers a wrong query with status 200 and errors", async () => {
    const shop = await openShop();
    const response = await shop.send("{ shop { nothing } }");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      errors: [{ message: 'Cannot query field "nothing" on type "Shop".' }],
    });
  });

  it("answers nothing under another version", async () => {
    const { url } = await openShop();
    expect((await fetch(`${url}/admin/api/2025-01/graphql.json`, { method: "POST" })).status).toBe(404);
  });

  it("draws the pictures of its products", async () => {
    const { url } = await openShop();
    const picture = await fetch(`${url}/images/tee.svg`);
    expect(picture.headers.get("content-type")).toBe("image/svg+xml");
    expect(await picture.text()).toContain('viewBox="0 0 400 600"');
    expect((await fetch(`${url}/images/none.svg`)).status).toBe(404);
  });

  it("names pictures and results under its public address", async () => {
    const shop = await openShop({ publicUrl: "https://shop.example" });
    const answer = await shop.ask(OPERATIONS.variants, { first: 1, locationId: shop.north });
    expect(JSON.stringify(answer.data)).toContain("https://shop.example/images/tee.svg");
  });
});

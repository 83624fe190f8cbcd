import { connections } from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { readConnections } from "./connections.ts";
import { healthRoutes } from "./routes.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, healthRoutes] });
});
afterAll(() => server.close());

describe("what the server talks to", () => {
  test("is an administrator's to know", async () => {
    const answer = await server.admin.call(connections, {});
    expect(Object.keys(answer).sort()).toEqual(["address", "database", "mail", "shopify"]);
  });

  test("names hosts, never a login, a token or a path", async () => {
    const answer = await readConnections(
      server.database.database,
      {
        databaseUrl: "postgres://stock:secret-1@db.internal:5432/stocktake?sslkey=/etc/key",
        shopify: {
          shop: "linden.myshopify.com",
          apiUrl: "https://linden.myshopify.com",
          auth: { kind: "token", accessToken: "secret-2" },
          webhookSecret: "secret-3",
        },
        smtp: { url: "smtps://mailer:secret-4@mail.internal:465", from: "Stocktake <count@linden.example>" },
        publicUrl: new URL("https://count.linden.example/"),
      },
      { ahead: () => ({ earliest: -2_400, latest: -1_600 }) },
    );
    expect(answer).toMatchObject({
      database: { kind: "server", name: "db.internal:5432 / stocktake" },
      shopify: {
        shop: "linden.myshopify.com",
        server: "linden.myshopify.com",
        webhooks: true,
        clockAheadSeconds: -2,
      },
      mail: { server: "mail.internal:465", from: "Stocktake <count@linden.example>" },
      address: "https://count.linden.example",
    });
    expect(JSON.stringify(answer)).not.toMatch(/secret|\/etc/);
  });

  test("says what is embedded and what is not configured", async () => {
    const none = { databaseUrl: null, shopify: null, smtp: null, publicUrl: null };
    expect(await readConnections(server.database.database, none, { ahead: () => null })).toEqual({
      database: { kind: "embedded", name: null },
      shopify: null,
      mail: null,
      address: null,
    });
  });
});

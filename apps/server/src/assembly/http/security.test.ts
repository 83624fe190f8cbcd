import { createHmac, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as contract from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Config } from "../../kernel/config.ts";
import { adminPassword, startTestServer, type TestServer, webhookSecret } from "../../testing/test-server.ts";
import { buildApp } from "../app.ts";
import { allSlices } from "../slices.ts";
import { givenTo, make, refusalOf, type Scene, samples, setScene } from "./testing.ts";
import { sendRaw } from "./testing-raw.ts";

let server: TestServer;
let scene: Scene;
let folder: string;
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  server = await startTestServer();
  scene = await setScene(server);
  folder = await mkdtemp(join(tmpdir(), "stocktake-web-"));
  await mkdir(join(folder, "web", "assets"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "a secret beside the web app");
  await writeFile(join(folder, "web", "index.html"), "<!doctype html><title>Stocktake</title>");
  await writeFile(join(folder, "web", "assets", "app-1a2b3c.js"), "export {};");
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await server.close();
  await rm(folder, { recursive: true });
});

/** The same parts behind another configuration, with a web app beside them. */
async function serve(config: Partial<Config> = {}): Promise<string> {
  const context = { ...server.context, config: { ...server.context.config, ...config } };
  const app = await buildApp(context, allSlices, join(folder, "web"));
  apps.push(app);
  return app.listen({ port: 0, host: "127.0.0.1" });
}

const shop = new URL("https://count.example.com");
const token = () => server.admin.token;

describe("the headers of every answer", () => {
  const paths = ["/", "/login", "/assets/app-1a2b3c.js", "/api/health", "/api/stores", "/api/nothing"];

  test("allow scripts of our own alone, no frame around us and no guess at types", async () => {
    const url = await serve();
    for (const path of paths) {
      const { headers } = await sendRaw(url, path);
      const policy = new Map(
        (headers.get("content-security-policy") ?? "").split(";").map((directive): [string, string[]] => {
          const [name = "", ...sources] = directive.trim().split(" ");
          return [name, sources];
        }),
      );
      expect([path, policy.get("default-src")]).toEqual([path, ["'self'"]]);
      expect(policy.get("script-src")).toEqual(["'self'", "'wasm-unsafe-eval'"]);
      expect(policy.get("frame-ancestors")).toEqual(["'none'"]);
      expect(policy.get("object-src")).toEqual(["'none'"]);
      expect(policy.get("base-uri")).toEqual(["'none'"]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("permissions-policy")).toBe(
        "camera=(self), microphone=(), geolocation=(), payment=()",
      );
      expect(headers.get("x-powered-by")).toBeNull();
    }
  });

  test("allow nothing at all where the path can't be read", async () => {
    const { headers } = await sendRaw(server.url, "/api/%zz");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test.each([
    ["https", shop, true],
    ["http", new URL("http://count.example.com"), false],
    ["nothing set", null, false],
  ])("ask for https from then on only where people come by https: %s", async (_name, publicUrl, asked) => {
    const { headers } = await sendRaw(await serve({ publicUrl }), "/api/health");
    expect(headers.has("strict-transport-security")).toBe(asked);
  });

  test("let nobody keep an answer about the counting", async () => {
    for (const path of ["/api/auth/me", "/api/stores", "/api/session"]) {
      const { headers } = await server.admin.request("GET", path);
      expect([path, headers.get("cache-control")]).toEqual([path, "no-store"]);
    }
  });

  test("let nobody keep one that was asked for by another spelling of its address", async () => {
    const { status, headers } = await sendRaw(server.url, "/%61pi/stores", { token: token() });
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  });
});

describe("the login's cookie", () => {
  /** As the page at an address does. */
  const signIn = async (url: string, origin: string) =>
    (
      await sendRaw(url, "/api/auth/admin/login", {
        method: "POST",
        headers: { "content-type": "application/json", origin },
        body: JSON.stringify({ password: adminPassword }),
      })
    ).headers.getSetCookie();

  test.each([
    ["https", shop, true],
    ["http", new URL("http://count.example.com"), false],
    ["nothing set", null, false],
  ])(
    "is one, for the server alone, and bound to https where people come by it, as is the browser's mark: %s",
    async (_name, publicUrl, secure) => {
      const url = await serve({ publicUrl });
      const [cookie = "", mark = "", ...others] = await signIn(url, publicUrl?.origin ?? url);
      expect(others).toEqual([]);
      expect(mark).toMatch(/^stocktake_device=[^;]*; /);
      expect(mark.split("; ")).toEqual(
        expect.arrayContaining(["HttpOnly", "SameSite=Lax", "Path=/api/auth"]),
      );
      expect(mark.split("; ").includes("Secure")).toBe(secure);
      const [pair = "", ...attributes] = cookie.split("; ");
      expect(pair).toMatch(/^stocktake_session=[\w-]{43}$/);
      const expected = [
        "HttpOnly",
        `Max-Age=${30 * 86_400}`,
        "Path=/",
        "SameSite=Lax",
        ...(secure ? ["Secure"] : []),
      ];
      expect(attributes.sort()).toEqual(expected.sort());
    },
  );

  test("is taken back under the same attributes by signing out", async () => {
    const url = await serve({ publicUrl: shop });
    const { headers } = await sendRaw(url, "/api/auth/logout", { method: "POST" });
    expect(headers.getSetCookie()).toEqual([
      "stocktake_session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
    ]);
  });

  test("is set by nothing but signing in", async () => {
    for (const { call } of samples.filter(
      (entry) => entry.call.method === "GET" && entry.call !== contract.events,
    )) {
      const { headers } = await make(server.admin, call, givenTo(call, scene.place));
      expect(headers.getSetCookie()).toEqual([]);
    }
  });
});

describe("a call of another site's page", () => {
  const foreign = [
    "https://evil.example",
    "null",
    "https://count.example.com.evil.example",
    "http://count.example.com",
  ];
  const exempt = contract.shopifyWebhook;
  const calls = samples.filter(({ call }) => call !== exempt).map(({ name, call }) => [name, call] as const);

  test.each(calls)("is refused by %s", async (_name, call) => {
    const { params, query } = givenTo(call, scene.place);
    const path = contract.callAddress(call, params, query);
    for (const origin of [...foreign, "http://localhost", server.url.replace("127.0.0.1", "localhost")]) {
      const answer = await sendRaw(server.url, path, {
        method: call.method,
        token: token(),
        headers: { origin },
      });
      expect([origin, refusalOf(answer).code]).toEqual([origin, "FORBIDDEN"]);
    }
  });

  test("is refused whatever else it gets wrong, for a page and for an unknown call too", async () => {
    const url = await serve();
    for (const path of ["/", "/api/nothing", "/assets/app-1a2b3c.js"]) {
      const answer = await sendRaw(url, path, { headers: { origin: "https://evil.example" } });
      expect(refusalOf(answer).code).toBe("FORBIDDEN");
    }
  });

  test("is told from one of our own by PUBLIC_URL, whatever the host is called on the way", async () => {
    const url = await serve({ publicUrl: new URL("https://count.example.com/") });
    const ask = (origin: string) => sendRaw(url, "/api/stores", { token: token(), headers: { origin } });
    expect((await ask("https://count.example.com")).status).toBe(200);
    for (const origin of [...foreign, url]) expect(refusalOf(await ask(origin)).code).toBe("FORBIDDEN");
  });

  test("is told from one of our own by the request's own host where PUBLIC_URL is unset", async () => {
    const ask = (origin: string) =>
      sendRaw(server.url, "/api/stores", { token: token(), headers: { origin } });
    expect((await ask(server.url)).status).toBe(200);
    expect(refusalOf(await ask(server.url.replace("http:", "https:"))).code).toBe("FORBIDDEN");
  });
});

describe("a webhook", () => {
  const body =
    '{"admin_graphql_api_id":"gid://shopify/InventoryLevel/1?inventory_item_id=2","location_id":3}';
  const sign = (secret: string, bytes = body) => createHmac("sha256", secret).update(bytes).digest("base64");
  const send = (headers: Record<string, string>) =>
    sendRaw(server.url, "/api/webhooks/shopify", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-shopify-topic": "inventory_levels/update",
        ...headers,
      },
      body,
    });

  test("is taken from anywhere when it is signed", async () => {
    const origin = "https://evil.example";
    expect((await send({ "x-shopify-hmac-sha256": sign(webhookSecret), origin })).status).toBe(200);
  });

  test.each([
    ["no signature", {}],
    ["an empty one", { "x-shopify-hmac-sha256": "" }],
    ["another secret's", { "x-shopify-hmac-sha256": sign("guess") }],
    ["an empty secret's", { "x-shopify-hmac-sha256": sign("x").slice(0, 0) }],
    ["another body's", { "x-shopify-hmac-sha256": sign(webhookSecret, `${body} `) }],
    ["half of the right one", { "x-shopify-hmac-sha256": sign(webhookSecret).slice(0, 20) }],
  ])("with %s is refused", async (_name, headers) => {
    expect(refusalOf(await send(headers)).code).toBe("UNAUTHENTICATED");
  });

  test("is refused where no secret is configured, even if it is signed with none", async () => {
    const { shopify } = server.context.config;
    const url = await serve({ shopify: shopify && { ...shopify, webhookSecret: null } });
    const headers = { "x-shopify-hmac-sha256": createHmac("sha256", "").update(body).digest("base64") };
    expect(
      refusalOf(await sendRaw(url, "/api/webhooks/shopify", { method: "POST", headers, body })).code,
    ).toBe("UNAUTHENTICATED");
  });
});

describe("guessing", () => {
  test("at passwords ends after ten wrong ones of an address, for each kind of login by itself", async () => {
    const own = await startTestServer();
    const guess = (call: contract.CallDefinition, password: string) =>
      make(own.stranger, call, { body: { username: "Nobody", password } });
    for (let time = 0; time < 10; time += 1) {
      expect((await guess(contract.adminLogin, randomUUID())).status).toBe(401);
    }
    const refused = await guess(contract.adminLogin, adminPassword);
    expect(refusalOf(refused).code).toBe("RATE_LIMITED");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await guess(contract.counterLogin, "counting")).status).toBe(401);
    await own.close();
  });
});

test("an event stream is opened by GET alone: a HEAD would hold it without reading it", async () => {
  for (let time = 0; time < 25; time += 1) {
    expect((await server.admin.request("HEAD", "/api/events")).status).toBe(405);
  }
});

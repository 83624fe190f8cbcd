import { health, ready } from "@stocktake/contract";
import { demoCatalogue } from "@stocktake/shopify-emulator";
import { afterEach, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { systemClock } from "../kernel/clock.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../testing/test-server.ts";
import { healthRoutes } from "./routes.ts";

let servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

async function start(options: TestServerOptions = {}) {
  const clock = createHeldClock();
  const passing = { ...clock, steady: () => systemClock.steady() + clock.now() - Date.now() };
  const server = await startTestServer({
    slices: [authRoutes, healthRoutes],
    ...options,
    environment: { clock: passing, ...options.environment },
  });
  servers.push(server);
  const read = () => server.stranger.call(health, {});
  return { server, clock, read };
}

describe("health", () => {
  test("says of every part how it is, to anyone, and no secret", async () => {
    const version = "1.0.0-20261127-0064-057dab4b";
    const { server, read } = await start({ environment: { version } });
    await server.context.catalogue.refresh();
    const found = await read();
    expect(found).toMatchObject({
      status: "ok",
      database: { status: "ok" },
      shopify: { status: "ok" },
      sync: { status: "ok" },
      mail: { status: "not_configured" },
      demo: false,
      version,
      epoch: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(JSON.stringify(found)).not.toMatch(/shpat|secret|postgres|127\.0\.0\.1/);
  });

  test("asks Shopify once in 15 s, however often it is asked itself", async () => {
    const { server, clock, read } = await start();
    await server.shop.clearCalls();
    await Promise.all(Array.from({ length: 20 }, read));
    await read();
    expect((await server.shop.calls()).calls).toHaveLength(1);
    clock.pass(15_000);
    await read();
    expect((await server.shop.calls()).calls).toHaveLength(2);
  });

  test("is good without Shopify, and does not wait for one that hangs", async () => {
    const { server, clock, read } = await start();
    await server.shop.addFaults({
      faults: [{ match: { operation: "Shop" }, effect: { kind: "hang", when: "before" }, times: "always" }],
    });
    const answer = read();
    await server.shop.untilHanging();
    // The database has been heard by then: only Shopify is still waited for.
    await clock.untilAsleep(2_000, 1);
    clock.pass(2_000);
    expect(await answer).toMatchObject({
      status: "ok",
      shopify: { status: "unavailable", message: "Shopify did not respond in time." },
      sync: { status: "unavailable" },
    });
  });

  test("says when the products were not read for hours, and when another shop is connected", async () => {
    const { server, clock, read } = await start();
    await server.context.catalogue.refresh();
    await server.database.pool.query("update installation set shop_domain = 'another.myshopify.com'");
    clock.pass(3 * 60 * 60 * 1000);
    expect(await read()).toMatchObject({
      status: "ok",
      shopify: { status: "unavailable", message: expect.stringContaining("another Shopify shop") },
      sync: { status: "unavailable" },
    });
  });

  test("tells of a mail server that does not answer", async () => {
    const check = vi.fn(() => Promise.resolve(false));
    const { read } = await start({
      environment: { mailer: { kind: "smtp", send: async () => undefined, check } },
    });
    expect((await read()).mail.status).toBe("unavailable");
    await read();
    expect(check).toHaveBeenCalledOnce();
  });

  test("is 503 when the database is gone, and says so", async () => {
    const { server } = await start();
    await server.database.database.destroy();
    for (const call of [health, ready]) {
      const { status, body } = await server.stranger.send(call, {});
      expect(status).toBe(503);
      expect(body).toMatchObject({ status: "unavailable", database: { status: "unavailable" }, epoch: null });
    }
  });

  test("says demo where the demo shop is connected", async () => {
    const { read } = await start({ catalogue: demoCatalogue() });
    expect((await read()).demo).toBe(true);
  });
});

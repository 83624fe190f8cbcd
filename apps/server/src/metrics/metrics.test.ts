import { deviceMaxSequence, listSessions, postScan } from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setScene } from "../assembly/http/testing.ts";
import { listen } from "../testing/event-client.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { expose } from "./exposition.ts";
import { Histogram } from "./histogram.ts";

const metricsToken = "a-token-of-the-operator";
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { metricsToken } });
});
afterAll(() => server.close());

async function scrape(token = metricsToken) {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The value of one line, by its name and labels as they are written. */
async function read(line: string): Promise<number | undefined> {
  const { text } = await scrape();
  const found = text.split("\n").find((candidate) => candidate.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

describe("/metrics", () => {
  test("is the operator's: not without a token, nor with another, nor for the administrator's cookie", async () => {
    expect((await server.stranger.request("GET", "/metrics")).status).toBe(401);
    expect((await server.admin.request("GET", "/metrics")).status).toBe(401);
    expect((await scrape("another-token-of-them")).status).toBe(401);
    const { status, headers, text } = await scrape();
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text).not.toContain(metricsToken);
  });

  test("is not there at all where no token is configured", async () => {
    const over = { emulator: server.emulator, database: server.database };
    const without = await startTestServer({ over });
    const { status, body } = await without.admin.request("GET", "/metrics");
    expect([status, body]).toEqual([404, expect.objectContaining({ code: "NOT_FOUND" })]);
    await without.close();
  });

  test("is what Prometheus reads: each metric with help and type, each line a number", async () => {
    const { text } = await scrape();
    const lines = text.trimEnd().split("\n");
    for (const line of lines) {
      expect(line).toMatch(
        /^# (?:HELP|TYPE) [a-z_0-9]+ .+$|^[a-z_0-9]+(?:\{(?:[a-z]+="[^"]*",?)+\})? -?[\d.e+-]+$/,
      );
    }
    const types = lines.flatMap((line) => /^# TYPE ([a-z_0-9]+) /.exec(line)?.[1] ?? []);
    expect(new Set(types).size).toBe(types.length);
    expect(types).toEqual(
      expect.arrayContaining([
        "stocktake_scans_total",
        "stocktake_request_duration_seconds",
        "stocktake_device_queue_scans",
        "stocktake_adjustments_running",
        "stocktake_shopify_cost_available",
        "stocktake_database_connections",
        "stocktake_event_streams",
        "process_resident_memory_bytes",
      ]),
    );
  });
});

describe("what is counted", () => {
  test("follows scans, calls, queues, sessions and streams", async () => {
    const counted = 'stocktake_scans_total{status="counted"}';
    const before = (await read(counted)) ?? 0;
    const { counter, place } = await setScene(server);
    expect(await read(counted)).toBe(before + 1);
    expect(await read("stocktake_sessions_active")).toBe(1);

    await server.database.pool.query("update session_devices set pending = 7");
    expect(await read("stocktake_device_queue_scans")).toBe(7);
    expect(await read("stocktake_device_queue_devices")).toBe(1);

    const told = { tellsQueue: "true", pending: "4", pendingOrder: "1" } as const;
    await counter.api.call(deviceMaxSequence, {
      query: { sessionId: place.sessionId, deviceId: "has only opened an area", ...told },
    });
    expect(await read("stocktake_device_queue_scans")).toBe(11);
    expect(await read("stocktake_device_queue_devices")).toBe(2);

    const scans = 'stocktake_request_duration_seconds_count{method="POST",route="/api/scan",status="201"}';
    const calls = (await read(scans)) ?? 0;
    await counter.api.call(postScan, {
      body: {
        sessionId: place.sessionId,
        storeId: place.storeId,
        locationId: place.locationId,
        areaCode: place.areaCode,
        input: "nothing of the shop",
        inputType: "sku",
        deviceId: place.deviceId,
        seq: 2,
        method: "scan",
      },
    });
    expect(await read(scans)).toBe(calls + 1);
    expect(await read('stocktake_scans_total{status="unresolved"}')).toBe(1);

    const stream = await listen(server.admin);
    expect(await read("stocktake_event_streams")).toBe(1);
    stream.close();
    await expect.poll(() => read("stocktake_event_streams")).toBe(0);
  });

  test("tells deploys that wait for an administrator from rollbacks that do", async () => {
    const { place } = await setScene(server);
    const { rows } = await server.database.pool.query(
      `insert into adjustments (session_id, status, basis, zero_uncounted, total_adjustments)
       values ($1, 'partial', 'end', false, 1) returning id`,
      [place.sessionId],
    );
    const waiting = async () => [
      await read("stocktake_deploys_partial"),
      await read("stocktake_rollbacks_partial"),
    ];
    const set = (change: string) =>
      server.database.pool.query(`update adjustments set ${change} where id = $1`, [rows[0].id]);
    expect(await waiting()).toEqual([1, 0]);
    await set("rollback_requested_at = now()");
    expect(await waiting()).toEqual([0, 1]);
    await set("status = 'applied'");
    expect(await waiting()).toEqual([0, 0]);
  });

  test("adds up whatever devices say that they hold", async () => {
    const { place } = await setScene(server);
    await server.database.pool.query(`
      insert into session_devices (session_id, device_id, user_id, pending)
      select session_id, 'made-up-' || number, user_id, 1000000
      from (select * from session_devices where session_id = '${place.sessionId}' limit 1) known, generate_series(1, 2200) number`);
    expect(await read("stocktake_database_up")).toBe(1);
    expect(await read("stocktake_device_queue_scans")).toBeGreaterThanOrEqual(2_200_000_000);
  });

  test("names routes, never what was asked for", async () => {
    await server.admin.call(listSessions, {});
    await server.stranger.request("GET", "/api/invitations/session/of-nobody-at-all");
    await server.stranger.request("GET", "/api/no-such-call-of-ours");
    const { text } = await scrape();
    expect(text).toContain('route="/api/session"');
    expect(text).not.toMatch(/of-nobody|no-such-call/);
  });

  test("goes on where the database can't be read, and says so", async () => {
    await server.database.pool.query("alter table session_devices rename to gone");
    expect(await read("stocktake_database_up")).toBe(0);
    expect(await read("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    await server.database.pool.query("alter table gone rename to session_devices");
    expect(await read("stocktake_database_up")).toBe(1);
  });

  test("knows what Shopify has cost", async () => {
    const before = (await read("stocktake_shopify_cost_total")) ?? 0;
    await server.context.platform.shop();
    expect(await read("stocktake_shopify_cost_total")).toBeGreaterThan(before);
    const maximum = await read("stocktake_shopify_cost_maximum");
    expect(await read("stocktake_shopify_cost_available")).toBeLessThanOrEqual(maximum ?? 0);
  });
});

test("a histogram's buckets hold what is below them too", () => {
  const histogram = new Histogram({ name: "took_seconds", help: "How long." });
  for (const seconds of [0.005, 0.02, 30]) histogram.observe({ route: 'a "b"\n' }, seconds);
  const text = expose([histogram.metric()]);
  expect(text).toContain('took_seconds_bucket{route="a \\"b\\"\\n",le="0.005"} 1\n');
  expect(text).toContain('le="0.025"} 2\n');
  expect(text).toContain('le="25"} 2\n');
  expect(text).toContain('le="+Inf"} 3\n');
  expect(text).toContain('took_seconds_count{route="a \\"b\\"\\n"} 3\n');
});

import { endSession, type LiveEvent } from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { type EventClient, listen } from "../testing/event-client.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { begin, join, makePermanentCounter, makeStore } from "../testing/scenes.ts";
import type { TestApi } from "../testing/test-api.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { eventRoutes } from "./routes.ts";

const slices = [authRoutes, sessionRoutes, eventRoutes];
const heartbeatMs = 25_000;
const clock = createHeldClock();
const clients: EventClient[] = [];
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ slices, environment: { clock } });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => server.close());

async function open(api: TestApi): Promise<EventClient> {
  const client = await listen(api);
  clients.push(client);
  return client;
}

describe("the event stream", () => {
  test("is for whoever is signed in, as a stream that nothing on the way keeps back", async () => {
    expect((await open(server.stranger)).status).toBe(401);
    const { status, headers } = await open(server.admin);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/event-stream");
    expect(headers.get("cache-control")).toContain("no-transform");
    expect(headers.get("content-encoding")).toBeNull();
    expect(headers.get("x-accel-buffering")).toBe("no");
  });

  test("tells the administrator everything", async () => {
    const page = await open(server.admin);
    const session = await begin(server, await makeStore(server));
    await page.until({ type: "session", sessionId: session._id });
    server.context.events.publish({ type: "invitation", sessionId: session._id });
    server.context.events.publish({ type: "adjustment", sessionId: session._id });
    await page.until({ type: "invitation", sessionId: session._id });
    await page.until({ type: "adjustment", sessionId: session._id });
  });

  test("tells a temporary counter of their own session and store alone, and never of invitations", async () => {
    const [store, foreign] = [await makeStore(server), await makeStore(server)];
    const [session, foreignSession] = [await begin(server, store), await begin(server, foreign)];
    const page = await open((await join(server, session)).api);
    const { events } = server.context;
    events.publish({ type: "scan", sessionId: foreignSession._id, storeId: foreign.id, areaId: "a" });
    events.publish({ type: "store", storeId: foreign.id });
    events.publish({ type: "invitation", sessionId: session._id, storeId: store.id });
    events.publish({ type: "scan", sessionId: session._id, storeId: store.id, areaId: "b" });
    events.publish({ type: "store", storeId: store.id });
    await page.until({ type: "scan", sessionId: session._id });
    await page.until({ type: "store", storeId: store.id });
    expect(page.heard.some(({ storeId }) => storeId === foreign.id)).toBe(false);
    expect(page.heard.some(({ type }) => type === "invitation")).toBe(false);
  });

  test("tells a permanent counter of sessions while they run, of their beginning and their end", async () => {
    const page = await open((await makePermanentCounter(server)).api);
    const store = await makeStore(server);
    const { events } = server.context;
    events.publish({ type: "scan", storeId: store.id });
    const session = await begin(server, store);
    await page.until({ type: "session", sessionId: session._id });
    const isScanHere = ({ type, storeId }: LiveEvent) => type === "scan" && storeId === store.id;
    expect(page.heard.some(isScanHere)).toBe(false);
    await server.admin.call(endSession, { body: { sessionId: session._id } });
    await vi.waitFor(() => {
      const heard = page.heard.filter(
        ({ type, sessionId }) => type === "session" && sessionId === session._id,
      );
      // The start, then the end; the request to end may be told with either.
      expect(heard.length).toBeGreaterThanOrEqual(2);
    });
    events.publish({ type: "scan", sessionId: session._id, storeId: store.id });
    events.publish({ type: "catalogue" });
    await page.until({ type: "catalogue" });
    expect(page.heard.some(isScanHere)).toBe(false);
  });

  test("ends with a revoked invitation at once", async () => {
    const session = await begin(server, await makeStore(server));
    const counter = await join(server, session);
    const page = await open(counter.api);
    await server.database.pool.query("update invitations set revoked_at = now() where id = $1", [
      counter.invitationId,
    ]);
    server.context.events.publish({ type: "invitation", sessionId: session._id });
    await page.ended;
  });

  test("says now and then that it is there, and ends with its login", async () => {
    const counter = await makePermanentCounter(server, "Linus");
    const page = await open(counter.api);
    const before = page.comments.length;
    await clock.untilAsleep(heartbeatMs);
    clock.pass(heartbeatMs);
    await vi.waitFor(() => expect(page.comments.length).toBe(before + 1));
    await server.database.pool.query("delete from logins where user_id = $1", [counter.userId]);
    await vi.waitFor(() => {
      clock.pass(heartbeatMs);
      return Promise.race([page.ended, Promise.reject(new Error("not yet"))]);
    });
  });

  test("of a login that opens too many ends the oldest one: its browser has left that", async () => {
    const { api } = await makePermanentCounter(server, "Many");
    const oldest = await open(api);
    const pages = await Promise.all(Array.from({ length: 19 }, () => open(api)));
    expect((await open(api)).status).toBe(200);
    await oldest.ended;
    server.context.events.publish({ type: "catalogue" });
    for (const page of pages) await page.until({ type: "catalogue" });
  });

  test("ends when the server does, without holding it up", async () => {
    const own = await startTestServer({ slices });
    const page = await listen(own.admin);
    await own.close();
    await page.ended;
  });
});

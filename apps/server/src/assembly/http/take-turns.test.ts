import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import * as contract from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../../auth/routes.ts";
import { invitationRoutes } from "../../invitations/routes.ts";
import { systemClock } from "../../kernel/clock.ts";
import { route } from "../../kernel/route.ts";
import { sessionRoutes } from "../../sessions/routes.ts";
import { begin, join, makeStore } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import type { SliceRoutes } from "../app.ts";

/** Calls that are under way until they are let go. */
const underWay: (() => void)[] = [];
let begun = 0;
const hold = () =>
  new Promise<void>((go) => {
    begun += 1;
    underWay.push(go);
  });

const heldRoutes: SliceRoutes = (app) => {
  route(app, contract.listAreas, async () => {
    await hold();
    return { areas: [], next: null, total: 0 };
  });
  route(app, contract.undoScan, async () => ({ undone: { seq: 1, sku: null } }));
  route(
    app,
    contract.postScanBatch,
    async () => {
      await hold();
      return { results: [] };
    },
    { isBatch: true },
  );
};

/** How long refusals were kept waiting, in milliseconds. */
const waits: number[] = [];
const clock: typeof systemClock = {
  ...systemClock,
  sleep: async (milliseconds, signal) => {
    if (milliseconds === 1_000) waits.push(milliseconds);
    else await systemClock.sleep(milliseconds, signal);
  },
};

let server: TestServer;
let flooding: TestApi;
let other: TestApi;

beforeAll(async () => {
  server = await startTestServer({
    ...{ slices: [authRoutes, sessionRoutes, invitationRoutes, heldRoutes], environment: { clock } },
  });
  const session = await begin(server, await makeStore(server));
  flooding = (await join(server, session, { name: "Ada" })).api;
  other = (await join(server, session, { name: "Bob" })).api;
});
afterAll(() => server.close());
afterEach(() => {
  begun = 0;
  waits.length = 0;
});

async function letAllGo(calls: readonly Promise<unknown>[]): Promise<void> {
  let isOver = false;
  const over = Promise.all(calls).finally(() => {
    isOver = true;
  });
  await vi.waitFor(() => {
    for (const go of underWay.splice(0)) go();
    expect(isOver).toBe(true);
  });
  await over;
}

/** A connection over which whoever floods has sent the head of a request. */
async function sendHead(method: string, path: string, headers: readonly string[] = []): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const lines = ["Host: localhost", `Cookie: stocktake_session=${flooding.token}`, ...headers];
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  return socket;
}

const statusesOf = async (calls: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status);
const list = (api: TestApi) => api.send(contract.listAreas, {});
const batch = (api: TestApi) => api.send(contract.postScanBatch, { body: { scans: [{}] } });

describe("the calls of one person", () => {
  test.each([
    ["lists", list],
    ["batches", batch],
  ])("are made one at a time where they are %s, and hold up nobody else's", async (_name, call) => {
    const flood = Array.from({ length: 8 }, () => call(flooding));
    await vi.waitFor(() => expect(begun).toBe(1));
    const others = call(other);
    await vi.waitFor(() => expect(begun).toBe(2));
    await letAllGo([...flood, others]);
    expect(await statusesOf(flood)).toEqual(flood.map(() => 200));
    expect(begun).toBe(9);
  });

  test("never wait for their lists or batches where they are others", async () => {
    const waiting = [list, list, batch, batch].map((call) => call(flooding));
    await vi.waitFor(() => expect(begun).toBe(2));
    const body = { sessionId: "session", deviceId: "device", areaCode: "A1" };
    expect((await flooding.send(contract.undoScan, { body })).status).toBe(200);
    await letAllGo(waiting);
  });

  test("are not made one after the other where the administrator makes them", async () => {
    const lists = [list(server.admin), list(server.admin), list(server.admin)];
    await vi.waitFor(() => expect(begun).toBe(3));
    await letAllGo(lists);
  });

  test("that are cut off keep their turn while they are under way, and are not made where they waited", async () => {
    const first = await sendHead("GET", contract.listAreas.path);
    await vi.waitFor(() => expect(begun).toBe(1));
    const came: Socket[] = [];
    const note = (request: IncomingMessage) => came.push(request.socket);
    server.app.server.on("request", note);
    const waiting = await Promise.all(
      Array.from({ length: 5 }, () => sendHead("GET", contract.listAreas.path)),
    );
    await vi.waitFor(() => expect(came).toHaveLength(waiting.length));
    server.app.server.off("request", note);
    for (const socket of [first, ...waiting]) socket.destroy();
    await vi.waitFor(() => expect(came.filter(({ destroyed }) => !destroyed)).toEqual([]));
    const next = list(flooding);
    expect(begun).toBe(1);
    await letAllGo([next]);
    expect((await next).status).toBe(200);
    expect(begun).toBe(2);
  });

  test("of a body that can't be read leave the turn to the next", async () => {
    const headers = { "content-type": "application/json", cookie: `stocktake_session=${flooding.token}` };
    const path = `${server.url}${contract.postScanBatch.path}`;
    for (const body of ["{", "[]", ""]) {
      expect((await fetch(path, { method: "POST", headers, body })).status).toBe(400);
    }
    const next = batch(flooding);
    await letAllGo([next]);
    expect((await next).status).toBe(200);
  });
});

describe("batches of one person beyond those that may wait", () => {
  test("are refused and told when to ask again, while others' get through", async () => {
    const sent = Array.from({ length: 40 }, () => batch(flooding));
    const refused = await Promise.any(
      sent.map(async (one) => {
        const answer = await one;
        expect(answer.status).toBe(503);
        return answer;
      }),
    );
    expect(refused.body).toMatchObject({ code: "OVERLOADED" });
    expect(refused.headers.get("retry-after")).toBe("2");
    const others = batch(other);
    await vi.waitFor(() => expect(begun).toBe(2));
    await letAllGo([...sent, others]);
    expect((await others).status).toBe(200);
    expect((await statusesOf(sent)).filter((status) => status === 200)).toHaveLength(24);
    expect(begun).toBe(25);
  });

  test("are refused before they are read, a second after they were asked for", async () => {
    const all = Array.from({ length: 24 }, () => batch(flooding));
    await vi.waitFor(() => expect(begun).toBe(1));
    // Their bodies have come once one more is refused.
    await vi.waitFor(async () => expect(await headStatus()).toBe("HTTP/1.1 503"));
    expect(waits.length).toBeGreaterThan(0);
    await letAllGo(all);
  });

  /** The status of a batch of which the head alone is sent. */
  async function headStatus(): Promise<string> {
    const socket = await sendHead("POST", contract.postScanBatch.path, [
      ...["Content-Type: application/json", "Content-Length: 100000"],
    ]);
    try {
      // Where it was let in after all, it would wait for its body.
      const [data] = await once(socket, "data", { signal: AbortSignal.timeout(10_000) });
      return String(data).slice(0, 12);
    } finally {
      socket.destroy();
    }
  }
});

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { callAddress, endSession, exportReport, listStores } from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loginCookie } from "../auth/authentication.ts";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

/** More than the connection between two processes holds, so that an export waits for its reader. */
const rows = 20_000;

let server: TestServer;
let address: string;

beforeAll(async () => {
  server = await startTestServer();
  const session = await begin(server, await makeStore(server));
  await sql`
    insert into session_items (session_id, sku, inventory_item_id, variant_number, product_title, tracked, bundle,
      stocked, start_on_hand)
    select ${session._id}::uuid, 'MANY-' || number, 'gid://shopify/InventoryItem/9' || number, number,
      repeat('A long title ', 50), true, false, true, 1
    from generate_series(1, ${rows}::integer) number`.execute(server.database.database);
  await server.admin.call(endSession, { body: { sessionId: session._id } });
  await server.database.database
    .updateTable("sessionItems")
    .set({ endOnHand: 1, gone: false })
    .where("sku", "like", "MANY-%")
    .execute();
  const params = { sessionId: session._id };
  address = server.url + callAddress(exportReport, params, { view: "all" });
});
afterAll(() => server.close());

async function open(packing: string): Promise<IncomingMessage> {
  const call = request(address, {
    headers: { cookie: `${loginCookie}=${server.admin.token}`, "accept-encoding": packing },
  });
  call.end();
  const [answer] = await once(call, "response");
  return answer;
}

/**
 * The connections of the server that hold a transaction or work just now; a worker that vacuums is none of them, nor is one that tells
 * the pages or reads the database's time.
 */
async function busyConnections(): Promise<number[]> {
  const { rows: busy } = await server.database.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
       and xact_start is not null and query !~ 'pg_notify|^select clock_timestamp'`,
  );
  return busy.map(({ pid }) => pid);
}

describe("an export that is larger than what is on its way", () => {
  test("comes to its last row", async () => {
    let bytes = 0;
    let lines = 0;
    const answer = await open("identity");
    for await (const chunk of answer) {
      bytes += chunk.length;
      lines += chunk.toString("latin1").split("\n").length - 1;
    }
    expect(bytes).toBeGreaterThan(10_000_000);
    expect(lines).toBeGreaterThan(rows);
    await vi.waitFor(async () => expect(await busyConnections()).toEqual([]));
  });

  test.each(["identity", "gzip"])(
    "lets go of the database when its reader goes away (%s)",
    async (packing) => {
      const answer = await open(packing);
      await once(answer, "readable");
      expect(await busyConnections()).toHaveLength(1);
      answer.destroy();
      await vi.waitFor(async () => expect(await busyConnections()).toEqual([]));
    },
  );

  test.each(["goes on", "fails"])(
    "lets go of the database when its reader goes away while the next rows are being read, which %s",
    async (outcome) => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => unhandled.push(reason);
      process.on("unhandledRejection", note);
      try {
        const answer = await open("identity");
        let bytes = 0;
        for await (const chunk of answer) {
          bytes += chunk.length;
          if (bytes < 100_000) continue;
          // Rows have come: those after them have been asked for.
          const [pid] = await busyConnections();
          if (outcome === "fails") await server.database.pool.query("select pg_terminate_backend($1)", [pid]);
          // Leaving the loop is going away.
          break;
        }
        await vi.waitFor(async () => expect(await busyConnections()).toEqual([]));
        expect((await server.admin.call(listStores, {})).stores).toHaveLength(1);
      } finally {
        process.off("unhandledRejection", note);
      }
      expect(unhandled).toEqual([]);
    },
  );

  test("breaks off, instead of looking whole, when the database drops it, and nothing else with it", async () => {
    const answer = await open("identity");
    await once(answer, "readable");
    const [pid] = await busyConnections();
    await server.database.pool.query("select pg_terminate_backend($1)", [pid]);
    await expect(
      (async () => {
        for await (const _chunk of answer);
      })(),
    ).rejects.toThrow("aborted");
    expect((await server.admin.call(listStores, {})).stores).toHaveLength(1);
  });

  test("leaves connections to everybody else: a fifth at a time is turned away until one is done", async () => {
    const stalled: IncomingMessage[] = [];
    for (let number = 1; number <= 4; number += 1) {
      const answer = await open("identity");
      await once(answer, "readable");
      stalled.push(answer);
    }
    const refused = await open("identity");
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "60"]);
    expect(JSON.parse(await text(refused))).toMatchObject({ code: "OVERLOADED" });
    stalled[0]?.destroy();
    const next = await vi.waitFor(async () => {
      const answer = await open("identity");
      expect(answer.statusCode).toBe(200);
      return answer;
    });
    for (const answer of [...stalled, next]) answer.destroy();
    await vi.waitFor(async () => expect(await busyConnections()).toEqual([]));
  });
});

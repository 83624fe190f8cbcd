import { type CountingSession, endSession, listSessions, sessionPasses } from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { catalogueRoutes } from "../catalogue/routes.ts";
import { respondWithinMs } from "../operations/operation-runner.ts";
import { operationRoutes } from "../operations/routes.ts";
import { failWritesOf } from "../testing/failing-writes.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";
import { sessionRoutes } from "./routes.ts";

const slices = [authRoutes, sessionRoutes, operationRoutes, catalogueRoutes];
const clock = createHeldClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ slices, environment: { workClock: clock } });
});
afterEach(async () => {
  await server.shop.clearFaults();
  await server.shop.releaseHanging();
});
afterAll(() => server.close());

async function beginAt(shopifyLocation?: string) {
  const store = await makeStore(server, shopifyLocation === undefined ? {} : { shopifyLocation });
  return { store, session: await begin(server, store) };
}

async function end(sessionId: string): Promise<{ session: CountingSession }> {
  const answer = await server.admin.call(endSession, { body: { sessionId } });
  if (!("session" in answer)) throw new Error("The session was not ended in time.");
  return answer;
}

function refusal(sessionId: string) {
  return server.admin.refusal(endSession, { body: { sessionId } });
}

function itemsOf(sessionId: string) {
  return server.database.database
    .selectFrom("sessionItems")
    .select(["sku", "plainSku", "startOnHand", "endOnHand", "unitCostCents", "gone"])
    .where("sessionId", "=", sessionId)
    .orderBy("sku")
    .execute();
}

async function setArea(store: TestStore, index: number, status: "in_progress" | "closed"): Promise<void> {
  const { pool } = server.database;
  const { rows } = await pool.query("update areas set status = $2 where id = $1 returning pass", [
    store.areas[index]?.id,
    status,
  ]);
  if (status !== "closed") return;
  await pool.query(
    "update area_passes set ended_as = 'closed', ended_at = now() where area_id = $1 and pass = $2",
    [store.areas[index]?.id, rows[0].pass],
  );
}

async function expectStillActive(sessionId: string): Promise<void> {
  const { sessions } = await server.admin.call(listSessions, {});
  expect(sessions.find(({ _id }) => _id === sessionId)).toMatchObject({
    status: "active",
    endedAt: null,
    snapshot: { status: "complete" },
  });
  expect((await itemsOf(sessionId)).every((item) => item.endOnHand === null)).toBe(true);
}

describe("ending a session", () => {
  test("keeps the end's stock and cost beside the start's, for what came and what went as well [spec:4.5]", async () => {
    const { session } = await beginAt(highStreet);
    await server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 2 });
    await server.shop.changeVariant({ item: "JK-1001", change: { unitCost: "13.00" } });
    const { variants } = await server.shop.addProduct({
      title: "Glove",
      variants: [{ sku: "GLOVE-1", stock: [{ available: 6 }] }],
    });
    await server.shop.deleteVariant({ item: "SET-1" });
    const { session: ended } = await end(session._id);
    expect(ended).toMatchObject({ status: "closed", snapshot: { status: "complete", items: 10 } });
    const items = new Map((await itemsOf(session._id)).map((item) => [item.sku, item]));
    expect(items.get("JK-1000")).toMatchObject({ startOnHand: 7, endOnHand: 5 });
    expect(items.get("JK-1001")).toMatchObject({ endOnHand: 8, unitCostCents: 1300 });
    expect(items.get("GLOVE-1")).toMatchObject({ startOnHand: 0, endOnHand: 6, gone: false });
    expect(items.get("SET-1")).toMatchObject({ startOnHand: 3, endOnHand: 0, gone: true });
    await server.shop.deleteVariant({ item: variants[0]?.id ?? "" });
  });

  test("records which areas were never closed, ends their passes and leaves every status as it is", async () => {
    const { store, session } = await beginAt();
    await setArea(store, 0, "closed");
    await setArea(store, 1, "in_progress");
    await end(session._id);
    const { sessions } = await server.admin.call(listSessions, {});
    expect(sessions.find(({ _id }) => _id === session._id)?.openAreas).toEqual([
      { _id: store.areas[1]?.id, code: "A2", name: "Area A2", status: "in_progress" },
    ]);
    const { passes } = await server.admin.call(sessionPasses, { params: { id: session._id } });
    expect(new Map(passes.map(({ areaId, endedAs }) => [areaId, endedAs]))).toEqual(
      new Map([
        [store.areas[0]?.id, "closed"],
        [store.areas[1]?.id, "session_ended"],
      ]),
    );
    const rows = await server.database.database
      .selectFrom("areas")
      .select("status")
      .where("storeId", "=", store.id)
      .orderBy("code")
      .execute();
    expect(rows.map(({ status }) => status)).toEqual(["closed", "in_progress"]);
    const kept = await server.database.database
      .selectFrom("sessions")
      .select("areaCount")
      .where("id", "=", session._id)
      .executeTakeFirstOrThrow();
    expect(kept.areaCount).toBe(2);
  });

  test("is refused for a session that does not exist or has ended", async () => {
    const { session } = await beginAt();
    await end(session._id);
    expect(await refusal(session._id)).toMatchObject({ status: 409, code: "SESSION_CLOSED" });
    expect(await refusal("nothing")).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  test("is visible while it runs, counts until it is done, and is not begun twice", async () => {
    const { session } = await beginAt();
    await server.shop.addFaults({
      faults: [{ match: { operation: "VariantsPage" }, effect: { kind: "hang", when: "before" } }],
    });
    const answer = server.admin.send(endSession, { body: { sessionId: session._id } });
    await server.shop.untilHanging();
    const { sessions } = await server.admin.call(listSessions, {});
    expect(sessions.find(({ _id }) => _id === session._id)).toMatchObject({
      status: "active",
      snapshot: { status: "ending" },
    });
    expect(await refusal(session._id)).toMatchObject({ status: 409, code: "SESSION_ENDING" });
    await clock.untilAsleep(respondWithinMs);
    clock.pass(respondWithinMs);
    expect(await answer).toMatchObject({
      status: 202,
      body: { operation: { kind: "end", status: "running" } },
    });
    await server.shop.releaseHanging();
    await vi.waitFor(async () =>
      expect(await refusal(session._id)).toMatchObject({ code: "SESSION_CLOSED" }),
    );
  });

  test("twice at the same time ends it once", async () => {
    const { session } = await beginAt();
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.admin.send(endSession, { body: { sessionId: session._id } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  });

  test.each(["Shop", "Locations", "VariantsCount", "VariantsPage"])(
    "leaves the session active when Shopify fails at %s, and can be done again at once",
    async (operation) => {
      const { session } = await beginAt();
      await server.shop.addFaults({
        faults: [
          { match: { operation }, effect: { kind: "status", status: 500, when: "before" }, times: "always" },
        ],
      });
      expect(await refusal(session._id)).toMatchObject({ status: 503, code: "PLATFORM_UNAVAILABLE" });
      await expectStillActive(session._id);
      await server.shop.clearFaults();
      expect(await end(session._id)).toMatchObject({ session: { status: "closed" } });
    },
  );

  test.each(["session_items", "area_passes", "stock_readings"])(
    "leaves the session active when the database fails at %s",
    async (table) => {
      const { session } = await beginAt();
      const repair = await failWritesOf(server, table);
      const refused = await refusal(session._id);
      await repair();
      expect(refused).toMatchObject({ status: 503, code: "STORAGE_UNAVAILABLE" });
      await expectStillActive(session._id);
      expect(await end(session._id)).toMatchObject({ session: { status: "closed" } });
    },
  );

  test("whose process was killed leaves the session active, and can be done again", async () => {
    const { store, session } = await beginAt();
    const { pool } = server.database;
    await pool.query("update sessions set status = 'ending' where id = $1", [session._id]);
    await pool.query(
      `insert into operations (kind, store_id, session_id, worker, lease_until)
       values ('end', $1, $2, gen_random_uuid(), now() - interval '1 second')`,
      [store.id, session._id],
    );
    await server.context.operations.sweep();
    await expectStillActive(session._id);
    expect(await end(session._id)).toMatchObject({ session: { status: "closed" } });
  });

  test("is refused while another session's deploy or rollback moves the same stock", async () => {
    const { store, session: earlier } = await beginAt();
    await end(earlier._id);
    const { pool } = server.database;
    const adjust = async (status: string) => {
      const { rows } = await pool.query(
        `insert into adjustments (session_id, status, basis, zero_uncounted, total_adjustments)
         values ($1, $2, 'end', false, 1) returning id`,
        [earlier._id, status],
      );
      return rows[0].id;
    };
    const session = await begin(server, store);
    const pending = await adjust("pending");
    expect(await refusal(session._id)).toMatchObject({ status: 409, code: "DEPLOY_RUNNING" });
    await pool.query("update adjustments set status = 'applied' where id = $1", [pending]);
    await pool.query(
      `insert into operations (kind, session_id, worker, lease_until)
       values ('rollback', $1, gen_random_uuid(), now() + interval '1 minute')`,
      [earlier._id],
    );
    expect(await refusal(session._id)).toMatchObject({ status: 409, code: "DEPLOY_RUNNING" });
    await expectStillActive(session._id);
    await pool.query("update operations set status = 'done' where kind = 'rollback'");
    expect(await end(session._id)).toMatchObject({ session: { status: "closed" } });
  });

  test("is refused where a shop other than the one of its start is connected", async () => {
    const { session } = await beginAt();
    const { pool } = server.database;
    await pool.query("update sessions set shop_domain = 'another.myshopify.com' where id = $1", [
      session._id,
    ]);
    expect(await refusal(session._id)).toMatchObject({ status: 409, code: "SHOP_CHANGED" });
    await expectStillActive(session._id);
  });

  test("frees the store for the next session", async () => {
    const { store, session } = await beginAt();
    await end(session._id);
    const next = await begin(server, store, "partial");
    expect(next).toMatchObject({ status: "active", scope: "partial" });
    expect(next._id).not.toBe(session._id);
  });
});

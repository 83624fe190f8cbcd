import type { LiveEvent } from "@stocktake/contract";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { createHeldClock, type HeldClock } from "../testing/held-clock.ts";
import type { EventBus } from "./event-bus.ts";
import { createEventBus } from "./notifying-bus.ts";

let db: TestDatabase;
const buses: EventBus[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
});
afterAll(() => db.drop());

/** A node's bus and what it hears. */
async function node(clock: HeldClock = createHeldClock()) {
  const bus = await createEventBus({
    connection: db.connection,
    database: db.database,
    logger: pino({ level: "silent" }),
    clock,
  });
  buses.push(bus);
  const heard: LiveEvent[] = [];
  bus.subscribe((event) => heard.push(event));
  return { bus, clock, heard };
}

const session = "5d0f2e1a-0000-4000-8000-000000000001";

describe("the event bus", () => {
  test("brings an event to every node, its own too", async () => {
    const [one, other] = [await node(), await node()];
    one.bus.publish({ type: "session", sessionId: session });
    for (const { heard } of [one, other]) {
      await vi.waitFor(() => expect(heard).toEqual([{ type: "session", sessionId: session }]));
    }
  });

  test("tells the first event of a session at once and the rest together, each hint once", async () => {
    const { bus, clock, heard } = await node();
    bus.publish({ type: "scan", sessionId: session, areaId: "a" });
    await clock.untilAsleep(500);
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    for (let round = 0; round < 50; round += 1) {
      bus.publish({ type: "scan", sessionId: session, areaId: "a" });
      bus.publish({ type: "scan", sessionId: session, areaId: "b", pass: 2 });
    }
    expect(heard).toHaveLength(1);
    clock.pass(500);
    await vi.waitFor(() =>
      expect(heard.slice(1)).toEqual([
        { type: "scan", sessionId: session, areaId: "a" },
        { type: "scan", sessionId: session, areaId: "b", pass: 2 },
      ]),
    );
  });

  test("tells of the session as a whole when too much happens in it, and loses no kind of hint", async () => {
    const { bus, clock, heard } = await node();
    bus.publish({ type: "scan", sessionId: session });
    await clock.untilAsleep(500);
    for (let area = 0; area < 300; area += 1)
      bus.publish({ type: "scan", sessionId: session, areaId: `${area}` });
    bus.publish({ type: "area", sessionId: session, areaId: "x" });
    clock.pass(500);
    await vi.waitFor(() => expect(heard.at(-1)).toEqual({ type: "area", sessionId: session }));
    expect(heard).toContainEqual({ type: "scan", sessionId: session });
    expect(heard.length).toBeLessThan(110);
  });

  test("does not hold one session's events back for another's", async () => {
    const { bus, clock, heard } = await node();
    bus.publish({ type: "scan", sessionId: session });
    await clock.untilAsleep(500);
    bus.publish({ type: "scan", sessionId: "another" });
    await vi.waitFor(() => expect(heard).toHaveLength(2));
  });

  test("tells what waits before it closes", async () => {
    const [leaving, other] = [await node(), await node()];
    leaving.bus.publish({ type: "scan", sessionId: session });
    await leaving.clock.untilAsleep(500);
    leaving.bus.publish({ type: "area", sessionId: session });
    await leaving.bus.close();
    await vi.waitFor(() => expect(other.heard).toContainEqual({ type: "area", sessionId: session }));
  });

  test("says that anything may have changed after its connection was lost", async () => {
    const { heard } = await node();
    await db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'stocktake-listen' and datname = current_database()`,
    );
    await vi.waitFor(() => expect(heard.map(({ type }) => type)).toContain("area"));
    expect(heard).toContainEqual({ type: "session" });
  });

  test("goes on when one listener fails, and leaves out what it can't read", async () => {
    const { bus, heard } = await node();
    bus.subscribe(() => {
      throw new Error("a page that is gone");
    });
    await db.pool.query("select pg_notify('stocktake_events', 'not JSON')");
    bus.publish({ type: "store", storeId: "s" });
    await vi.waitFor(() => expect(heard).toEqual([{ type: "store", storeId: "s" }]));
  });
});

import { type LiveEvent, secondCounts, setStoreTolerance, type Tolerance } from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { clearAway } from "../scanning/testing/scene.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { applyTolerances, followClosings } from "./ask-by-tolerance.ts";
import { CountedAreas } from "./testing/counted-areas.ts";

let server: TestServer;
let count: CountedAreas;
/** Says an event that this node alone receives. */
let say: (event: LiveEvent) => void;
let stop: () => Promise<void>;

const none = { units: null, money: null, stockPercent: null, moneyPercent: null };
const anyUnit: Tolerance = { over: { ...none, units: 0 }, short: none };
/** As the test shop has it, and one jacket more. */
const miscounted = { "JK-1000": 8, "JK-1001": 8, "JK-1002": 9 };

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  count = await CountedAreas.begin(server, ["A1", "A2", "A3"]);
  await server.admin.call(setStoreTolerance, {
    ...{ params: { id: count.store.id }, body: { tolerance: anyUnit } },
  });
  const listeners: ((event: LiveEvent) => void)[] = [];
  const subscribe = (listener: (event: LiveEvent) => void) => {
    listeners.push(listener);
    return () => {};
  };
  stop = followClosings({ ...server.context, events: { ...server.context.events, subscribe } });
  say = (event) => {
    for (const listener of listeners) listener(event);
  };
});
afterEach(async () => {
  await stop();
  await clearAway(server);
});
afterAll(() => server.close());

async function asked(): Promise<readonly string[]> {
  const answer = await server.admin.call(secondCounts, { params: { id: count.session._id } });
  return answer.secondCounts.map(({ area }) => area.code).toSorted();
}

const ofArea = (sessionId: string): LiveEvent => ({ type: "area", sessionId });

test("a session is judged once for each closing, not for every event after it", async () => {
  await count.count("A1", miscounted);
  await count.count("A2", { "BELT-1": 4 });
  say(ofArea(count.session._id));
  await vi.waitFor(async () => expect(await asked()).toContain("A1"));
  const before = await asked();
  await sql`update session_items set start_on_hand = 0 where session_id = ${count.session._id}
    and sku = 'BELT-1'`.execute(server.database.database);
  say(ofArea(count.session._id));
  await stop();
  expect(await asked()).toEqual(before);
  await applyTolerances(server.context, count.session._id);
  expect(await asked()).toEqual(["A1", "A2"]);
});

test("a session that can't be judged keeps no other from it", async () => {
  await count.count("A1", miscounted);
  say(ofArea("no id"));
  say(ofArea(count.session._id));
  await vi.waitFor(async () => expect(await asked()).toEqual(["A1"]));
});

test("an area that can't be asked for keeps no other from it", async () => {
  await count.count("A1", { "JK-1000": 8, "JK-1001": 8 });
  await count.count("A2", { "JK-1002": 10 });
  const { database } = server.database;
  const refused = sql.lit(count.areaId("A1"));
  await sql`alter table second_counts add constraint refused check (area_id <> ${refused}) not valid`.execute(
    database,
  );
  try {
    await applyTolerances(server.context, count.session._id);
    expect(await asked()).toEqual(["A2"]);
    const other = sql.lit(count.areaId("A2"));
    await sql`alter table second_counts drop constraint refused,
      add constraint refused check (area_id = ${other}) not valid`.execute(database);
    await applyTolerances(server.context, count.session._id);
    expect(await asked()).toEqual(["A2"]);
  } finally {
    await sql`alter table second_counts drop constraint refused`.execute(database);
  }
  await applyTolerances(server.context, count.session._id);
  expect(await asked()).toEqual(["A1", "A2"]);
});

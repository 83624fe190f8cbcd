import { randomBytes, randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { recordAudit } from "../../audit/audit.ts";
import { begin, join, makeAreas, makeLocation, makeStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { givenTo, make, type Place, refusalOf, samples, setScene } from "./testing.ts";
import { putCertificates } from "./testing-coverage.ts";
import { putSearchList } from "./testing-searches.ts";
import { countSecond } from "./testing-second-counts.ts";

const paged = samples.filter(
  ({ call }) => call.query instanceof z.ZodMiniObject && "cursor" in call.query.shape,
);
const ofReports = paged.filter(({ call }) => call.path.startsWith("/api/report/"));

let server: TestServer;
let place: Place;
/** The same in a session that has ended, with adjustments. */
let ended: Place;

beforeAll(async () => {
  server = await startTestServer();
  ({ place } = await setScene(server));
  await fillLists();
  ended = await makeReport();
});
afterAll(() => server.close());

async function fillLists(): Promise<void> {
  const { storeId, locationId } = place;
  for (const name of ["Cellar", "Attic", "cellar 10", "Cellar 2"]) await makeLocation(server, storeId, name);
  await makeAreas(server, { storeId, locationId, codes: ["B10", "b2", "B1"] });
  for (const username of ["Eve", "Adam", "Zoë"]) {
    await server.admin.call(contract.createCounter, { body: { username, password: "counting" } });
  }
  for (const counterName of ["Ida", "Joe", "Kim"]) {
    const body = { sessionId: place.sessionId, storeId, email: "ida@example.com", counterName };
    await server.admin.call(contract.createInvitation, { body });
  }
  for (const note of ["First", "Second"]) {
    const body = { storeId, note, scope: "full" as const, areaIds: null, people: null };
    await server.admin.call(contract.createPlan, { body });
  }
  const packs = ["4006381333931", "96385074", "BOX"].map((code) => ({ code, sku: "JK-1000", units: 12 }));
  await server.admin.call(contract.savePacks, { body: { packs } });
  for (const seq of [2, 3, 4]) await scan(place, { input: "JK-1000", seq });
  for (const seq of [5, 6, 7]) await scan(place, { input: "NOTHING", seq });
  for (const seq of [8, 9, 10, 11]) await scan(place, { input: `NOTHING-${seq}`, seq });
  const params = { id: place.sessionId };
  for (const order of ["walk", "title", "walk"] as const) {
    await server.admin.call(contract.printSheets, { params, body: { areaIds: [place.areaId], order } });
  }
  const { groups } = await server.admin.call(contract.exceptionGroups, { params });
  const scanIds = groups.slice(0, 2).flatMap((group) => group.scanIds);
  await server.admin.call(contract.decideExceptions, { params, body: { action: "dismiss", scanIds } });
  await countTwice();
  await putSearchList(server, place, ["JK-1001", "JK-1002"]);
  await putCertificates(server, place, 3);
  await server.admin.call(contract.createSearches, { params, body: { every: { vendor: "Skein" } } });
  const { database } = server.database;
  await sql`insert into tolerances (session_id, over_units) values (${place.sessionId}, 0)`.execute(database);
  await sql`insert into scan_totals (session_id, area_id, pass, sku, quantity)
    select ${place.sessionId}, id, pass, sku, 1000 from areas, unnest(array['HAT-1', 'BELT-1']) sku
    where code = 'b2' and location_id = ${place.locationId}`.execute(database);
  await server.database.pool.query(
    "update session_items set start_on_hand = -1 where session_id = $1 and sku in ('HAT-1', 'BELT-1')",
    [place.sessionId],
  );
}

/** Second counts of an area that two SKUs differ in. */
async function countTwice(): Promise<void> {
  const { storeId, locationId, sessionId } = place;
  const { areas } = await server.admin.call(contract.listAreas, {});
  const area = areas.find(({ code, locationId: of }) => code === "B1" && of === locationId);
  const { sessions } = await server.admin.call(contract.listSessions, {});
  const session = sessions.find(({ _id }) => _id === sessionId);
  if (area === undefined || session === undefined) throw new Error("There is no area to count.");
  const closing = { sessionId, locationId, areaCode: area.code, deviceId: "device-9", declaredTotal: 0 };
  await server.admin.call(contract.finishArea, { body: closing });
  await server.admin.call(contract.finishArea, { body: { ...closing, areaCode: "b2" } });
  await drawTwice();
  await server.admin.call(contract.askSecondCount, { body: { areaId: area._id } });
  const counted = {
    server,
    store: { id: storeId, locationId },
    session,
    area: { id: area._id, code: area.code },
  };
  await countSecond(counted, { "JK-1000": 1, "JK-1001": 2 }, (body, api) =>
    api.call(contract.finishArea, { body }),
  );
}

async function drawTwice(): Promise<void> {
  const params = { id: place.sessionId };
  const reason = "Only to be listed";
  for (const number of [1, 2]) {
    await server.admin.call(contract.drawSample, { params, body: { areas: 1, reason } });
    await server.admin.call(contract.voidSample, { params, body: { number, reason } });
  }
}

async function scan(where: Place, changes: { readonly input: string; readonly seq: number }): Promise<void> {
  const { query: _query, ...given } = givenTo(contract.postScan, where);
  const body = { ...z.parse(z.looseObject({}), given.body), ...changes, opId: randomUUID() };
  expect((await make(server.admin, contract.postScan, { body })).status).toBe(201);
}

async function makeReport(): Promise<Place> {
  const store = await makeStore(server);
  const session = await begin(server, store);
  const counter = await join(server, session);
  const [area] = store.areas;
  const there = { ...place, storeId: store.id, locationId: store.locationId, sessionId: session._id };
  const inArea = {
    ...there,
    areaId: area?.id ?? "",
    areaCode: area?.code ?? "",
    pass: 1,
    userId: counter.userId,
  };
  for (const seq of [1, 2, 3]) await scan(inArea, { input: "JK-1000", seq });
  await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
  const params = { sessionId: session._id };
  for (const newCount of [1, 2, 3]) {
    await server.admin.call(contract.adjustCount, { params, body: { sku: "JK-1000", newCount } });
  }
  for (const status of ["failed", "failed", "partial"] as const) await makeAdjustment(session._id, status);
  for (const action of ["deploy.requested", "deploy.concluded", "rollback.requested"] as const) {
    await noteMove(session._id, action);
  }
  return inArea;
}

async function noteMove(sessionId: string, action: contract.MoveAction): Promise<void> {
  await server.database.database.transaction().execute((transaction) =>
    recordAudit(transaction, {
      ...{ sessionId, action, before: null, after: { items: 3, units: -2 } },
      actor: { kind: "admin", id: null, name: "Administrator" },
      subject: { kind: "adjustment", id: sessionId, name: "a deploy" },
    }),
  );
}

async function makeAdjustment(sessionId: string, status: "failed" | "partial"): Promise<void> {
  const { database } = server.database;
  const { id: adjustmentId } = await database
    .insertInto("adjustments")
    .values({ sessionId, status, basis: "end", zeroUncounted: false, totalAdjustments: 3 })
    .returning("id")
    .executeTakeFirstOrThrow();
  const row = { adjustmentId, chunk: 1, delta: 1, state: "not_moved" } as const;
  const rows = (["deploy", "rollback"] as const).flatMap((direction) =>
    ["JK-1000", "jk-1001", "É-1"].map((sku) => ({ ...row, direction, sku, inventoryItemId: sku })),
  );
  await database.insertInto("adjustmentRows").values(rows).execute();
}

const Page = z.looseObject({ next: z.nullable(z.string()), total: z.int() });

/** A page's entries (of its first list), and how it ends. */
async function read(entry: (typeof samples)[number], query: Readonly<Record<string, string>>) {
  const { params, ...given } = entry.given(ofReports.includes(entry) ? ended : place);
  const { limit: _limit, ...own } = given.query ?? {};
  const answered = await make(server.admin, entry.call, {
    ...(params === undefined ? {} : { params }),
    query: { ...own, ...query },
  });
  if (answered.status !== 200) return { refused: refusalOf(answered), entries: [], next: null, total: 0 };
  const { next, total, ...lists } = z.parse(Page, answered.body);
  const entries = z.parse(z.array(z.unknown()), lists.scans ?? Object.values(lists).find(Array.isArray));
  return { entries, next, total };
}

const cursorOf = (position: unknown) => Buffer.from(JSON.stringify(position)).toString("base64url");

describe.each(paged.map((entry) => [entry.name, entry] as const))("%s", (_name, entry) => {
  test("gives the whole list without parameters, and the same in pages of one", async () => {
    const whole = await read(entry, {});
    expect(whole.entries.length).toBeGreaterThan(1);
    expect(whole).toMatchObject({ next: null, total: whole.entries.length });
    const inPages: unknown[] = [];
    let page = await read(entry, { limit: "1" });
    for (; page.next !== null; page = await read(entry, { limit: "1", cursor: page.next })) {
      expect(page).toMatchObject({ total: whole.total });
      expect(page.entries).toHaveLength(1);
      inPages.push(...page.entries);
      if (inPages.length > whole.entries.length) break;
    }
    expect([...inPages, ...page.entries]).toEqual(whole.entries);
  });

  test("refuses a limit that is out of range and a cursor that no answer gave, by their names", async () => {
    for (const limit of ["0", "1001", "-1", "1.5", "ten", ""]) {
      const { refused } = await read(entry, { limit });
      expect([limit, refused?.code, refused?.details?.[0]?.field]).toEqual([limit, "VALIDATION", "limit"]);
    }
    const foreign = [{ a: 1 }, -1, [-1], [null], [9e20, "x", "y"], ["x", 0.5], [[]]].map(cursorOf);
    for (const cursor of ["", "%00", "null", "x".repeat(5000), randomBytes(20).toString("hex"), ...foreign]) {
      const { refused } = await read(entry, { cursor });
      expect([cursor, refused?.code, refused?.details?.[0]?.field]).toEqual([cursor, "VALIDATION", "cursor"]);
    }
  });

  test("takes no harm from a cursor that another list may have given", async () => {
    for (const position of [
      ["x"],
      ["x\u0000", "y"],
      [randomUUID(), "\ud800", "deploy"],
      [randomUUID(), 5e9],
      9e15,
    ]) {
      const { refused } = await read(entry, { cursor: cursorOf(position) });
      expect([undefined, "VALIDATION", "PASS_OVER"]).toContain(refused?.code);
    }
  });
});

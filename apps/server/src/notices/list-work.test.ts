import { randomBytes } from "node:crypto";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { begin, join, makeLocation, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";

let server: TestServer;
let store: TestStore;
let session: contract.CountingSession;
let counter: TestCounter;
let seq = 0;
/** Other than what the deploy before has left in Shopify. */
let newCount = 40;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.pool.query(
    "update sessions set status = 'closed', ended_at = '2020-01-01' where status <> 'closed'; update stores set deleted_at = now()",
  );
  store = await makeStore(server, { shopifyLocation: highStreet });
  session = await begin(server, store);
  counter = await join(server, session);
});

function inArea(areaCode: string) {
  return { sessionId: session._id, locationId: store.locationId, areaCode };
}

/** The next scan of the device. */
function given(areaCode: string, input: string) {
  seq += 1;
  const read = { input, inputType: "sku" as const, deviceId: "device-1", seq };
  return { ...inArea(areaCode), storeId: store.id, ...read };
}

async function scan(areaCode: string, input = "JK-1000") {
  return (await counter.api.call(contract.postScan, { body: given(areaCode, input) })).scan;
}

const finish = (areaCode: string, declaredTotal: number) =>
  counter.api.call(contract.finishArea, {
    body: { ...inArea(areaCode), deviceId: "device-1", declaredTotal },
  });

/** The session's devices have not been heard of for so long, and said last that they hold so much. */
const silent = (minutes: number, pending: number | null) =>
  server.database.pool.query(
    "update session_devices set pending = $1, last_seen_at = now() - make_interval(mins => $2) where session_id = $3",
    [pending, minutes, session._id],
  );

async function work() {
  const { work: known = [], furtherWork = [] } = await server.admin.call(contract.listNotices, {});
  const kindsSinceBefore: readonly string[] = ["unheard_devices", "join_requests", "not_invited"];
  expect(furtherWork.map(({ kind }) => kind).filter((kind) => !kindsSinceBefore.includes(kind))).toEqual([]);
  return [...known, ...furtherWork]
    .filter(({ sessionId }) => sessionId === session._id)
    .map(({ kind, count, names }) => [kind, count, ...names]);
}

test("a recount is told of from a mismatch until something is scanned, and from a request until it is done", async () => {
  expect(await work()).toEqual([]);
  await scan("A1");
  await finish("A1", 5);
  expect(await work()).toEqual([["recounts", 1, "A1"]]);
  await scan("A1");
  expect(await work()).toEqual([]);
  await finish("A1", 1);
  const [a1] = store.areas;
  await server.admin.call(contract.reopenArea, { body: { areaId: a1?.id ?? "", eraseScans: true } });
  await scan("A1");
  expect(await work()).toEqual([["recounts", 1, "A1"]]);
  await finish("A1", 1);
  expect(await work()).toEqual([]);
});

test("areas of one code in two locations are told apart", async () => {
  const id = await makeLocation(server, store.id, "Stockroom");
  const areas = [{ code: "A1", name: "Shelf" }];
  await server.admin.call(contract.createAreas, { params: { id }, body: { areas } });
  await scan("A1");
  await finish("A1", 5);
  expect(await work()).toEqual([["recounts", 1, "A1 (Sales floor)"]]);
});

test("a device that holds scans is told of once it has been silent for five minutes, until it is heard of", async () => {
  await scan("A1");
  await silent(4, 3);
  expect(await work()).toEqual([]);
  await silent(6, 3);
  expect(await work()).toEqual([["silent_devices", 1, "Ada"]]);
  const body = { scans: [given("A1", "JK-1000")], pending: 0 };
  await counter.api.call(contract.postScanBatch, { body });
  expect(await work()).toEqual([]);
});

test("a device that holds scans is told of after the end too, as long as its late scans are taken", async () => {
  await scan("A1");
  await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
  await silent(6, 3);
  expect(await work()).toEqual([["silent_devices", 1, "Ada"]]);
  await silent(6, 0);
  expect(await work()).toEqual([]);
  await silent(6, 3);
  await server.database.pool.query(
    "update sessions set ended_at = now() - interval '15 days' where id = $1",
    [session._id],
  );
  expect(await work()).toEqual([]);
});

test("a device that only said as an area was opened on it that it holds scans is told of as any other", async () => {
  const told = { tellsQueue: "true", pending: "3", pendingOrder: "1" } as const;
  await counter.api.call(contract.deviceMaxSequence, {
    query: { sessionId: session._id, deviceId: "device-1", ...told },
  });
  expect(await work()).toEqual([]);
  const toldBefore = (minutes: number) =>
    server.database.pool.query(
      "update opened_devices set told_at = now() - make_interval(mins => $1) where session_id = $2",
      [minutes, session._id],
    );
  await toldBefore(6);
  expect(await work()).toEqual([["silent_devices", 1, "Ada"]]);
  await scan("A1");
  await silent(7, null);
  expect(await work()).toEqual([["silent_devices", 1, "Ada"]]);
  await toldBefore(4);
  expect(await work()).toEqual([]);
});

test("a device that has sent everything is told of apart once it is silent in an area that is not finished", async () => {
  await scan("A1");
  await silent(4, 0);
  expect(await work()).toEqual([]);
  for (const pending of [0, null]) {
    await silent(6, pending);
    expect(await work()).toEqual([["unheard_devices", 1, "Ada"]]);
  }
  await finish("A1", 1);
  await silent(6, 0);
  expect(await work()).toEqual([]);
});

test("who asks to join is told of until they are admitted, declined or heard of no more, or the code is closed", async () => {
  const params = { sessionId: session._id };
  const open = async () => (await server.admin.call(contract.openSessionCode, { params })).code;
  const code = await open();
  const ask = (link: string, counterName: string) =>
    server.stranger.send(contract.askToJoin, {
      params: { token: link.split("/").at(-1) ?? "" },
      body: { counterName, key: randomBytes(32).toString("base64url") },
    });
  const waiting = async () => (await server.admin.call(contract.readSessionCode, { params })).requests;
  expect(await work()).toEqual([]);
  await ask(code.link, "Joe");
  await ask(code.link, "Ann");
  expect(await work()).toEqual([["join_requests", 2, "Ann", "Joe"]]);
  const [joe, ann] = await waiting();
  await server.admin.call(contract.admitPerson, { params: { id: joe?._id ?? "" } });
  expect(await work()).toEqual([["join_requests", 1, "Ann"]]);
  await server.admin.call(contract.declinePerson, { params: { id: ann?._id ?? "" } });
  expect(await work()).toEqual([]);
  await ask(code.link, "Tom");
  const unheardFor = (minutes: number) =>
    server.database.pool.query("update join_requests set heard_at = now() - make_interval(mins => $1)", [
      minutes,
    ]);
  // As long as the page of the code shows them.
  for (const [minutes, count] of [
    [4, 1],
    [6, 0],
  ] as const) {
    await unheardFor(minutes);
    expect(await waiting()).toHaveLength(count);
    expect(await work()).toHaveLength(count);
  }
  await ask(code.link, "Una");
  await server.admin.call(contract.revokeSessionCode, { params: { id: code._id } });
  expect(await work()).toEqual([]);
  await ask((await open()).link, "Vic");
  expect(await work()).toEqual([["join_requests", 1, "Vic"]]);
  await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
  expect(await work()).toEqual([]);
});

test("who was planned and could not be invited is told of once it is not tried any more, until the session ends", async () => {
  const origin = "https://count.example.com";
  await server.database.pool.query(
    `insert into waiting_invitations (session_id, store_id, counter_name, email, origin, problem)
     select $1, $2, name, name || '@example.com', $3, 'The mail server refused the address.'
     from unnest(array['Tom', 'Ada']) name`,
    [session._id, store.id, origin],
  );
  expect(await work()).toEqual([]);
  const giveUp = (name: string) =>
    server.database.pool.query(
      "update waiting_invitations set next_attempt_at = null where counter_name = $1 and session_id = $2",
      [name, session._id],
    );
  await giveUp("Tom");
  expect(await work()).toEqual([["not_invited", 1, "Tom"]]);
  await giveUp("Ada");
  expect(await work()).toEqual([["not_invited", 2, "Ada", "Tom"]]);
  await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
  expect(await work()).toEqual([]);
});

test("scans that wait are told of while it counts and after its end, until they are decided", async () => {
  const { _id } = await scan("A1", "NO-SUCH-CODE");
  expect(await work()).toEqual([["exceptions", 1]]);
  await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
  expect(await work()).toEqual([["exceptions", 1]]);
  await server.admin.call(contract.resolveScan, { params: { id: _id }, body: { action: "dismiss" } });
  expect(await work()).toEqual([]);
});

/** Ends the session and deploys it; answers with how its adjustment is then changed. */
async function deployed() {
  newCount += 1;
  await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
  const params = { sessionId: session._id };
  await server.admin.call(contract.adjustCount, { params, body: { sku: "JK-1000", newCount } });
  await server.admin.call(contract.deployReport, { params, body: {} });
  return (change: string) =>
    server.database.pool.query(`update adjustments set ${change} where session_id = $1`, [session._id]);
}

const endedBefore = (interval: string) =>
  server.database.pool.query(
    `update operations set finished_at = now() - $1::interval
     where kind = 'deploy' and adjustment_id in (select id from adjustments where session_id = $2)`,
    [interval, session._id],
  );

test("a deploy is told of for a day once it is done, and until it is settled where a part of it is not", async () => {
  const set = await deployed();
  expect(await work()).toEqual([["deploy_done", 1]]);
  await set("status = 'partial'");
  expect(await work()).toEqual([["deploy_partial", 1]]);
  await set("status = 'failed'");
  expect(await work()).toEqual([["deploy_failed", 1]]);
  await endedBefore("25 hours");
  expect(await work()).toEqual([]);
  await set("status = 'partial'");
  expect(await work()).toEqual([["deploy_partial", 1]]);
});

test("a deploy is told of by when it ended, however long before it was asked for", async () => {
  const set = await deployed();
  await set("applied_at = now() - interval '30 hours'");
  await endedBefore("2 hours");
  expect(await work()).toEqual([["deploy_done", 1]]);
  const { work: known = [] } = await server.admin.call(contract.listNotices, {});
  const told = known.find(({ sessionId }) => sessionId === session._id);
  expect(Date.now() - Date.parse(told?.at ?? "")).toBeLessThan(3 * 60 * 60_000);
  // A rollback that took back nothing is no end of the deploy.
  await server.database.pool.query(
    `insert into operations (kind, status, session_id, adjustment_id, finished_at)
     select 'rollback', 'failed', session_id, id, now() from adjustments where session_id = $1`,
    [session._id],
  );
  await endedBefore("25 hours");
  expect(await work()).toEqual([]);
});

test("of what is partly done is told whether it is a deploy or its rollback", async () => {
  const set = await deployed();
  const isRollback = async () => {
    const { work: known = [] } = await server.admin.call(contract.listNotices, {});
    const own = known.filter(({ sessionId }) => sessionId === session._id);
    return own.map((notice) => [notice.kind, notice.isRollback]);
  };
  await set("status = 'partial'");
  expect(await isRollback()).toEqual([["deploy_partial", undefined]]);
  await set("rollback_requested_at = now()");
  expect(await isRollback()).toEqual([["deploy_partial", true]]);
  await set("status = 'applied'");
  expect(await isRollback()).toEqual([["deploy_done", undefined]]);
});

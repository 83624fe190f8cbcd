import {
  adjustCount,
  type CountingSession,
  deployReport,
  endSession,
  explainRow,
  includeFigures,
  listSessions,
  postScan,
  startFollowUp,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { begin, join, makeStore, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";

const [small, medium] = ["JK-1000", "JK-1001"];

let server: TestServer;
let store: TestStore;
beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet, areaCodes: ["A1"] });
  for (const item of [small, medium]) {
    await server.shop.setStock({ item, location: highStreet, quantities: { available: 10, committed: 0 } });
  }
});
afterAll(() => server.close());

let seq = 0;
async function countIn({ _id: sessionId }: CountingSession, counted: Readonly<Record<string, number>>) {
  const place = { sessionId, storeId: store.id, locationId: store.locationId, areaCode: "A1" };
  for (const [input, quantity] of Object.entries(counted)) {
    seq += 1;
    const scanned = { ...place, input, inputType: "sku", quantity, deviceId: "phone", seq } as const;
    await server.admin.call(postScan, { body: scanned });
  }
}

const end = (session: CountingSession) => server.admin.call(endSession, { body: { sessionId: session._id } });

async function follow(session: CountingSession, skus: readonly string[]): Promise<CountingSession> {
  const answer = await server.admin.call(startFollowUp, {
    params: { id: session._id },
    body: { skus: [...skus] },
  });
  if (!("session" in answer)) throw new Error("The session is still being started.");
  return answer.session;
}

async function rowsOf({ _id: sessionId }: CountingSession) {
  const { items } = await server.admin.call(varianceReport, {
    params: { sessionId },
    query: { view: "all" },
  });
  return Object.fromEntries(
    items
      .filter(({ counted }) => counted > 0)
      .map(({ sku, counted, variance, skipReason }) => [sku, { counted, variance, skipReason }]),
  );
}

const deploy = ({ _id: sessionId }: CountingSession) =>
  server.admin.call(deployReport, { params: { sessionId }, body: {} });
const stockOf = async (item: string) => (await server.shop.stock({ item, location: highStreet })).on_hand;

test("a follow-up is of its SKUs alone; what it counted is moved once, from it, and the rest from the first", async () => {
  const first = await begin(server, store, "full");
  const early = await server.admin.send(startFollowUp, {
    params: { id: first._id },
    body: { skus: [small] },
  });
  expect(early).toMatchObject({ status: 409, body: { code: "SESSION_ACTIVE" } });
  await countIn(first, { [small]: 8, [medium]: 9 });
  await end(first);
  const unknown = { params: { id: first._id }, body: { skus: ["NO-SUCH-SKU"] } };
  expect(await server.admin.send(startFollowUp, unknown)).toMatchObject({ status: 400 });

  const second = await follow(first, [small, small]);
  expect(second).toMatchObject({ scope: "partial", followUpOf: first._id, only: [small] });
  expect(second.name).toBe(`Follow-up of ${first.startedAt.slice(0, 10)}`);
  const counter = await join(server, second);
  const [shown] = (await counter.api.call(listSessions, {})).sessions;
  expect(shown).toMatchObject({ _id: second._id, only: [small] });
  expect(shown).not.toHaveProperty("followUpOf");
  await countIn(second, { [small]: 9, [medium]: 1 });
  await end(second);

  expect(await rowsOf(second)).toEqual({ [small]: { counted: 9, variance: -1, skipReason: null } });
  expect(await rowsOf(first)).toEqual({
    [small]: { counted: 8, variance: -2, skipReason: "COUNTED_LATER" },
    [medium]: { counted: 9, variance: -1, skipReason: null },
  });
  await deploy(second);
  await deploy(first);
  expect([await stockOf(small), await stockOf(medium)]).toEqual([9, 9]);
});

test("where the first is deployed while its follow-up counts, nothing is moved twice", async () => {
  const first = await begin(server, store, "partial");
  await countIn(first, { [small]: 7, [medium]: 9 });
  await end(first);
  const second = await follow(first, [small, medium]);
  await countIn(second, { [small]: 7 });
  await deploy(first);
  expect(await stockOf(small)).toBe(7);
  await server.context.stockWatch.read();
  await end(second);
  // What nobody scanned in it is not in its report.
  expect(Object.keys(await rowsOf(second))).toEqual([small]);
  await deploy(second);
  expect([await stockOf(small), await stockOf(medium)]).toEqual([7, 9]);
});

test("what a follow-up is not of has no count, no explanation and no deploy in it, whatever was scanned there", async () => {
  const first = await begin(server, store, "full");
  await countIn(first, { [small]: 8, [medium]: 9 });
  await end(first);
  const second = await follow(first, [small]);
  await countIn(second, { [small]: 8, [medium]: 1 });
  await end(second);
  const params = { sessionId: second._id };
  const gone = { status: 404, body: { code: "NOT_FOUND", error: `The SKU ${medium} was not found.` } };
  const calls = [
    server.admin.send(explainRow, { params, query: { sku: medium } }),
    server.admin.send(adjustCount, { params, body: { sku: medium, newCount: 3, reason: "Seen" } }),
    server.admin.send(includeFigures, { params, body: { skus: [medium], included: true } }),
  ];
  for (const call of calls) expect(await call).toMatchObject(gone);
  expect(Object.keys(await rowsOf(second))).toEqual([small]);
  const othersOf = async (sku: string) => {
    const query = { sku };
    const explained = await server.admin.call(explainRow, { params: { sessionId: first._id }, query });
    return explained.otherCounts
      .filter(({ session }) => session._id === second._id)
      .map(({ counted }) => counted);
  };
  expect([await othersOf(small), await othersOf(medium)]).toEqual([[8], []]);
});

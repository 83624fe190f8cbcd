import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { clearStores, join, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { areaOf, scan } from "./testing.ts";

let server: TestServer;
let store: TestStore;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await clearStores(server);
  store = await makeStore(server, { areaCodes: ["A1", "A2", "A3"] });
});

const id = (code: string) => store.areas.find((area) => area.code === code)?.id ?? "";
const merge = (from: string, into: string) =>
  server.admin.call(contract.mergeAreas, { body: { areaId: id(from), intoAreaId: id(into) } });
const passOf = async (code: string) => (await areaOf(server.admin, id(code)))?.pass ?? 0;

/** A session whose plan leaves out all areas but A1. */
async function beginWithout(): Promise<contract.CountingSession> {
  const planned = { name: null, note: null, scope: "partial" as const, people: null };
  const { plan } = await server.admin.call(contract.createPlan, {
    body: { storeId: store.id, ...planned, areaIds: [id("A1")] },
  });
  const started = await server.admin.call(contract.startPlan, { params: { id: plan._id } });
  if (!("session" in started)) throw new Error("The session was not started in time.");
  return started.session;
}

test("a session leaves out the whole of two areas that its plan had left out, and what a phone holds of it comes as late", async () => {
  const session = await beginWithout();
  const ada = await join(server, session);
  const opened = await passOf("A3");
  await merge("A2", "A3");
  expect(await areaOf(ada.api, id("A3"))).toBeUndefined();
  const params = { id: session._id };
  const counted = async () =>
    (await server.admin.call(contract.sessionProgress, { params })).areas.map(({ code }) => code);
  expect(await counted()).toEqual(["A1"]);
  for (const pass of [opened, opened + 1]) await scan(ada.api, store, session, { areaCode: "A3", pass });
  const { scans } = await server.admin.call(contract.sessionExceptions, { params });
  expect(scans.map(({ reason }) => reason)).toEqual(["PASS_OVER", "PASS_OVER"]);
  await scan(ada.api, store, session, { areaCode: "A3", pass: await passOf("A3") });
  expect(await counted()).toEqual(["A1", "A3"]);
});

test("so it ends", async () => {
  const session = await beginWithout();
  await merge("A2", "A3");
  await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
  const { sessions } = await server.admin.call(contract.listSessions, {});
  expect(sessions.find(({ _id }) => _id === session._id)?.openAreas).toMatchObject([{ code: "A1" }]);
});

test("it counts an area that its plan had left out once it is merged with one that it had not", async () => {
  const ada = await join(server, await beginWithout());
  expect(await areaOf(ada.api, id("A2"))).toBeUndefined();
  await merge("A1", "A2");
  expect(await areaOf(ada.api, id("A2"))).toMatchObject({ code: "A2" });
});

import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { passesLeftOut } from "../passes/queries.ts";
import { begin, clearStores, join, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { scan } from "./testing.ts";

let server: TestServer;
let store: TestStore;
let session: contract.CountingSession;
let ada: TestCounter;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await clearStores(server);
  store = await makeStore(server, { areaCodes: ["A1", "A2"] });
  session = await begin(server, store);
  ada = await join(server, session);
});

const id = (code: string) => store.areas.find((area) => area.code === code)?.id ?? "";

const create = () =>
  server.admin.call(contract.createAreas, {
    params: { id: store.locationId },
    body: { areas: [{ code: "a1" }, { code: "B1" }] },
  });
/** Of a store that has areas of these codes in a location of that name. */
async function copy(): Promise<void> {
  const { id: fromStoreId } = await makeStore(server, { areaCodes: ["a1", "B1"] });
  await server.admin.call(contract.copyAreas, { params: { id: store.id }, body: { fromStoreId } });
}
const remove = () => server.admin.call(contract.deleteArea, { params: { id: id("A1") } });
const merge = () =>
  server.admin.call(contract.mergeAreas, { body: { areaId: id("A1"), intoAreaId: id("A2") } });

async function progressOf(code: string) {
  const { areas } = await server.admin.call(contract.sessionProgress, { params: { id: session._id } });
  return areas.find((area) => area.code === code);
}

describe.each([
  ["created", create],
  ["copied", copy],
])("an area that is %s with a code that another one of its location had", (_, add) => {
  test.each([
    ["deleted", remove],
    ["merged", merge],
  ])("takes in nothing of that one, which was %s", async (_gone, go) => {
    const former = (await progressOf("A1"))?.pass ?? 0;
    await go();
    await add();
    const { pass = 0 } = (await progressOf("a1")) ?? {};
    // Of the former one, and of those that a device expects which has reset it without a network.
    for (const [index, sent] of [former, former + 1, former + 2, former + 9, pass].entries()) {
      await scan(ada.api, store, session, {
        areaCode: "A1",
        deviceId: "device-1",
        seq: index + 1,
        pass: sent,
      });
    }
    expect(await progressOf("a1")).toMatchObject({ scans: 1 });
    const { scans } = await server.admin.call(contract.sessionExceptions, { params: { id: session._id } });
    expect(scans.map(({ reason }) => reason)).toEqual(Array.from({ length: 4 }, () => "AREA_DELETED"));
    const inArea = { sessionId: session._id, areaCode: "A1", locationId: store.locationId };
    const finish = { ...inArea, deviceId: "device-1", declaredTotal: 1 };
    await ada.api.refusal(contract.finishArea, { body: { ...finish, pass: former } });
    expect(await progressOf("a1")).toMatchObject({ status: "in_progress" });
    expect(await ada.api.call(contract.finishArea, { body: { ...finish, pass } })).toMatchObject({
      matched: true,
    });
  });

  test("takes in nothing of the last of several, which was added in the same session", async () => {
    await remove();
    await create();
    const again = (await progressOf("a1"))?.pass ?? 0;
    const { areas } = await server.admin.call(contract.listAreas, {});
    for (const area of areas.filter(({ code }) => ["a1", "B1"].includes(code))) {
      await server.admin.call(contract.deleteArea, { params: { id: area._id } });
    }
    await add();
    await scan(ada.api, store, session, { areaCode: "A1", pass: again });
    expect(await progressOf("a1")).toMatchObject({ scans: 0, status: "not_started" });
    expect(await progressOf("B1")).toMatchObject({ pass: 2 + passesLeftOut });
  });
});

import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { begin, join, makePermanentCounter, makeStore, type TestStore } from "../testing/scenes.ts";
import type { TestApi } from "../testing/test-api.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { areaOf, scan } from "./testing.ts";

let server: TestServer;
let store: TestStore;
let former: TestApi;
let present: TestApi;

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server);
  const first = await begin(server, store);
  former = (await join(server, first, { name: "Ada" })).api;
  await server.admin.call(contract.endSession, { body: { sessionId: first._id } });
  const second = await begin(server, store);
  present = (await join(server, second, { name: "Grace" })).api;
  await scan(present, store, second);
});
afterAll(() => server.close());

const areaId = () => store.areas[0]?.id ?? "";

async function ofLocation(api: TestApi) {
  const params = { locationId: store.locationId };
  const { areas } = await api.call(contract.listAreasOfLocation, { params });
  return areas.find(({ _id }) => _id === areaId());
}

test("a counter whose session has ended can't see who counts in the next one", async () => {
  for (const area of [await areaOf(former, areaId()), await ofLocation(former)]) {
    expect(area).toMatchObject({ activity: null, recountNeeded: false });
  }
});

test("the session's own counters, permanent ones and the administrator can", async () => {
  const permanent = (await makePermanentCounter(server, "Edsger")).api;
  for (const api of [present, permanent, server.admin]) {
    for (const area of [await areaOf(api, areaId()), await ofLocation(api)]) {
      expect(area?.activity).toMatchObject({ devices: 1, usernames: ["Grace"] });
    }
  }
});

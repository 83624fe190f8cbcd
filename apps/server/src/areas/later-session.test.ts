import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begin, join, makePermanentCounter, makeStore, type TestStore } from "../testing/scenes.ts";
import type { TestApi } from "../testing/test-api.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { scan } from "./testing.ts";

let server: TestServer;
let store: TestStore;
let former: TestApi;
let present: TestApi;
let permanent: TestApi;
/** What the first session's counter saw just before it ended. */
let left: contract.Area[];
let sessions: contract.CountingSession[];

const inArea = (session: number, area: number) => ({
  sessionId: sessions[session]?._id ?? "",
  areaCode: store.areas[area]?.code ?? "",
  locationId: store.locationId,
});

const finish = (api: TestApi, session: number, area: number, declaredTotal: number) =>
  api.call(contract.finishArea, {
    body: { ...inArea(session, area), declaredTotal, deviceId: "device-1" },
  });

async function listed(api: TestApi): Promise<contract.Area[]> {
  const { areas } = await api.call(contract.listAreas, {});
  const params = { locationId: store.locationId };
  const ofLocation = await api.call(contract.listAreasOfLocation, { params });
  expect(ofLocation.areas).toEqual(areas);
  return areas;
}

/** The first session leaves A1 closed, A2 counted in, A3 to be counted again and A4 untouched. */
async function countFirst(first: contract.CountingSession): Promise<void> {
  const areaCode = (area: number) => ({ areaCode: store.areas[area]?.code ?? "" });
  await scan(former, store, first, areaCode(0));
  await finish(former, 0, 0, 1);
  await scan(former, store, first, areaCode(1));
  await scan(former, store, first, areaCode(2));
  await finish(former, 0, 2, 5);
}

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { areaCodes: ["A1", "A2", "A3", "A4"] });
  const first = await begin(server, store);
  sessions = [first];
  former = (await join(server, first, { name: "Ada" })).api;
  permanent = (await makePermanentCounter(server, "Edsger")).api;
  await countFirst(first);
  left = await listed(former);
  await server.admin.call(contract.endSession, { body: { sessionId: first._id } });
});
afterAll(() => server.close());

const byCode = (areas: readonly contract.Area[], code: string) => areas.find((area) => area.code === code);

describe("a counter whose session has ended", () => {
  test("sees the areas as the session left them", async () => {
    expect(left.map(({ status }) => status)).toEqual(["closed", "in_progress", "in_progress", "not_started"]);
    expect(left[1]?.activity).toMatchObject({ devices: 1, usernames: ["Ada"] });
    expect(left[2]).toMatchObject({ recountNeeded: true, activity: null });
    expect(await listed(former)).toEqual(left);
  });

  test("sees nothing of the next session: no status, pass, count, name or new area", async () => {
    const second = await begin(server, store);
    sessions.push(second);
    present = (await join(server, second, { name: "Grace" })).api;
    expect(await listed(former)).toEqual(left);
    for (const area of [1, 3]) {
      await scan(present, store, second, { areaCode: store.areas[area]?.code ?? "" });
      await finish(present, 1, area, 1);
    }
    await scan(present, store, second);
    const params = { id: store.locationId };
    await server.admin.call(contract.createAreas, { params, body: { areas: [{ code: "B1" }] } });
    expect(await listed(former)).toEqual(left);
  });
});

test("the session's own counters, permanent ones and the administrator see what is counted now", async () => {
  for (const api of [present, permanent, server.admin]) {
    const areas = await listed(api);
    expect(areas.map(({ status }) => status)).toEqual([
      ...["in_progress", "closed", "not_started", "closed", "not_started"],
    ]);
    expect(byCode(areas, "A1")?.activity).toMatchObject({ devices: 1, usernames: ["Grace"] });
    expect(byCode(areas, "A2")?.closedBy).toEqual({ username: "Grace" });
  }
});

import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { begin, clearStores, join, makeLocation, makeStore, type TestStore } from "../testing/scenes.ts";
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
const given = (from: string, into: string) => ({ body: { areaId: id(from), intoAreaId: id(into) } });
const merge = (from: string, into: string) => server.admin.call(contract.mergeAreas, given(from, into));
const refusal = (from: string, into: string) => server.admin.refusal(contract.mergeAreas, given(from, into));
const labelled = async (code: string) => {
  const { areas } = await server.admin.call(contract.listAreas, {});
  return contract.areaOfLabel(contract.areaLabelOf(id(code)), areas)?.code ?? null;
};

describe("merging two areas", () => {
  test("leaves one, which the labels of both open, and of what was merged into them before", async () => {
    expect((await merge("A1", "A2")).area.code).toBe("A2");
    expect([await labelled("A1"), await labelled("A2")]).toEqual(["A2", "A2"]);
    await merge("A2", "A3");
    expect([await labelled("A1"), await labelled("A2"), await labelled("A3")]).toEqual(["A3", "A3", "A3"]);
    expect(await refusal("A1", "A3")).toMatchObject({ code: "NOT_FOUND" });
  });

  test("is refused for an area and itself, for areas of two stores, and for what is not there", async () => {
    const other = await makeStore(server);
    expect((await refusal("A1", "A1")).details).toMatchObject([{ field: "intoAreaId" }]);
    const across = { body: { areaId: id("A1"), intoAreaId: other.areas[0]?.id ?? "" } };
    expect((await server.admin.refusal(contract.mergeAreas, across)).details).toMatchObject([
      { field: "intoAreaId" },
    ]);
    const nothing = { body: { areaId: id("A1"), intoAreaId: store.id } };
    expect((await server.admin.refusal(contract.mergeAreas, nothing)).code).toBe("NOT_FOUND");
  });

  test("is of a planned session's areas too, and is in the audit log", async () => {
    const planned = { name: null, note: null, scope: "partial" as const, people: null };
    const { plan } = await server.admin.call(contract.createPlan, {
      body: { storeId: store.id, ...planned, areaIds: [id("A1"), id("A2")] },
    });
    await merge("A1", "A2");
    const { plans } = await server.admin.call(contract.listPlans, {});
    expect(plans.find(({ _id }) => _id === plan._id)?.areaIds).toEqual([id("A2")]);
    const { entries } = await server.admin.call(contract.listAudit, { query: { action: "area.merged" } });
    expect(entries[0]).toMatchObject({
      sessionId: null,
      subject: { name: "A1 - Area A1" },
      after: { into: "A2 - Area A2" },
    });
  });
});

describe("merging while a session runs", () => {
  test("is done before anybody counts there: the whole is counted, by those who were to count either", async () => {
    const session = await begin(server, store);
    const ada = await join(server, session, { name: "Ada", email: "ada@example.com" });
    const people = [{ personId: ada.invitationId ?? "", areaIds: [id("A1")] }];
    await server.admin.call(contract.assignAreas, { params: { id: session._id }, body: { people } });
    await merge("A1", "A2");
    expect((await areaOf(ada.api, id("A2")))?.assigned).toMatchObject({ names: ["Ada"], mine: true });
    await scan(ada.api, store, session, { areaCode: "A2" });
    const { areas } = await server.admin.call(contract.sessionProgress, { params: { id: session._id } });
    expect(areas.map(({ code, scans }) => [code, scans])).toEqual([
      ["A2", 1],
      ["A3", 0],
    ]);
    await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
  });

  describe("of which one was declared void", () => {
    let session: contract.CountingSession;
    beforeEach(async () => {
      session = await begin(server, store);
    });
    const declareVoid = (...codes: string[]) =>
      server.admin.call(contract.stateAreas, {
        params: { id: session._id },
        body: { areaIds: codes.map(id), as: "void", stated: true, reason: "Window under repair" },
      });
    const openAreas = async () => {
      const params = { id: session._id };
      const { areas } = await server.admin.call(contract.listCoveredAreas, {
        params,
        query: { which: "open" },
      });
      return areas.map(({ area }) => area.code);
    };
    const takenBack = async () => {
      const query = { sessionId: session._id, action: "coverage.area_taken_back" as const };
      return (await server.admin.call(contract.listAudit, { query })).entries;
    };

    test("opens the whole again: nobody gave a reason for the shelf that comes to it", async () => {
      await declareVoid("A2", "A3");
      expect(await openAreas()).toEqual(["A1"]);
      await merge("A1", "A2");
      expect(await openAreas()).toEqual(["A2"]);
      expect(await takenBack()).toMatchObject([
        {
          subject: { name: "A2 - Area A2" },
          before: { as: "void", reason: "Window under repair" },
          after: null,
        },
      ]);
    });

    test("leaves the whole open, where the one that goes was void", async () => {
      await declareVoid("A1", "A3");
      await merge("A1", "A2");
      expect(await openAreas()).toEqual(["A2"]);
      expect(await takenBack()).toEqual([]);
    });

    test("leaves the whole void, where both were", async () => {
      await declareVoid("A1", "A2", "A3");
      await merge("A1", "A2");
      expect(await openAreas()).toEqual([]);
      expect(await takenBack()).toEqual([]);
    });

    test("takes nothing back that counting had ended", async () => {
      await declareVoid("A1", "A2");
      const ada = await join(server, session);
      const inArea = { sessionId: session._id, areaCode: "A1", locationId: store.locationId };
      await ada.api.call(contract.resetArea, { body: inArea });
      await merge("A2", "A1");
      expect(await openAreas()).toEqual(["A1", "A3"]);
      expect(await takenBack()).toEqual([]);
    });
  });

  test.each([
    ["A1", "A2", "A1"],
    ["A2", "A1", "A1"],
  ])(
    "is refused for %s and %s once something was scanned in one of them, undone or not",
    async (from, into, begun) => {
      const session = await begin(server, store);
      const ada = await join(server, session);
      await scan(ada.api, store, session, { areaCode: "A1", deviceId: "device-1" });
      const inArea = { sessionId: session._id, areaCode: "A1", locationId: store.locationId };
      await ada.api.call(contract.resetArea, { body: inArea });
      const refused = await refusal(from, into);
      expect(refused.code).toBe("AREA_BEGUN");
      expect(refused.error).toContain(`counting has begun in ${begun}:`);
      await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
      await merge(from, into);
    },
  );

  test("is refused for an area that was closed as empty", async () => {
    const session = await begin(server, store);
    const ada = await join(server, session);
    const inArea = { sessionId: session._id, areaCode: "A2", locationId: store.locationId };
    await ada.api.call(contract.finishArea, { body: { ...inArea, deviceId: "device-1", declaredTotal: 0 } });
    expect((await refusal("A1", "A2")).code).toBe("AREA_BEGUN");
  });

  test("loses nothing that a device without a network scanned in the one that is gone, and counts it nowhere by itself", async () => {
    const session = await begin(server, store);
    const ada = await join(server, session);
    const pass = (await areaOf(ada.api, id("A1")))?.pass ?? 0;
    await merge("A1", "A2");
    await scan(ada.api, store, session, { areaCode: "A1", pass });
    const params = { id: session._id };
    const { scans } = await server.admin.call(contract.sessionExceptions, { params });
    expect(scans).toMatchObject([{ status: "late", reason: "AREA_DELETED" }]);
    await server.admin.call(contract.resolveScan, {
      params: { id: scans[0]?._id ?? "" },
      body: { action: "accept", areaId: id("A2") },
    });
    const { areas } = await server.admin.call(contract.sessionProgress, { params });
    expect(areas.find(({ code }) => code === "A2")?.scans).toBe(1);
  });
});

describe("a phone without a network that had opened the area which stays", () => {
  test.each([
    ["before", 0],
    ["before, and reset it", 1],
    ["before, and reset it twice", 2],
    ["before, and reset it again and again", 9],
  ])("%s: what it counted, and its total, are of half the shelf and close nothing", async (_, resets) => {
    const session = await begin(server, store);
    const ada = await join(server, session);
    const opened = (await areaOf(ada.api, id("A2")))?.pass ?? 0;
    await merge("A1", "A2");
    const pass = opened + resets;
    await scan(ada.api, store, session, { areaCode: "A2", pass });
    const inArea = { sessionId: session._id, areaCode: "A2", locationId: store.locationId, pass };
    const finish = { body: { ...inArea, deviceId: "device-1", declaredTotal: 1 } };
    await ada.api.refusal(contract.finishArea, finish);
    const params = { id: session._id };
    const { scans } = await server.admin.call(contract.sessionExceptions, { params });
    expect(scans).toMatchObject([{ status: "late", reason: "PASS_OVER" }]);
    const { areas } = await server.admin.call(contract.sessionProgress, { params });
    expect(areas.find(({ code }) => code === "A2")).toMatchObject({ scans: 0, status: "not_started" });
    // Whoever opens it now counts the whole.
    const now = (await areaOf(ada.api, id("A2")))?.pass ?? 0;
    await scan(ada.api, store, session, { areaCode: "A2", pass: now });
    const whole = { body: { ...inArea, pass: now, deviceId: "device-1", declaredTotal: 1 } };
    expect(await ada.api.call(contract.finishArea, whole)).toMatchObject({ matched: true });
  });
});

describe("copying a store's locations and areas", () => {
  let other: TestStore;
  beforeEach(async () => {
    other = await makeStore(server, { areaCodes: ["a1", "B1"] });
    await makeLocation(server, store.id, "Stockroom");
  });
  const to = () => ({ params: { id: other.id } });
  const copyGiven = () => ({ ...to(), body: { fromStoreId: store.id } });
  const areasThere = async () => {
    const { areas } = await server.admin.call(contract.listAreasOfLocation, {
      params: { locationId: other.locationId },
    });
    return areas.map(({ code, name }) => `${code} ${name}`);
  };

  test("is shown before, adds what is missing, and leaves what is there as it is, regardless of case", async () => {
    const preview = await server.admin.call(contract.previewCopy, {
      ...to(),
      query: { fromStoreId: store.id },
    });
    expect(preview).toEqual({
      newLocations: 1,
      newAreas: 2,
      locations: [
        {
          name: "Sales floor",
          exists: true,
          areas: [
            { code: "A1", name: "Area A1", exists: true },
            { code: "A2", name: "Area A2", exists: false },
            { code: "A3", name: "Area A3", exists: false },
          ],
        },
        { name: "Stockroom", exists: false, areas: [] },
      ],
    });
    expect(await areasThere()).toEqual(["a1 Area a1", "B1 Area B1"]);
    expect(await server.admin.call(contract.copyAreas, copyGiven())).toEqual(preview);
    expect(await areasThere()).toEqual(["a1 Area a1", "A2 Area A2", "A3 Area A3", "B1 Area B1"]);
    const again = await server.admin.call(contract.copyAreas, copyGiven());
    expect([again.newLocations, again.newAreas]).toEqual([0, 0]);
    const { entries } = await server.admin.call(contract.listAudit, { query: { action: "areas.copied" } });
    expect(entries.map(({ after }) => after)).toEqual([{ from: store.name, locations: 1, areas: 2 }]);
  });

  test("makes areas that a running session counts at once", async () => {
    const session = await begin(server, other);
    const ada = await join(server, session);
    await server.admin.call(contract.copyAreas, copyGiven());
    await scan(ada.api, other, session, { areaCode: "A3" });
    const { areas } = await server.admin.call(contract.sessionProgress, { params: { id: session._id } });
    expect(areas.find(({ code }) => code === "A3")?.scans).toBe(1);
  });

  test("is refused from a store to itself", async () => {
    const refused = await server.admin.refusal(contract.copyAreas, {
      ...to(),
      body: { fromStoreId: other.id },
    });
    expect(refused.details).toMatchObject([{ field: "fromStoreId" }]);
  });
});

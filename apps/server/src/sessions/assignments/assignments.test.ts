import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  begin,
  clearStores,
  join,
  makePermanentCounter,
  makeStore,
  type TestCounter,
  type TestStore,
} from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";

let server: TestServer;
let store: TestStore;
let session: contract.CountingSession;
let ada: TestCounter;
let ben: TestCounter;
let seq = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await clearStores(server);
  store = await makeStore(server, { shopifyLocation: highStreet });
  session = await begin(server, store);
  ada = await join(server, session, { name: "Ada", email: "ada@example.com" });
  ben = await join(server, session, { name: "Ben", email: "ben@example.com" });
});

type Change = contract.CallInput<typeof contract.assignAreas>["body"];

const params = () => ({ id: session._id });
const areaId = (code: string) => store.areas.find((area) => area.code === code)?.id ?? "";

function assign(to: TestCounter, codes: readonly string[], rest: Change = {}) {
  const areaIds = codes.length === 0 ? null : codes.map(areaId);
  const people = [{ personId: to.invitationId ?? to.userId, areaIds }];
  return server.admin.call(contract.assignAreas, { params: params(), body: { people, ...rest } });
}

const enforce = (enforced: boolean) =>
  server.admin.call(contract.assignAreas, { params: params(), body: { enforced } });

const inArea = (areaCode: string) => ({ sessionId: session._id, locationId: store.locationId, areaCode });

function scan(by: TestCounter, areaCode: string, given: Partial<contract.ScanPayload> = {}) {
  seq += 1;
  const read = { input: "JK-1000", inputType: "sku" as const, deviceId: `device-of-${by.username}`, seq };
  return by.api.call(contract.postScan, {
    body: { ...inArea(areaCode), storeId: store.id, ...read, ...given },
  });
}

const opening = (areaCode: string) => ({
  params: { sessionId: session._id, areaCode },
  query: { locationId: store.locationId },
});

async function assignedTo(by: TestCounter, code = "A1") {
  const { areas } = await by.api.call(contract.listAreas, {});
  return areas.find((area) => area.code === code)?.assigned;
}

async function live(code = "A1") {
  const { areas } = await server.admin.call(contract.sessionProgress, { params: params() });
  const area = areas.find((each) => each.code === code);
  return [area?.assignedTo, area?.countedByOthers];
}

async function told() {
  const { work = [] } = await server.admin.call(contract.listNotices, {});
  return work.filter(({ kind }) => kind === "counted_by_others").map(({ count, names }) => [count, ...names]);
}

describe("a suggestion", () => {
  test("shows everybody whom an area is assigned to, and each whether it is theirs, and hinders nobody", async () => {
    await assign(ada, ["A1"]);
    expect(await assignedTo(ada)).toEqual({ names: ["Ada"], mine: true, enforced: false });
    expect(await assignedTo(ben)).toEqual({ names: ["Ada"], mine: false, enforced: false });
    expect(await assignedTo(ada, "A2")).toBeNull();
    expect((await scan(ben, "A1")).status).toBe("counted");
    await ben.api.call(contract.areaScans, opening("A1"));
    expect(await live()).toEqual([["Ada"], []]);
    expect(await told()).toEqual([]);
  });

  test("can be of somebody who has not joined, of several, and of an account; who it is can change while it is counted", async () => {
    const grace = await makePermanentCounter(server, "Grace");
    const person = { email: "zoe@example.com", counterName: "Zoe" };
    const { invitation } = await server.admin.call(contract.createInvitation, {
      body: { sessionId: session._id, storeId: store.id, ...person },
    });
    const people = [{ personId: invitation._id, areaIds: [areaId("A1")] }];
    await server.admin.call(contract.assignAreas, { params: params(), body: { people } });
    await assign(grace, ["A1", "A2"]);
    expect(await assignedTo(grace)).toEqual({ names: ["Grace", "Zoe"], mine: true, enforced: false });
    await scan(grace, "A1");
    await assign(grace, ["A2"]);
    expect(await assignedTo(grace)).toMatchObject({ names: ["Zoe"], mine: false });
    const { people: all } = await server.admin.call(contract.readAssignments, { params: params() });
    expect(all.filter(({ areaIds }) => areaIds.length > 0)).toMatchObject([
      { name: "Grace", kind: "account", email: "", areaIds: [areaId("A2")] },
      { name: "Zoe", kind: "invitation", email: "zoe@example.com", areaIds: [areaId("A1")] },
    ]);
  });
});

describe("an enforced assignment", () => {
  beforeEach(() => assign(ada, ["A1"], { enforced: true }));

  test("refuses to open others' areas, and nothing else", async () => {
    const refusal = await ben.api.refusal(contract.areaScans, opening("A1"));
    expect(refusal).toMatchObject({
      code: "AREA_ASSIGNED",
      error: expect.stringContaining("assigned to Ada."),
    });
    expect(await assignedTo(ben)).toEqual({ names: ["Ada"], mine: false, enforced: true });
    for (const [by, code] of [
      [ada, "A1"],
      [ben, "A2"],
    ] as const) {
      await by.api.call(contract.areaScans, opening(code));
    }
    await server.admin.call(contract.areaScans, opening("A1"));
    await enforce(false);
    await ben.api.call(contract.areaScans, opening("A1"));
  });

  test("never loses what a device scans that has not heard of it: it counts, and the administrator is told", async () => {
    expect(await scan(ben, "A1")).toMatchObject({ status: "counted" });
    expect(await scan(ada, "A1")).toMatchObject({ status: "counted" });
    expect(await live()).toEqual([["Ada"], ["Ben"]]);
    expect(await told()).toEqual([[1, "A1"]]);
    const finish = { ...inArea("A1"), deviceId: "device-of-Ada", declaredTotal: 2 };
    expect(await ada.api.call(contract.finishArea, { body: finish })).toMatchObject({ matched: true });
    expect(await told()).toEqual([[1, "A1"]]);
    await assign(ben, ["A1"]);
    expect(await told()).toEqual([]);
  });

  test("lets nobody else start the area again or declare its total, though their device had chosen so before", async () => {
    await scan(ben, "A1");
    await scan(ada, "A1");
    const { pass } = await ada.api.call(contract.areaScans, opening("A1"));
    const wrong = { ...inArea("A1"), deviceId: "device-of-Ben", declaredTotal: 9, pass };
    expect((await ben.api.refusal(contract.finishArea, { body: wrong })).code).toBe("AREA_ASSIGNED");
    const again = { ...inArea("A1"), pass };
    expect((await ben.api.refusal(contract.resetArea, { body: again })).code).toBe("AREA_ASSIGNED");
    expect((await ada.api.call(contract.areaScans, opening("A1"))).total).toBe(2);
    expect(await ada.api.call(contract.resetArea, { body: again })).toMatchObject({ deletedScans: 2 });
  });

  test.each([
    ["starts the area again", "reset"],
    ["declares a total that does not match", "mismatch"],
  ] as const)(
    "leaves late what others scanned after a reset that was refused, also what arrives once the assignee %s",
    async (_name, ending) => {
      const { pass } = await ada.api.call(contract.areaScans, opening("A1"));
      await scan(ada, "A1", { pass });
      expect((await ben.api.refusal(contract.resetArea, { body: { ...inArea("A1"), pass } })).code).toBe(
        "AREA_ASSIGNED",
      );
      // Ben's device had gone on in the pass that it expected of its reset, and loses the network between two of its scans.
      const expected = { pass: pass + 1 };
      expect(await scan(ben, "A1", expected)).toMatchObject({ status: "late", reason: "PASS_OVER" });
      if (ending === "reset") await ada.api.call(contract.resetArea, { body: { ...inArea("A1"), pass } });
      else
        await ada.api.call(contract.finishArea, {
          body: { ...inArea("A1"), deviceId: "device-of-Ada", declaredTotal: 9, pass },
        });
      expect(await scan(ben, "A1", expected)).toMatchObject({ status: "late", reason: "PASS_OVER" });
      const anew = (await ada.api.call(contract.areaScans, opening("A1"))).pass;
      expect(await scan(ada, "A1", { pass: anew })).toMatchObject({ status: "counted" });
      expect((await ada.api.call(contract.areaScans, opening("A1"))).total).toBe(1);
    },
  );

  test("refuses a reset also where the assignee was ahead of it, and the next one of the same device; what it has is of no count", async () => {
    const { pass } = await ada.api.call(contract.areaScans, opening("A1"));
    await ada.api.call(contract.resetArea, { body: { ...inArea("A1"), pass } });
    for (const asked of [pass, pass + 1, pass + 2]) {
      const { code } = await ben.api.refusal(contract.resetArea, { body: { ...inArea("A1"), pass: asked } });
      expect(code).toBe("AREA_ASSIGNED");
    }
    const ofNone = { pass: contract.passOfNoCount };
    expect(await scan(ben, "A1", ofNone)).toMatchObject({ status: "late", reason: "PASS_OVER" });
    await ada.api.call(contract.resetArea, { body: inArea("A1") });
    expect(await scan(ben, "A1", ofNone)).toMatchObject({ status: "late", reason: "PASS_OVER" });
    expect((await ada.api.call(contract.areaScans, opening("A1"))).total).toBe(0);
  });

  test("tells nothing of what was scanned before it, nor of an area that nobody who is left is assigned", async () => {
    await assign(ada, []);
    const scannedAt = new Date(Date.now() - 60_000).toISOString();
    await scan(ben, "A1", { scannedAt });
    await assign(ada, ["A1"]);
    expect(await told()).toEqual([]);
    await scan(ben, "A1");
    expect(await told()).toEqual([[1, "A1"]]);
    await server.admin.call(contract.revokeInvitation, { params: { id: ada.invitationId ?? "" } });
    expect(await told()).toEqual([]);
    await ben.api.call(contract.areaScans, opening("A1"));
    expect(await assignedTo(ben)).toBeNull();
  });

  test("is told by a reset as by the list: whether it is one's own", async () => {
    await enforce(false);
    for (const [by, mine] of [
      [ada, true],
      [ben, false],
    ] as const) {
      const { area } = await by.api.call(contract.resetArea, { body: inArea("A1") });
      expect(area.assigned).toEqual({ names: ["Ada"], mine, enforced: false });
      expect(area.assigned).toEqual(await assignedTo(by));
    }
  });

  test("of a second count is its taker's, where the area was anybody's: nothing tells it from a first count", async () => {
    for (const code of ["A1", "A2"]) {
      await scan(ada, code);
      const finish = { ...inArea(code), deviceId: "device-of-Ada", declaredTotal: 1 };
      await ada.api.call(contract.finishArea, { body: finish });
      await server.admin.call(contract.askSecondCount, { body: { areaId: areaId(code) } });
    }
    expect(await assignedTo(ben)).toEqual({ names: ["Ben"], mine: true, enforced: true });
    expect(await assignedTo(ben, "A2")).toBeNull();
    expect(await assignedTo(ada)).toBeNull();
    const { scans, pass } = await ben.api.call(contract.areaScans, opening("A1"));
    expect(scans).toEqual([]);
    await scan(ben, "A1", { pass });
    const again = { ...inArea("A1"), pass };
    const { area, deletedScans } = await ben.api.call(contract.resetArea, { body: again });
    expect(deletedScans).toBe(1);
    expect(area.assigned).toEqual({ names: ["Ben"], mine: true, enforced: true });
    const finish = { ...inArea("A1"), deviceId: "device-of-Ben", declaredTotal: 0, pass: area.pass };
    expect(await ben.api.call(contract.finishArea, { body: finish })).toMatchObject({ matched: true });
  });
});

describe("assigning", () => {
  test("is refused for people and areas of elsewhere, and once the session is over", async () => {
    const body = (person: string, area: string) => ({ people: [{ personId: person, areaIds: [area] }] });
    const refusal = (given: Change) =>
      server.admin.refusal(contract.assignAreas, { params: params(), body: given });
    const invitation = ada.invitationId ?? "";
    const other = await makeStore(server);
    expect(await refusal(body(store.id, areaId("A1")))).toMatchObject({ code: "NOT_FOUND" });
    expect(await refusal(body(invitation, store.id))).toMatchObject({ code: "NOT_FOUND" });
    const elsewhere = await refusal(body(invitation, other.areas[0]?.id ?? ""));
    expect(elsewhere.details).toMatchObject([{ field: "people" }]);
    await server.admin.call(contract.revokeInvitation, { params: { id: invitation } });
    expect((await refusal(body(invitation, areaId("A1")))).details).toMatchObject([
      { field: "people.0.personId" },
    ]);
    await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
    expect((await refusal({ enforced: true })).code).toBe("SESSION_CLOSED");
  });

  test("is in the audit log by the names of people and areas, once where nothing changes", async () => {
    for (const _ of [1, 2]) await assign(ada, ["A2", "A1"], { enforced: true });
    await assign(ada, []);
    const { entries } = await server.admin.call(contract.listAudit, {
      query: { sessionId: session._id, action: "areas.assigned" },
    });
    expect(entries.map(({ before, after }) => [before, after])).toEqual([
      [
        { enforced: true, people: ["Ada: A1 - Area A1, A2 - Area A2"] },
        { enforced: true, people: ["Ada: none"] },
      ],
      [
        { enforced: false, people: ["Ada: none"] },
        { enforced: true, people: ["Ada: A1 - Area A1, A2 - Area A2"] },
      ],
    ]);
  });

  test("reaches phones by an area event of the store", async () => {
    const heard: contract.LiveEvent[] = [];
    const stop = server.context.events.subscribe((event) => heard.push(event));
    await assign(ada, ["A1"]);
    await vi.waitFor(() =>
      expect(heard).toContainEqual({ type: "area", sessionId: session._id, storeId: store.id }),
    );
    stop();
  });
});

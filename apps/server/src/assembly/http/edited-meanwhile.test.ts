import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { begin, makePermanentCounter, makeStore, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
let store: TestStore;
let sessionId: string;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  store = await makeStore(server, { areaCodes: ["A1", "A2", "A3"] });
  sessionId = (await begin(server, store))._id;
});
afterAll(() => server.close());

interface Edited<Value> {
  /** Not a promise of the value at once: a plan has to be made before it is read. */
  readonly read: () => Promise<Value>;
  readonly write: (
    value: Value,
    seen?: Value,
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
}

const limits = (units: number) => ({ units, money: 12.34, stockPercent: 0.5, moneyPercent: null });
const tolerance = (units: number): contract.Tolerance => ({ over: limits(units), short: limits(units) });

function editedTolerance(call: typeof contract.setStoreTolerance | typeof contract.setSessionTolerance) {
  return (params: { readonly id: string }, read: () => Promise<contract.Tolerance | null>) => ({
    read,
    write: (value: contract.Tolerance | null, seen?: contract.Tolerance | null) =>
      server.admin.send(call, {
        params,
        body: { tolerance: value, ...(seen === undefined ? {} : { seen }) },
      }),
  });
}

function ofStore(): Edited<contract.Tolerance | null> {
  const params = { id: store.id };
  const read = async () => (await server.admin.call(contract.storeTolerance, { params })).tolerance;
  return editedTolerance(contract.setStoreTolerance)(params, read);
}

function ofSession(): Edited<contract.Tolerance | null> {
  const params = { id: sessionId };
  const read = async () => (await server.admin.call(contract.sessionTolerance, { params })).session;
  return editedTolerance(contract.setSessionTolerance)(params, read);
}

interface Words {
  readonly name: string | null;
  readonly note: string | null;
}

function words(): Edited<Words> {
  const params = { id: sessionId };
  return {
    read: async () => {
      const { sessions } = await server.admin.call(contract.listSessions, {});
      const found = sessions.find(({ _id }) => _id === sessionId);
      return { name: found?.name ?? null, note: found?.note ?? null };
    },
    write: (value, seen) =>
      server.admin.send(contract.updateSession, {
        params,
        body: { ...value, ...(seen === undefined ? {} : { seen }) },
      }),
  };
}

const areaId = (code: string) => store.areas.find((area) => area.code === code)?.id ?? "";

async function makePlan(): Promise<string> {
  const nothing = { scope: "partial" as const, areaIds: null, people: null };
  const { plan } = await server.admin.call(contract.createPlan, { body: { storeId: store.id, ...nothing } });
  return plan._id;
}

function plan(id: string): Edited<contract.SeenPlan> {
  return {
    read: async () => {
      const { plans } = await server.admin.call(contract.listPlans, {});
      const found = plans.find(({ _id }) => _id === id);
      if (found === undefined) throw new Error("The plan is gone.");
      return found;
    },
    write: (value, seen) =>
      server.admin.send(contract.updatePlan, {
        params: { id },
        body: {
          ...value,
          people: value.people.length === 0 ? null : value.people,
          ...(seen === undefined ? {} : { seen }),
        },
      }),
  };
}

const unplanned = {
  name: null,
  note: null,
  scope: "partial" as const,
  people: [],
  assignmentsEnforced: false,
};
const withPeople = (): contract.SeenPlan => ({
  ...unplanned,
  areaIds: [areaId("A2"), areaId("A1")],
  people: [
    { counterName: "Ada", email: "Ada@example.com", areaIds: [areaId("A1")] },
    { counterName: "Tom", email: "tom@example.com", areaIds: [] },
  ],
  assignmentsEnforced: true,
});

const refused = { status: 409, body: { code: "CHANGED_MEANWHILE" } };

/** What one administrator saves after another had, both having begun with the same, is refused; and what each of them may do then. */
async function expectGuarded<Value>(
  { read, write }: Edited<Value>,
  theirs: Value,
  ours: Value,
): Promise<void> {
  const began = await read();
  expect(await write(theirs, began)).toMatchObject({ status: 200 });
  const saved = await read();
  expect(await write(ours, began)).toMatchObject(refused);
  expect(await read()).toEqual(saved);
  // Sent again after a lost answer, it is there already.
  expect(await write(theirs, began)).toMatchObject({ status: 200 });
  expect(await write(ours, saved)).toMatchObject({ status: 200 });
  expect(await read()).not.toEqual(saved);
  // As apps of before do.
  expect(await write(theirs)).toMatchObject({ status: 200 });
  expect(await read()).toEqual(saved);
}

describe("an edit that began with what is another by now changes nothing", () => {
  test("of a plan", async () => {
    const id = await makePlan();
    await expectGuarded(plan(id), withPeople(), { ...unplanned, areaIds: null, note: "Racks first" });
  });

  test("of a plan of which an area was merged or deleted", async () => {
    const id = await makePlan();
    const { read, write } = plan(id);
    await write(withPeople());
    const began = await read();
    await server.admin.call(contract.deleteArea, { params: { id: areaId("A2") } });
    const now = await read();
    expect(await write({ ...now, note: "Racks first" }, began)).toMatchObject(refused);
    expect(await write({ ...now, note: "Racks first" }, now)).toMatchObject({ status: 200 });
  });

  test("of a session's name and note", async () => {
    const theirs = { name: "Spring count", note: "Racks first\nWindow last" };
    await expectGuarded(words(), theirs, { name: null, note: "Till last" });
    const { body } = await words().write({ name: "Till count", note: null }, { name: null, note: null });
    expect(body).toEqual({
      code: "CHANGED_MEANWHILE",
      error:
        "The name or note was changed after you had opened it. Nothing of yours was saved, and what is there stays. Look at what it is now, then save again.",
    });
  });

  test("of a store's tolerance", () => expectGuarded(ofStore(), tolerance(5), tolerance(9)));

  test("of a session's tolerance", () => expectGuarded(ofSession(), tolerance(5), null));
});

describe("whose areas are which, edited by two at once", () => {
  const params = () => ({ id: sessionId });
  const areas = (...codes: string[]) => codes.map(areaId);
  const assign = (personId: string, areaIds: readonly string[], seenAreaIds: readonly string[]) =>
    server.admin.send(contract.assignAreas, {
      params: params(),
      body: {
        people: [
          { personId, areaIds: areaIds.length === 0 ? null : [...areaIds], seenAreaIds: [...seenAreaIds] },
        ],
      },
    });
  const areasOf = async (personId: string) => {
    const { people } = await server.admin.call(contract.readAssignments, { params: params() });
    return people.find(({ _id }) => _id === personId)?.areaIds.toSorted();
  };

  test("has what both gave and took", async () => {
    const { userId } = await makePermanentCounter(server, "Grace");
    await assign(userId, areas("A1"), []);
    const seen = areas("A1");
    expect(await assign(userId, areas("A1", "A2"), seen)).toMatchObject({ status: 200 });
    expect(await assign(userId, areas("A3"), seen)).toMatchObject({ status: 200 });
    expect(await areasOf(userId)).toEqual(areas("A2", "A3").toSorted());
    // Sent once more after its answer was lost.
    expect(await assign(userId, areas("A3"), seen)).toMatchObject({ status: 200 });
    expect(await areasOf(userId)).toEqual(areas("A2", "A3").toSorted());
  });

  test("goes on where an area that the edit found is deleted, and gives none that is gone", async () => {
    const { userId } = await makePermanentCounter(server, "Hal");
    await assign(userId, areas("A1", "A2"), []);
    await server.admin.call(contract.deleteArea, { params: { id: areaId("A1") } });
    expect(await assign(userId, areas("A1", "A2", "A3"), areas("A1", "A2"))).toMatchObject({ status: 200 });
    expect(await areasOf(userId)).toEqual(areas("A2", "A3").toSorted());
    expect(await assign(userId, areas("A1"), [])).toMatchObject({ status: 404 });
  });
});

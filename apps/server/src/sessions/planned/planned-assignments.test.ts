import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sendWaitingInvitations } from "../../invitations/invitations.ts";
import { makeStore, type TestStore } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { startTestServer, type TestServer, tokenOf } from "../../testing/test-server.ts";
import { refusingMailer } from "./testing.ts";

const { mailer, refused, sent } = refusingMailer();

let server: TestServer;
let store: TestStore;
beforeAll(async () => {
  server = await startTestServer({ environment: { mailer } });
});
beforeEach(async () => {
  refused.clear();
  sent.length = 0;
  store = await makeStore(server, { areaCodes: ["A1", "A2", "A3"] });
});
afterAll(() => server.close());

const area = (code: string) => store.areas.find((each) => each.code === code)?.id ?? "";

const ada = (...codes: string[]) => ({
  ...{ counterName: "Ada", email: "ada@example.com", areaIds: codes.map(area) },
});
const tom = (...codes: string[]) => ({
  ...{ counterName: "Tom", email: "tom@example.com", areaIds: codes.map(area) },
});

type Body = contract.CallInput<typeof contract.createPlan>["body"];

const bodyOf = (given: Partial<Body>): Body => ({
  ...{ storeId: store.id, scope: "partial", areaIds: null, people: null },
  ...given,
});

async function plan(given: Partial<Body>): Promise<contract.SessionPlan> {
  return (await server.admin.call(contract.createPlan, { body: bodyOf(given) })).plan;
}

async function start({ _id: id }: contract.SessionPlan): Promise<string> {
  const answer = await server.admin.call(contract.startPlan, { params: { id } });
  if (!("session" in answer)) throw new Error("The session was not started in time.");
  return answer.session._id;
}

/** The API of whoever joins by the link that was mailed to the address. */
async function joined(email: string): Promise<TestApi> {
  const link = sent.find(({ to }) => to === email)?.link ?? "";
  const token = link.split("/").at(-1) ?? "";
  const { headers } = await server.stranger.send(contract.acceptInvitation, { params: { token } });
  return server.as(tokenOf(headers));
}

async function assignedTo(api: TestApi, code: string) {
  const { areas } = await api.call(contract.listAreas, {});
  return areas.find((each) => each._id === area(code))?.assigned;
}

async function assignments(sessionId: string) {
  const { enforced, people } = await server.admin.call(contract.readAssignments, {
    params: { id: sessionId },
  });
  const own = people.filter(({ kind }) => kind === "invitation");
  return { enforced, people: own.map(({ name, areaIds }) => [name, areaIds]) };
}

async function audited(sessionId: string) {
  const { entries } = await server.admin.call(contract.listAudit, { query: { sessionId } });
  return entries.toReversed();
}

test("what is planned as a suggestion is assigned with the invitations, as in the running session", async () => {
  const made = await plan({ people: [ada("A1", "A2"), tom()] });
  expect(made.people).toEqual([ada("A1", "A2"), tom()]);
  const sessionId = await start(made);
  expect(await assignments(sessionId)).toEqual({
    enforced: false,
    people: [
      ["Ada", [area("A1"), area("A2")]],
      ["Tom", []],
    ],
  });
  expect(await assignedTo(await joined("ada@example.com"), "A1")).toEqual({
    ...{ names: ["Ada"], mine: true, enforced: false },
  });
  expect(await assignedTo(await joined("tom@example.com"), "A1")).toMatchObject({ mine: false });
  const [entry] = (await audited(sessionId)).filter(({ action }) => action === "areas.assigned");
  expect(entry).toMatchObject({
    before: { enforced: false, people: ["Ada: none"] },
    after: { enforced: false, people: ["Ada: A1 - Area A1, A2 - Area A2"] },
  });
});

test("enforced, nobody else opens an area from the start on", async () => {
  const sessionId = await start(await plan({ people: [ada("A1"), tom("A2")], assignmentsEnforced: true }));
  const opening = {
    params: { sessionId, areaCode: "A1" },
    query: { locationId: store.locationId },
  };
  const toms = await joined("tom@example.com");
  expect((await toms.refusal(contract.areaScans, opening)).code).toBe("AREA_ASSIGNED");
  await (await joined("ada@example.com")).call(contract.areaScans, opening);
  const [started] = (await audited(sessionId)).filter(({ action }) => action === "session.started");
  expect(started?.after).toMatchObject({ assignmentsEnforced: true });
});

test("whoever's mail is refused has their areas once it leaves, or once they are invited by hand; until then they are anybody's", async () => {
  refused.add("ada@example.com").add("tom@example.com");
  const people = [ada("A1"), tom("A2")];
  const sessionId = await start(await plan({ people, assignmentsEnforced: true }));
  expect(await assignments(sessionId)).toEqual({ enforced: true, people: [] });
  refused.clear();
  const byHand = { sessionId, storeId: store.id, counterName: "Tom B.", email: "TOM@example.com" };
  await server.admin.call(contract.createInvitation, { body: byHand });
  expect((await assignments(sessionId)).people).toEqual([["Tom B.", [area("A2")]]]);
  await server.database.pool.query("update waiting_invitations set next_attempt_at = now()");
  await sendWaitingInvitations(server.context);
  expect((await assignments(sessionId)).people).toEqual([
    ["Ada", [area("A1")]],
    ["Tom B.", [area("A2")]],
  ]);
});

describe("what has changed since", () => {
  test("a deleted area is told of by the plan and in the log of the start, and is nobody's", async () => {
    const made = await plan({ areaIds: [area("A1"), area("A3")], people: [ada("A1", "A3"), tom("A3")] });
    await server.admin.call(contract.deleteArea, { params: { id: area("A3") } });
    const { plans } = await server.admin.call(contract.listPlans, { query: {} });
    const now = plans.find(({ _id }) => _id === made._id);
    expect(now).toMatchObject({
      ...{ areaIds: [area("A1")], people: [ada("A1"), tom()], deletedAreas: ["A3 - Area A3"] },
    });
    const sessionId = await start(made);
    expect((await assignments(sessionId)).people).toEqual([
      ["Ada", [area("A1")]],
      ["Tom", []],
    ]);
    const [started] = (await audited(sessionId)).filter(({ action }) => action === "session.started");
    expect(started?.after).toMatchObject({ deletedAreas: ["A3 - Area A3"] });
  });

  test("a renamed area stays whose it is, and a merged one is the one that it became", async () => {
    const made = await plan({ people: [ada("A1", "A2")] });
    await server.admin.call(contract.updateArea, { params: { id: area("A1") }, body: { name: "Window" } });
    await server.admin.call(contract.mergeAreas, {
      body: { areaId: area("A2"), intoAreaId: area("A3") },
    });
    const sessionId = await start(made);
    expect((await assignments(sessionId)).people).toEqual([["Ada", [area("A1"), area("A3")]]]);
  });

  test("an area that is merged while its person waits for the mail is the one that it became", async () => {
    refused.add("ada@example.com");
    const sessionId = await start(await plan({ people: [ada("A2")] }));
    await server.admin.call(contract.mergeAreas, {
      body: { areaId: area("A2"), intoAreaId: area("A3") },
    });
    refused.clear();
    await server.database.pool.query("update waiting_invitations set next_attempt_at = now()");
    await sendWaitingInvitations(server.context);
    expect((await assignments(sessionId)).people).toEqual([["Ada", [area("A3")]]]);
  });

  test("who is taken out of the plan is assigned nothing", async () => {
    const made = await plan({ people: [ada("A1"), tom("A1")] });
    const { storeId: _store, ...body } = bodyOf({ people: [tom("A1")] });
    await server.admin.call(contract.updatePlan, { params: { id: made._id }, body });
    expect((await assignments(await start(made))).people).toEqual([["Tom", [area("A1")]]]);
  });

  test("a change of whose areas they are is in the audit log, by name", async () => {
    const made = await plan({ people: [ada("A1")] });
    const { storeId: _store, ...body } = bodyOf({ people: [ada("A2")], assignmentsEnforced: true });
    await server.admin.call(contract.updatePlan, { params: { id: made._id }, body });
    const { entries } = await server.admin.call(contract.listAudit, { query: {} });
    expect(entries.find(({ action }) => action === "plan.changed")).toMatchObject({
      before: { people: ["Ada <ada@example.com>: A1 - Area A1"], assignmentsEnforced: false },
      after: { people: ["Ada <ada@example.com>: A2 - Area A2"], assignmentsEnforced: true },
    });
  });
});

test("an area that is somebody's is of the store, and one of those that are counted", async () => {
  const refusal = async (given: Partial<Body>) => {
    const { details } = await server.admin.refusal(contract.createPlan, { body: bodyOf(given) });
    return details?.map(({ field, message }) => [field, message]);
  };
  expect(await refusal({ areaIds: [area("A1")], people: [tom("A1"), ada("A1", "A2")] })).toEqual([
    [
      "people.1.areaIds",
      "An area that is assigned is not counted by this plan. Choose it among the areas too, or assign another.",
    ],
  ]);
  const elsewhere = (await makeStore(server)).areas.map(({ id }) => id);
  expect(await refusal({ people: [{ ...ada(), areaIds: elsewhere }] })).toEqual([
    ["areaIds", "An area of the plan is not in this store any more. Choose the areas again."],
  ]);
});

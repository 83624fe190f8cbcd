import {
  acceptInvitation,
  createInvitation,
  createPlan,
  endSession,
  listAudit,
  listInvitations,
  revokeInvitation,
  startPlan,
  updatePlan,
} from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { auditRoutes } from "../../audit/routes.ts";
import { authRoutes } from "../../auth/routes.ts";
import { invitationRoutes, inviteLater, sendWaitingInvitations } from "../../invitations/invitations.ts";
import { makeStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { sessionRoutes } from "../routes.ts";
import { refusingMailer } from "./testing.ts";

const { mailer, refused, sent } = refusingMailer();

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    slices: [auditRoutes, authRoutes, sessionRoutes, invitationRoutes],
    environment: { mailer },
  });
});
beforeEach(async () => {
  await server.database.pool.query("delete from waiting_invitations");
  refused.clear();
  sent.length = 0;
});
afterAll(() => server.close());

const ada = { counterName: "Ada", email: "ada@example.com" };
const tom = { counterName: "Tom", email: "tom@example.com" };

async function planFor(people: readonly { readonly counterName: string; readonly email: string }[]) {
  const store = await makeStore(server);
  const invited = people.length === 0 ? null : [...people];
  const body = { storeId: store.id, scope: "full" as const, areaIds: null, people: invited };
  const { plan } = await server.admin.call(createPlan, { body });
  return { store, plan };
}

async function startFor(people: Parameters<typeof planFor>[0]) {
  const { store, plan } = await planFor(people);
  const answer = await server.admin.call(startPlan, { params: { id: plan._id } });
  if (!("session" in answer)) throw new Error("The session was not started in time.");
  const sessionId = answer.session._id;
  const list = async () => {
    const { invitations, waiting } = await server.admin.call(listInvitations, { params: { sessionId } });
    return { invited: invitations.map(({ counterName }) => counterName).sort(), waiting };
  };
  return { store, sessionId, list, plan };
}

/** What the schedule does each minute, once the pause after a failure is over. */
async function byTheClock(): Promise<void> {
  await server.database.pool.query("update waiting_invitations set next_attempt_at = now()");
  await sendWaitingInvitations(server.context);
}

test("nobody is told before the start; then everybody once, an address that is named twice too", async () => {
  await planFor([ada]);
  await byTheClock();
  expect(sent).toEqual([]);
  const { list, plan } = await startFor([ada, tom, { counterName: "Ada L.", email: "ADA@example.com" }]);
  await server.admin.call(startPlan, { params: { id: plan._id } });
  await byTheClock();
  expect(sent.map(({ to }) => to).sort()).toEqual(["ada@example.com", "tom@example.com"]);
  expect(await list()).toEqual({ invited: ["Ada", "Tom"], waiting: [] });
});

test("whom the mail server refuses is named with the reason, and invited once it takes the mail", async () => {
  refused.add(tom.email);
  const { list } = await startFor([tom, ada]);
  const problem = "The mail server refused the address.";
  expect(await list()).toEqual({
    invited: ["Ada"],
    waiting: [{ _id: expect.any(String), ...tom, problem, givenUp: false }],
  });
  await byTheClock();
  expect((await list()).invited).toEqual(["Ada"]);
  refused.clear();
  await byTheClock();
  expect(await list()).toEqual({ invited: ["Ada", "Tom"], waiting: [] });
});

test("whoever is given up, taken out or invited by hand waits no more", async () => {
  refused.add(tom.email).add(ada.email);
  const { list, sessionId, store } = await startFor([tom, ada]);
  await server.database.pool.query("update waiting_invitations set attempts = 11");
  await byTheClock();
  const { waiting = [] } = await list();
  expect(waiting.map(({ givenUp }) => givenUp)).toEqual([true, true]);
  const [waitingAda] = waiting.filter(({ email }) => email === ada.email);
  await server.admin.call(revokeInvitation, { params: { id: waitingAda?._id ?? "" } });
  refused.clear();
  const byHand = { sessionId, storeId: store.id, ...tom, email: "Tom@example.com" };
  await server.admin.call(createInvitation, { body: byHand });
  expect(await list()).toEqual({ invited: ["Tom"], waiting: [] });
  expect(sent.map(({ to }) => to)).toEqual(["Tom@example.com"]);
});

describe("whoever is added to a plan of nobody while Shopify is read for its start", () => {
  test("is mailed a link that leads to this server", async () => {
    const { plan } = await planFor([]);
    const match = { operation: "VariantsPage" };
    await server.shop.addFaults({ faults: [{ match, effect: { kind: "hang", when: "after" } }] });
    const starting = server.admin.call(startPlan, { params: { id: plan._id } });
    await server.shop.untilHanging();
    const body = { scope: plan.scope, areaIds: null, people: [ada] };
    await server.admin.call(updatePlan, { params: { id: plan._id }, body });
    await server.shop.releaseHanging();
    await starting;
    expect(sent.map(({ to, link }) => [to, link.startsWith(`${server.url}/`)])).toEqual([[ada.email, true]]);
  });

  test("is named as not invited where nobody knows where the link should lead", async () => {
    const { sessionId, store, list } = await startFor([]);
    const waiting = { sessionId, storeId: store.id, invitedBy: null, origin: "" };
    await server.database.database
      .transaction()
      .execute((transaction) => inviteLater(transaction, [{ ...ada, areaIds: [] }], waiting));
    await sendWaitingInvitations(server.context);
    const problem = expect.stringMatching(/PUBLIC_URL/);
    expect(await list()).toMatchObject({ invited: [], waiting: [{ ...ada, givenUp: true, problem }] });
    expect(sent).toEqual([]);
  });
});

describe("while the mail server is taking somebody's mail", () => {
  /** Tom waits; `act` is done once the server has been handed his mail and before it has taken it. */
  async function whileSending(
    act: (given: {
      readonly waitingId: string;
      readonly sessionId: string;
      readonly storeId: string;
    }) => Promise<unknown>,
  ) {
    refused.add(tom.email);
    const { list, sessionId, store } = await startFor([tom]);
    const { waiting = [] } = await list();
    refused.clear();
    vi.spyOn(mailer, "send").mockImplementationOnce(async (mail) => {
      await act({ waitingId: waiting[0]?._id ?? "", sessionId, storeId: store.id });
      sent.push(mail);
    });
    await byTheClock();
    const token =
      sent
        .find(({ to }) => to === tom.email)
        ?.link.split("/")
        .at(-1) ?? "";
    const { status } = await server.stranger.send(acceptInvitation, { params: { token } });
    const { entries } = await server.admin.call(listAudit, { query: { sessionId } });
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith("invitation."));
    return { list: await list(), status, actions };
  }

  test("whoever is taken out is not invited: the link opens nothing", async () => {
    const { list, status, actions } = await whileSending(({ waitingId }) =>
      server.admin.call(revokeInvitation, { params: { id: waitingId } }),
    );
    expect(list).toEqual({ invited: [], waiting: [] });
    expect({ status, actions }).toEqual({ status: 404, actions: ["invitation.revoked"] });
    const { rows } = await server.database.pool.query("select from invitations where sent_at is null");
    expect(rows).toEqual([]);
  });

  test("an end of the session invites nobody afterwards", async () => {
    const { list, status, actions } = await whileSending(({ sessionId }) =>
      server.admin.call(endSession, { body: { sessionId } }),
    );
    expect(list).toEqual({ invited: [], waiting: [] });
    expect({ status, actions }).toEqual({ status: 404, actions: [] });
  });

  test("whoever is invited by hand too has two links that open", async () => {
    const { list, status } = await whileSending(({ sessionId, storeId }) =>
      server.admin.call(createInvitation, { body: { sessionId, storeId, ...tom } }),
    );
    expect(list).toEqual({ invited: ["Tom", "Tom"], waiting: [] });
    expect(status).toBe(200);
  });
});

test("nobody is invited to a session that has ended", async () => {
  refused.add(tom.email);
  const { list, sessionId } = await startFor([tom]);
  await server.admin.call(endSession, { body: { sessionId } });
  refused.clear();
  await byTheClock();
  expect(sent).toEqual([]);
  expect((await list()).waiting).toEqual([]);
});

test("several nodes that send at once send one mail to each", async () => {
  refused.add(tom.email).add(ada.email);
  const { list } = await startFor([tom, ada]);
  refused.clear();
  await server.database.pool.query("update waiting_invitations set next_attempt_at = now()");
  await Promise.all([1, 2, 3].map(() => sendWaitingInvitations(server.context)));
  expect(sent.map(({ to }) => to).sort()).toEqual([ada.email, tom.email]);
  expect((await list()).waiting).toEqual([]);
});

import * as contract from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { invitationRoutes } from "../invitations/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { type EventClient, listen } from "../testing/event-client.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { begin, join, makePermanentCounter, makeStore } from "../testing/scenes.ts";
import type { TestApi } from "../testing/test-api.ts";
import { adminPassword, startTestServer, type TestServer, tokenOf } from "../testing/test-server.ts";
import { userRoutes } from "../users/routes.ts";
import { eventRoutes } from "./routes.ts";

const slices = [authRoutes, sessionRoutes, invitationRoutes, userRoutes, eventRoutes];
const clients: EventClient[] = [];
let server: TestServer;
/** Another node of the installation, where the pages listen that end. */
let other: TestServer;
let session: contract.CountingSession;

beforeAll(async () => {
  // No heartbeat comes, so whatever ends was told to.
  const environment = { clock: createHeldClock() };
  server = await startTestServer({ slices, environment });
  other = await startTestServer({ slices, environment, over: server });
  session = await begin(server, await makeStore(server));
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  await other.close();
  await server.close();
});

async function open({ token }: TestApi): Promise<EventClient> {
  const client = await listen(other.as(token ?? ""));
  clients.push(client);
  return client;
}

async function signInAgain(): Promise<TestApi> {
  const body = { password: adminPassword };
  return server.as(tokenOf((await server.stranger.send(contract.adminLogin, { body })).headers));
}

interface Ending {
  readonly page: TestApi;
  /** Of the same user, and goes on. */
  readonly staying?: TestApi;
  end(): Promise<unknown>;
}

const endings: Readonly<Record<string, () => Promise<Ending>>> = {
  "signs out": async () => {
    const [page, staying] = [await signInAgain(), await signInAgain()];
    return { page, staying, end: () => page.call(contract.logout, {}) };
  },
  "signs in as somebody else": async () => {
    const page = await signInAgain();
    return { page, end: () => page.call(contract.adminLogin, { body: { password: adminPassword } }) };
  },
  "is another login of an administrator who changes the password": async () => {
    const [page, staying] = [await signInAgain(), await signInAgain()];
    const body = { currentPassword: adminPassword, newPassword: adminPassword };
    return { page, staying, end: () => staying.call(contract.changeAdminPassword, { body }) };
  },
  "is given a new password": async () => {
    const { api: page, userId: id } = await makePermanentCounter(server, "Given");
    const change = { params: { id }, body: { password: "another-day" } };
    return { page, end: async () => (await signInAgain()).call(contract.updateCounter, change) };
  },
  "is deactivated": async () => {
    const { api: page, userId: id } = await makePermanentCounter(server, "Idle");
    const change = { params: { id }, body: { isActive: false } };
    return { page, end: async () => (await signInAgain()).call(contract.updateCounter, change) };
  },
  "is deleted": async () => {
    const { api: page, userId: id } = await makePermanentCounter(server, "Gone");
    return { page, end: async () => (await signInAgain()).call(contract.deleteCounter, { params: { id } }) };
  },
  "has come by an invitation that is revoked": async () => {
    const [{ api: page, invitationId }, { api: staying }] = [
      await join(server, session),
      await join(server, session),
    ];
    const params = { id: invitationId ?? "" };
    return {
      page,
      staying,
      end: async () => (await signInAgain()).call(contract.revokeInvitation, { params }),
    };
  },
  "gave way to those that the same person made elsewhere": async () => {
    const { api: page, userId } = await makePermanentCounter(server, "Everywhere");
    const statement = "update logins set replaced_at = now() where user_id = $1";
    return { page, end: () => server.database.pool.query(statement, [userId]) };
  },
  "is ended by a command beside the server": async () => {
    const { api: page, userId } = await makePermanentCounter(server, "Beside");
    return { page, end: () => server.database.pool.query("delete from logins where user_id = $1", [userId]) };
  },
};

describe("an event stream ends at once, on whatever node", () => {
  test.each(Object.keys(endings))("when its login %s", async (how) => {
    const ending = await endings[how]?.();
    if (ending === undefined) throw new Error("There is no such ending.");
    const page = await open(ending.page);
    const staying = await open(ending.staying ?? (await signInAgain()));
    await ending.end();
    await page.ended;
    server.context.events.publish({ type: "catalogue" });
    await staying.until({ type: "catalogue" });
  });
});

test("a stream is not opened for a login that ends while it is being opened", async () => {
  const page = await signInAgain();
  const opened = await Promise.all([open(page), page.call(contract.logout, {})]).catch(() => null);
  if (opened !== null && opened[0].status === 200) await opened[0].ended;
});

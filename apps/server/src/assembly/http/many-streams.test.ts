import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { startEmulator } from "@stocktake/shopify-emulator";
import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loginsPerUser } from "../../auth/auth.ts";
import { createTestDatabase } from "../../database/testing.ts";
import { systemClock } from "../../kernel/clock.ts";
import { type EventClient, listen } from "../../testing/event-client.ts";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { startTestServer, type TestServer, tokenOf } from "../../testing/test-server.ts";
import { testShop } from "../../testing/test-shop.ts";

/** Counts the statements that the server makes. */
class StatementCount implements KyselyPlugin {
  count = 0;
  transformQuery({ node }: PluginTransformQueryArgs) {
    this.count += 1;
    return node;
  }
  async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

/** Nothing is done by the clock alone while statements are counted. */
const clock: typeof systemClock = {
  ...systemClock,
  sleep: (milliseconds, signal) =>
    systemClock.sleep(milliseconds > 10_000 ? 3_600_000 : milliseconds, signal),
};

interface Place {
  readonly store: TestStore;
  readonly session: contract.CountingSession;
  readonly counter: TestCounter;
}

const statements = new StatementCount();
const streams: EventClient[] = [];
let server: TestServer;
let flooded: Place;
let elsewhere: Place;
let page: EventClient;
let seq = 0;
let deviceId = "";

beforeAll(async () => {
  const [emulator, own] = await Promise.all([startEmulator({ catalogue: testShop }), createTestDatabase()]);
  const database = { ...own, database: own.database.withPlugin(statements) };
  server = await startTestServer({ environment: { clock, workClock: clock }, over: { emulator, database } });
  [flooded, elsewhere] = [await openPlace(), await openPlace()];
  page = await listen(server.admin);
});
afterAll(async () => {
  for (const stream of [page, ...streams]) stream.close();
  await server.close();
  await server.emulator.close();
  await server.database.drop();
});

async function openPlace(): Promise<Place> {
  const store = await makeStore(server);
  const session = await begin(server, store);
  return { store, session, counter: await join(server, session) };
}

/** The token of a new invitation. */
async function invite({ store, session }: Place): Promise<string> {
  const body = { sessionId: session._id, storeId: store.id, counterName: "Ada", email: "ada@example.com" };
  await server.admin.call(contract.createInvitation, { body });
  const { mails } = await server.admin.call(contract.listOutboxMails, {});
  return mails[0]?.link.split("/").at(-1) ?? "";
}

async function accept(token: string): Promise<TestApi> {
  const { headers } = await server.stranger.send(contract.acceptInvitation, { params: { token } });
  return server.as(tokenOf(headers));
}

/** The statements that are made until the administrator's page has heard of what was done. */
async function statementsOf(type: contract.EventType, { session }: Place, act: () => Promise<unknown>) {
  page.heard.splice(0);
  const before = statements.count;
  await act();
  await page.until({ type, sessionId: session._id });
  return statements.count - before;
}

function scanIn({ store, session, counter }: Place) {
  seq += 1;
  const area = { storeId: store.id, locationId: store.locationId, areaCode: store.areas[0]?.code ?? "" };
  const code = { input: "JK-1000", inputType: "sku" as const, deviceId, seq };
  return counter.api.call(contract.postScan, { body: { sessionId: session._id, ...area, ...code } });
}

/** What a scan, an accepted and a revoked invitation cost in the store that nobody floods. */
async function costs() {
  // A device that has not been heard of for a while is noted again, by a statement more.
  deviceId = `device-${randomUUID()}`;
  // What was done before has been told of; the first scan of an area does more than the next, and so does its event.
  for (let warmUp = 0; warmUp < 2; warmUp += 1)
    await statementsOf("scan", elsewhere, () => scanIn(elsewhere));
  const scan = await statementsOf("scan", elsewhere, () => scanIn(elsewhere));
  let token = "";
  await statementsOf("invitation", elsewhere, async () => {
    token = await invite(elsewhere);
  });
  const accepted = await statementsOf("invitation", elsewhere, () => accept(token));
  const params = { sessionId: elsewhere.session._id };
  const { invitations } = await server.admin.call(contract.listInvitations, { params });
  const revoke = { params: { id: invitations[0]?._id ?? "" } };
  const revoked = await statementsOf("invitation", elsewhere, () =>
    server.admin.call(contract.revokeInvitation, revoke),
  );
  return { scan, accepted, revoked };
}

describe("one link that is accepted again and again, with many streams each time", () => {
  let quiet: Awaited<ReturnType<typeof costs>>;
  let logins: TestApi[];

  beforeAll(async () => {
    quiet = await costs();
    const token = await invite(flooded);
    logins = [];
    for (let place = 0; place < loginsPerUser.temporary + 5; place += 1) logins.push(await accept(token));
  });

  test("makes as many logins as a person may have: the oldest end", async () => {
    const whoIsIn = await Promise.all(logins.map((api) => api.send(contract.whoAmI, {})));
    const statuses = whoIsIn.map(({ status }) => status);
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(loginsPerUser.temporary).fill(200)]);
  });

  test("opens two streams for each of them at most; a further one is 503 with when to try again", async () => {
    for (const api of logins.slice(5)) {
      streams.push(...(await Promise.all([listen(api), listen(api), listen(api)])));
    }
    const open = streams.filter(({ status }) => status === 200);
    const refused = streams.filter(({ status }) => status === 503);
    expect([open.length, refused.length]).toEqual([2 * loginsPerUser.temporary, loginsPerUser.temporary]);
    expect(refused[0]?.headers.get("retry-after")).toBe("30");
  });

  test("costs another store nothing: its scans and invitations take the statements that they took before", async () => {
    expect(await costs()).toEqual(quiet);
    const stream = await listen(elsewhere.counter.api);
    streams.push(stream);
    expect(stream.status).toBe(200);
  });

  test("costs few look-ups where it is concerned itself: all its streams are asked about together", async () => {
    const { events } = server.context;
    const ofSession = { sessionId: flooded.session._id, storeId: flooded.store.id };
    const invitation = await statementsOf("invitation", flooded, async () =>
      events.publish({ type: "invitation", ...ofSession }),
    );
    const session = await statementsOf("session", flooded, async () =>
      events.publish({ type: "session", ...ofSession }),
    );
    // One to publish; a group that began before the last stream asked is followed by one more.
    expect(invitation).toBe(1);
    expect(session).toBeLessThanOrEqual(1 + 2 * 2 * 2);
  });
});

import { endSession, listSessions, startSession } from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";

let server: TestServer;
let store: TestStore;

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet });
});
afterEach(() => server.shop.reset());
afterAll(() => server.close());

/** Shopify ends the levels of a location with it: they read as zero. */
function closeLocation(): void {
  const { store: shop } = server.emulator;
  shop.locations = shop.locations.map((each) =>
    each.name === highStreet ? { ...each, isActive: false } : each,
  );
}

/** Closes the location when one of the calls that `ask` leads to has been held up. */
async function closeDuring<Answer>(operation: string, ask: () => Promise<Answer>): Promise<Answer> {
  await server.shop.addFaults({
    faults: [{ match: { operation }, effect: { kind: "hang", when: "before" } }],
  });
  const asked = ask();
  await server.shop.untilHanging();
  closeLocation();
  await server.shop.releaseHanging();
  return asked;
}

const closed = "Shopify no longer has this store's location, or it is not active there.";

async function sessionsOfStore() {
  const { sessions } = await server.admin.call(listSessions, {});
  return sessions.filter(({ storeId: { _id } }) => _id === store.id);
}

test("a session does not start where its Shopify location is closed while its stock is read", async () => {
  const start = () => server.admin.send(startSession, { body: { storeId: store.id } });
  expect(await closeDuring("VariantsPage", start)).toMatchObject({
    status: 502,
    body: { code: "PLATFORM_ERROR", error: expect.stringContaining(`${closed} Nothing was changed.`) },
  });
  expect(await sessionsOfStore()).toEqual([]);
});

test.each(["VariantsPage", "ChangedLevels"])(
  "a session goes on where its Shopify location is closed while its end is read (%s)",
  async (operation) => {
    const session = await begin(server, store);
    const end = () => server.admin.send(endSession, { body: { sessionId: session._id } });
    expect(await closeDuring(operation, end)).toMatchObject({
      status: 502,
      body: { code: "PLATFORM_ERROR", error: expect.stringContaining(`${closed} The session still counts`) },
    });
    expect(await sessionsOfStore()).toContainEqual(
      expect.objectContaining({ _id: session._id, status: "active" }),
    );
    await server.shop.reset();
    expect(await end()).toMatchObject({ status: 200, body: { session: { status: "closed" } } });
  },
);

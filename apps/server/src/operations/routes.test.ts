import { listOperations, readOperation, startSession } from "@stocktake/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const underWay = async () => (await server.admin.call(listOperations, {})).operations;

test("what is under way is listed with its store for every administrator, until it has ended", async () => {
  const store = await makeStore(server);
  expect(await underWay()).toEqual([]);
  await server.shop.addFaults({
    faults: [{ match: { operation: "VariantsPage" }, effect: { kind: "hang", when: "before" } }],
  });
  const start = server.admin.call(startSession, { body: { storeId: store.id } });
  await server.shop.untilHanging();
  const [operation, ...others] = await underWay();
  expect(others).toEqual([]);
  expect(operation).toMatchObject({ kind: "start", status: "running", storeId: store.id, sessionId: null });
  const params = { id: operation?._id ?? "" };
  expect(await server.admin.call(readOperation, { params })).toEqual({ operation });
  await server.shop.releaseHanging();
  await start;
  await vi.waitFor(async () => expect(await underWay()).toEqual([]));
});

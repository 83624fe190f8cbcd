import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { scanningRoutes } from "../scanning/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, clearStores, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { areaRoutes } from "./routes.ts";
import { scan } from "./testing.ts";

let server: TestServer;
let store: TestStore;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes, scanningRoutes, areaRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  await clearStores(server);
  store = await makeStore(server);
});

async function codes(): Promise<string[]> {
  return (await server.admin.call(contract.listAreas, {})).areas.map(({ code }) => code);
}

describe("deleting an area", () => {
  const deleted = (id = store.areas[0]?.id ?? "") =>
    server.admin.send(contract.deleteArea, { params: { id } });

  test("hides it and is 404 the second time", async () => {
    expect(await deleted()).toMatchObject({ status: 200, body: { success: true } });
    expect((await deleted()).status).toBe(404);
    expect((await deleted("malformed")).status).toBe(404);
    expect(await codes()).toEqual(["A2"]);
  });

  test.each(["counted", "voided", "late", "unresolved"])(
    "with a %s scan of the running session is 409",
    async (status) => {
      const session = await begin(server, store);
      await scan(server.admin, store, session);
      await server.database.pool.query("update scans set status = $1 where session_id = $2", [
        status,
        session._id,
      ]);
      expect(await deleted()).toMatchObject({ status: 409, body: { code: "AREA_HAS_SCANS" } });
      expect((await deleted(store.areas[1]?.id)).status).toBe(200);
    },
  );

  test("with scans of an ended session is allowed", async () => {
    const session = await begin(server, store);
    await scan(server.admin, store, session);
    await server.database.pool.query("update sessions set status = 'closed', ended_at = now()");
    expect((await deleted()).status).toBe(200);
  });

  test("while scans arrive leaves no counted scan in a hidden area", async () => {
    const session = await begin(server, store);
    const [{ status }] = await Promise.all([
      deleted(),
      ...Array.from({ length: 10 }, () =>
        scan(server.admin, store, session).catch((error: Error) => expect(error.message).toContain("404")),
      ),
    ]);
    const { rows } = await server.database.pool.query("select status from scans where session_id = $1", [
      session._id,
    ]);
    const counted = rows.filter((row) => row.status === "counted");
    expect(status === 200 ? counted.length : 0).toBe(0);
    expect([200, 409]).toContain(status);
  });
});

import {
  adjustCount,
  deployReport,
  endSession,
  finishArea,
  leaveRows,
  listAdjustmentRows,
  listAdjustments,
  previewDeploy,
  previewRollback,
  resumeAdjustment,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { fingerprint } from "../assembly/http/testing.ts";
import { authRoutes } from "../auth/routes.ts";
import { reportRoutes } from "../reports/routes.ts";
import { scanningRoutes } from "../scanning/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { createHurryingClock } from "../testing/hurrying-clock.ts";
import { begin, join, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";
import { adjustmentRoutes } from "./routes.ts";

const slices = [authRoutes, sessionRoutes, scanningRoutes, reportRoutes, adjustmentRoutes];
let server: TestServer;
let store: TestStore;

beforeAll(async () => {
  server = await startTestServer({ slices, environment: { clock: createHurryingClock() } });
  store = await makeStore(server, { shopifyLocation: highStreet, areaCodes: ["A1"] });
});
afterEach(() => server.shop.reset());
afterAll(() => server.close());

interface Counted {
  readonly scope?: "full" | "partial";
  /** Whether the one area was closed, empty. */
  readonly closed?: boolean;
}

/** An ended session of the store in which these SKUs were counted. */
async function counted(
  counts: Readonly<Record<string, number>>,
  { scope = "partial", closed = false }: Counted = {},
): Promise<string> {
  const session = await begin(server, store, scope);
  if (closed) {
    const area = { sessionId: session._id, areaCode: "A1", locationId: store.locationId };
    await server.admin.call(finishArea, { body: { ...area, declaredTotal: 0, deviceId: "device-1" } });
  }
  await server.admin.call(endSession, { body: { sessionId: session._id } });
  for (const [sku, newCount] of Object.entries(counts)) {
    await server.admin.call(adjustCount, { params: { sessionId: session._id }, body: { sku, newCount } });
  }
  return session._id;
}

const look = (sessionId: string) => server.admin.call(previewDeploy, { params: { sessionId } });
const deploy = (sessionId: string, zeroUncounted = false) =>
  server.admin.call(deployReport, { params: { sessionId }, body: { zeroUncounted } });

describe("the look before a deploy", () => {
  test("says what the deploy then does, and names with its reason what Shopify can't move", async () => {
    const sessionId = await counted({ "SET-1": 9, "HAT-1": 2, "JK-1000": 1, "JK-1001": 8 });
    const preview = await look(sessionId);
    const skipped = [
      { sku: "HAT-1", reason: "NOT_STOCKED" },
      { sku: "SET-1", reason: "BUNDLE" },
    ];
    expect(preview).toEqual({
      totalAdjustments: 1,
      skipped,
      uncounted: { items: 0, units: 0, cost: 0, withoutCost: 0 },
      zeroed: "by_choice",
      shopifyAsked: true,
    });
    expect(await deploy(sessionId)).toEqual({ totalAdjustments: 1, status: "applied", skipped });
  });

  test("knows what Shopify has stopped to track, to stock and to sell since the session's end", async () => {
    const sessionId = await counted({ "JK-1000": 1, "JK-1001": 1, "JK-1002": 1, "BELT-1": 1 });
    await server.shop.changeVariant({ item: "JK-1000", change: { tracked: false } });
    await server.shop.deactivateLevel({ item: "JK-1001", location: highStreet });
    await server.shop.deleteVariant({ item: "JK-1002" });
    expect(await look(sessionId)).toMatchObject({
      totalAdjustments: 1,
      skipped: [
        { sku: "JK-1000", reason: "UNTRACKED" },
        { sku: "JK-1001", reason: "NOT_STOCKED" },
        { sku: "JK-1002", reason: "DELETED" },
      ],
    });
  });

  test("says how many SKUs, units and dollars go to zero by choice alone where areas were left open", async () => {
    const sessionId = await counted({ "JK-1000": 6 }, { scope: "full" });
    const { uncounted, zeroed, totalAdjustments } = await look(sessionId);
    // Jackets M and L (8 and 9 at 12.40), scarves (3 and 2 at 4.00), belts (4 of unknown cost); the bundle is not moved.
    expect({ uncounted, zeroed, totalAdjustments }).toEqual({
      uncounted: { items: 5, units: 26, cost: 230.8, withoutCost: 1 },
      zeroed: "by_choice",
      totalAdjustments: 1,
    });
    expect(await deploy(sessionId, true)).toMatchObject({ totalAdjustments: 6 });
  });

  test("counts them in where every area was closed, as the deploy does", async () => {
    const sessionId = await counted({ "JK-1000": 6 }, { scope: "full", closed: true });
    const { uncounted, zeroed, totalAdjustments } = await look(sessionId);
    expect({ items: uncounted.items, zeroed, totalAdjustments }).toEqual({
      items: 5,
      zeroed: "always",
      totalAdjustments: 6,
    });
    expect(await deploy(sessionId)).toMatchObject({ totalAdjustments: 6 });
  });

  test("goes by the report alone where Shopify does not answer, and says so", async () => {
    const sessionId = await counted({ "JK-1000": 6 });
    await server.shop.addFaults({
      faults: [{ effect: { kind: "status", status: 403, when: "before" }, times: "always" }],
    });
    expect(await look(sessionId)).toMatchObject({ totalAdjustments: 1, skipped: [], shopifyAsked: false });
  });

  test("is refused where a deploy is", async () => {
    const sessionId = await counted({ "JK-1000": 6 });
    await deploy(sessionId);
    expect(await server.admin.refusal(previewDeploy, { params: { sessionId } })).toMatchObject({
      status: 409,
      code: "REPORT_DEPLOYED",
    });
  });
});

describe("a counter", () => {
  test("sees none of it and resumes nothing", async () => {
    const sessionId = await counted({ "JK-1000": 6 });
    await deploy(sessionId);
    const { adjustments } = await server.admin.call(listAdjustments, { params: { sessionId } });
    const session = await begin(server, store);
    const { api } = await join(server, session);
    const params = { sessionId, adjustmentId: adjustments[0]?._id ?? "" };
    for (const call of [previewDeploy, previewRollback, resumeAdjustment, leaveRows]) {
      expect(await api.refusal(call, { params })).toMatchObject({ status: 403, code: "FORBIDDEN" });
    }
    const rollback = { params: { sessionId: session._id } };
    expect(await server.admin.refusal(previewRollback, rollback)).toMatchObject({ code: "SESSION_ACTIVE" });
    await server.admin.call(endSession, { body: { sessionId: session._id } });
  });
});

describe("over HTTP", () => {
  test("the look before a rollback answers as the contract says and changes nothing", async () => {
    const sessionId = await counted({ "JK-1000": 6 });
    await deploy(sessionId);
    await server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 2 });
    const before = await fingerprint(server);
    const preview = await server.admin.call(previewRollback, { params: { sessionId } });
    expect(preview).toMatchObject({ totalAdjustments: 1, checked: 1, moved: 1 });
    expect(preview.rows).toMatchObject([
      { sku: "JK-1000", productTitle: "Jacket", size: "S", movedSince: -2 },
    ]);
    expect(await fingerprint(server)).toEqual(before);
  });

  test("a partial deploy is resumed, and the rows that are open are asked for alone", async () => {
    const sessionId = await counted({ "JK-1000": 6, "JK-1001": 6 });
    await server.shop.addFaults({
      faults: [{ effect: { kind: "stale", skus: ["JK-1000"] }, times: "always" }],
    });
    expect(await deploy(sessionId)).toMatchObject({ totalAdjustments: 1, status: "partial" });
    const open = { params: { sessionId }, query: { view: "open" as const } };
    const { rows } = await server.admin.call(listAdjustmentRows, open);
    expect(rows.map(({ sku, state }) => [sku, state])).toEqual([["JK-1000", "not_moved"]]);
    await server.shop.clearFaults();
    const params = { adjustmentId: rows[0]?.adjustmentId ?? "" };
    const resumed = await server.admin.call(resumeAdjustment, { params });
    expect(resumed).toEqual({ totalAdjustments: 1, status: "applied" });
    expect((await server.admin.call(listAdjustmentRows, open)).rows).toEqual([]);
    expect(await server.admin.refusal(leaveRows, { params })).toMatchObject({ code: "NOTHING_TO_RESUME" });
  });
});

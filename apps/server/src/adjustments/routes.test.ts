import {
  adjustCount,
  deployReport,
  endSession,
  listAdjustmentRows,
  listAdjustments,
  readOperation,
  rollbackReport,
  settleRow,
  varianceReport,
} from "@stocktake/contract";
import { afterEach, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { operationRoutes } from "../operations/routes.ts";
import { reportRoutes } from "../reports/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { createHurryingClock } from "../testing/hurrying-clock.ts";
import { begin, join } from "../testing/scenes.ts";
import { highStreet } from "../testing/test-shop.ts";
import { adjustmentRoutes, workWithinMs } from "./routes.ts";
import { ReportScene } from "./testing/report-scene.ts";

const slices = [authRoutes, sessionRoutes, operationRoutes, reportRoutes, adjustmentRoutes];
const field = "inventoryAdjustQuantities";
const clock = createHeldClock();
const nobody = "3f8c2a53-0a1c-4b7e-9a55-8e1f3f9f0f11";
const environment = { workClock: clock, clock: createHurryingClock() };
const scene = new ReportScene({ slices, environment }, { areaCodes: ["A1", "A2"] });

afterEach(async () => {
  await scene.server.shop.clearFaults();
  await scene.server.shop.releaseHanging();
});

const rollBack = (sessionId: string) => scene.server.admin.call(rollbackReport, { params: { sessionId } });
const deployRefused = (sessionId: string) =>
  scene.server.admin.refusal(deployReport, { params: { sessionId }, body: {} });
const rollBackRefused = (sessionId: string) =>
  scene.server.admin.refusal(rollbackReport, { params: { sessionId } });
const history = async (sessionId: string) =>
  (await scene.server.admin.call(listAdjustments, { params: { sessionId } })).adjustments;

describe("deploying a report", () => {
  test("brings on hand to the count, and the report and its history show it", async () => {
    const [small, medium] = [await scene.onHand("JK-1000"), await scene.onHand("JK-1001")];
    const sessionId = await scene.counted({
      "JK-1000": small - 2,
      "JK-1001": medium + 3,
      "JK-1002": await scene.onHand("JK-1002"),
    });
    expect(await scene.deploy(sessionId)).toEqual({ totalAdjustments: 2, status: "applied", skipped: [] });
    expect([await scene.onHand("JK-1000"), await scene.onHand("JK-1001")]).toEqual([small - 2, medium + 3]);
    const report = await scene.server.admin.call(varianceReport, { params: { sessionId }, query: {} });
    expect(report.deployed).toBe(true);
    expect(report.items.map(({ sku, deployed, skipReason }) => [sku, deployed, skipReason])).toEqual([
      ["JK-1000", -2, null],
      ["JK-1001", 3, null],
      ["JK-1002", 0, null],
    ]);
    expect(await history(sessionId)).toMatchObject([
      {
        totalAdjustments: 2,
        status: "applied",
        rolledBackAt: null,
        appliedBy: { username: "admin" },
        note: null,
      },
    ]);
    const { rows } = await scene.server.admin.call(listAdjustmentRows, { params: { sessionId }, query: {} });
    expect(rows.map(({ sku, delta, state, direction }) => [sku, delta, state, direction])).toEqual([
      ["JK-1000", -2, "confirmed", "deploy"],
      ["JK-1001", 3, "confirmed", "deploy"],
    ]);
  });

  test("without a variance moves nothing and leaves no history", async () => {
    const sessionId = await scene.counted({ "JK-1000": await scene.onHand("JK-1000") });
    expect(await scene.deploy(sessionId)).toEqual({ totalAdjustments: 0, status: "applied", skipped: [] });
    expect(await history(sessionId)).toEqual([]);
    const report = await scene.server.admin.call(varianceReport, { params: { sessionId }, query: {} });
    expect(report.deployed).toBe(false);
  });

  test("names what it leaves alone and why", async () => {
    const belts = await scene.onHand("BELT-1");
    const sessionId = await scene.counted({ "SET-1": 9, "HAT-1": 2, "BELT-1": belts + 1 });
    expect(await scene.deploy(sessionId)).toEqual({
      totalAdjustments: 1,
      status: "applied",
      skipped: [
        { sku: "HAT-1", reason: "NOT_STOCKED" },
        { sku: "SET-1", reason: "BUNDLE" },
      ],
    });
    expect(await scene.onHand("BELT-1")).toBe(belts + 1);
  });

  test("leaves alone what Shopify has stopped to stock since the report", async () => {
    const belts = await scene.onHand("BELT-1");
    const sessionId = await scene.counted({
      "BELT-1": belts + 1,
      "JK-1000": (await scene.onHand("JK-1000")) + 1,
    });
    await scene.server.shop.deactivateLevel({ item: "BELT-1", location: highStreet });
    expect(await scene.deploy(sessionId)).toMatchObject({
      totalAdjustments: 1,
      skipped: [{ sku: "BELT-1", reason: "NOT_STOCKED" }],
    });
    await scene.server.shop.activateLevel({ item: "BELT-1", location: highStreet });
    expect(await scene.onHand("BELT-1")).toBe(belts);
  });

  test("sets what nobody counted to zero only on request", async () => {
    const sessionId = await scene.counted({ "JK-1000": await scene.onHand("JK-1000") }, { scope: "full" });
    const left = await scene.deploy(sessionId);
    expect(left).toMatchObject({ totalAdjustments: 0 });
    expect(left.skipped).toContainEqual({ sku: "JK-1001", reason: "NOT_COUNTED" });
    expect((await scene.deploy(sessionId, { zeroUncounted: true, confirmUnits: 30 })).status).toBe("applied");
    expect([
      await scene.onHand("JK-1001"),
      await scene.onHand("BELT-1"),
      await scene.onHand("SET-1"),
    ]).toEqual([0, 0, 3]);
    await rollBack(sessionId);
  });

  test("of a report that a later session counted again leaves those SKUs alone", async () => {
    const jackets = await scene.onHand("JK-1000");
    const earlier = await scene.counted({ "JK-1000": jackets + 5 });
    await scene.counted({ "JK-1000": jackets });
    expect(await scene.deploy(earlier)).toEqual({
      totalAdjustments: 0,
      status: "applied",
      skipped: [{ sku: "JK-1000", reason: "COUNTED_LATER" }],
    });
  });

  test("twice at the same time is done by one of them alone", async () => {
    const jackets = await scene.onHand("JK-1000");
    const sessionId = await scene.counted({ "JK-1000": jackets + 1 });
    const responses = await Promise.all(
      [1, 2, 3].map(() => scene.server.admin.send(deployReport, { params: { sessionId }, body: {} })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await scene.onHand("JK-1000")).toBe(jackets + 1);
    expect(await history(sessionId)).toHaveLength(1);
  });

  test("is refused once it is deployed, while its session counts, and for a session that is not there", async () => {
    const sessionId = await scene.counted({ "JK-1000": (await scene.onHand("JK-1000")) + 1 });
    await scene.deploy(sessionId);
    expect(await deployRefused(sessionId)).toMatchObject({ status: 409, code: "REPORT_DEPLOYED" });
    const running = await begin(scene.server, scene.store);
    expect(await deployRefused(running._id)).toMatchObject({ status: 409, code: "SESSION_ACTIVE" });
    const { api } = await join(scene.server, running);
    expect(await api.refusal(deployReport, { params: { sessionId }, body: {} })).toMatchObject({
      code: "FORBIDDEN",
    });
    await scene.server.admin.call(endSession, { body: { sessionId: running._id } });
    expect(await deployRefused(nobody)).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  test("is refused while the end snapshot of another session of the location is read", async () => {
    const sessionId = await scene.counted({ "JK-1000": (await scene.onHand("JK-1000")) + 1 });
    const { _id: ending } = await begin(scene.server, scene.store);
    const { database } = scene.server.database;
    const setStatus = (status: "active" | "ending") =>
      database.updateTable("sessions").set({ status }).where("id", "=", ending).execute();
    await setStatus("ending");
    expect(await deployRefused(sessionId)).toMatchObject({ status: 409, code: "SESSION_ENDING" });
    await setStatus("active");
    await scene.server.admin.call(endSession, { body: { sessionId: ending } });
  });

  test("returns 503 when Shopify accepted nothing, shows it in the history, and can be asked for again", async () => {
    const jackets = await scene.onHand("JK-1000");
    const sessionId = await scene.counted({ "JK-1000": jackets + 1 });
    await scene.server.shop.addFaults({
      faults: [{ match: { field }, effect: { kind: "throttled" }, times: "always" }],
    });
    expect(await deployRefused(sessionId)).toMatchObject({ status: 503, code: "PLATFORM_UNAVAILABLE" });
    expect(await history(sessionId)).toMatchObject([{ status: "failed" }]);
    await scene.server.shop.clearFaults();
    expect(await scene.deploy(sessionId)).toMatchObject({ status: "applied" });
    expect(await scene.onHand("JK-1000")).toBe(jackets + 1);
  });

  test("returns 502 when Shopify refused the access", async () => {
    const sessionId = await scene.counted({ "JK-1000": (await scene.onHand("JK-1000")) + 1 });
    await scene.server.shop.addFaults({
      faults: [{ effect: { kind: "status", status: 403, when: "before" }, times: "always" }],
    });
    expect(await deployRefused(sessionId)).toMatchObject({ status: 502, code: "PLATFORM_ERROR" });
    expect(await history(sessionId)).toMatchObject([{ status: "failed" }]);
  });

  test("that takes longer than a call returns 202 with the operation, and refuses what would cross it", async () => {
    const jackets = await scene.onHand("JK-1000");
    const sessionId = await scene.counted({ "JK-1000": jackets + 1 });
    await scene.server.shop.addFaults({
      faults: [{ match: { field }, effect: { kind: "hang", when: "before" } }],
    });
    const answer = scene.server.admin.send(deployReport, { params: { sessionId }, body: {} });
    await scene.server.shop.untilHanging();
    await clock.untilAsleep(workWithinMs);
    clock.pass(workWithinMs);
    const { status, body } = await answer;
    expect({ status, body }).toMatchObject({ status: 202, body: { totalAdjustments: 1, status: "pending" } });
    expect(await deployRefused(sessionId)).toMatchObject({ code: "DEPLOY_RUNNING" });
    expect(await rollBackRefused(sessionId)).toMatchObject({ code: "DEPLOY_RUNNING" });
    const [pending] = await history(sessionId);
    expect(pending).toMatchObject({ status: "pending" });
    const settled = { params: { adjustmentId: pending?._id ?? "" }, body: { sku: "JK-1000", applied: true } };
    expect(await scene.server.admin.refusal(settleRow, settled)).toMatchObject({ code: "DEPLOY_RUNNING" });
    await scene.server.shop.releaseHanging();
    const { _id: id } = deployReport.answer.parse(body).operation ?? { _id: "" };
    await vi.waitFor(async () => {
      const { operation } = await scene.server.admin.call(readOperation, { params: { id } });
      expect(operation).toMatchObject({ kind: "deploy", status: "done", done: 1, of: 1 });
    });
    expect(await history(sessionId)).toMatchObject([{ status: "applied" }]);
    expect(await scene.onHand("JK-1000")).toBe(jackets + 1);
  });
});

describe("rolling a deploy back", () => {
  test("moves the stock back, shows it, and the report can be changed and deployed again [spec:4.8]", async () => {
    const jackets = await scene.onHand("JK-1000");
    const sessionId = await scene.counted({ "JK-1000": jackets + 4 });
    await scene.deploy(sessionId);
    await scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
    expect(await rollBack(sessionId)).toEqual({ totalAdjustments: 1, status: "applied" });
    expect(await scene.onHand("JK-1000")).toBe(jackets - 1);
    const [rolledBack] = await history(sessionId);
    expect(rolledBack?.rolledBackAt).toEqual(expect.any(String));
    const { rows } = await scene.server.admin.call(listAdjustmentRows, { params: { sessionId }, query: {} });
    expect(rows.map(({ direction, delta, state }) => [direction, delta, state])).toEqual([
      ["deploy", 4, "rolled_back"],
      ["rollback", -4, "confirmed"],
    ]);
    expect(await rollBackRefused(sessionId)).toMatchObject({ status: 409, code: "NOTHING_TO_ROLL_BACK" });
    const change = { params: { sessionId }, body: { sku: "JK-1000", newCount: jackets + 6 } };
    await scene.server.admin.call(adjustCount, change);
    expect(await scene.deploy(sessionId)).toMatchObject({ totalAdjustments: 1, status: "applied" });
    expect(await scene.onHand("JK-1000")).toBe(jackets - 1 + 6);
    expect(await history(sessionId)).toHaveLength(2);
  });

  test("is refused where nothing was deployed, and twice at the same time", async () => {
    const jackets = await scene.onHand("JK-1000");
    const sessionId = await scene.counted({ "JK-1000": jackets + 1 });
    expect(await rollBackRefused(sessionId)).toMatchObject({ status: 409, code: "NOTHING_TO_ROLL_BACK" });
    await scene.deploy(sessionId);
    const responses = await Promise.all(
      [1, 2, 3].map(() => scene.server.admin.send(rollbackReport, { params: { sessionId } })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await scene.onHand("JK-1000")).toBe(jackets);
  });

  test("while it runs refuses another rollback and a deploy", async () => {
    const sessionId = await scene.counted({ "JK-1000": (await scene.onHand("JK-1000")) + 1 });
    await scene.deploy(sessionId);
    await scene.server.shop.addFaults({
      faults: [{ match: { field }, effect: { kind: "hang", when: "after" } }],
    });
    const answer = scene.server.admin.send(rollbackReport, { params: { sessionId } });
    await scene.server.shop.untilHanging();
    expect(await rollBackRefused(sessionId)).toMatchObject({ code: "ROLLBACK_RUNNING" });
    expect(await deployRefused(sessionId)).toMatchObject({ code: "DEPLOY_RUNNING" });
    expect(await history(sessionId)).toMatchObject([{ status: "applied", rollingBack: true }]);
    await scene.server.shop.releaseHanging();
    expect(await answer).toMatchObject({ status: 200 });
  });

  test("is refused once a later session has counted one of its SKUs", async () => {
    const jackets = await scene.onHand("JK-1000");
    const earlier = await scene.counted({
      "JK-1000": jackets + 1,
      "JK-1001": (await scene.onHand("JK-1001")) + 1,
    });
    await scene.deploy(earlier);
    await scene.counted({ "JK-1001": await scene.onHand("JK-1001") });
    expect(await rollBackRefused(earlier)).toMatchObject({ status: 409, code: "REPORT_SUPERSEDED" });
    expect(await scene.onHand("JK-1000")).toBe(jackets + 1);
  });
});

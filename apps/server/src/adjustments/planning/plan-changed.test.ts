import {
  adjustCount,
  adminLogin,
  type CallAnswer,
  type CallInput,
  deployReport,
  endSession,
  listAdjustments,
  listAudit,
  postScan,
  previewDeploy,
  previewRollback,
  resolveScan,
  rollbackReport,
  setBasis,
  undoScan,
} from "@stocktake/contract";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { auditRoutes } from "../../audit/routes.ts";
import { authRoutes } from "../../auth/routes.ts";
import { reportRoutes } from "../../reports/routes.ts";
import { scanningRoutes } from "../../scanning/routes.ts";
import { sessionRoutes } from "../../sessions/routes.ts";
import { createHurryingClock } from "../../testing/hurrying-clock.ts";
import { begin, join } from "../../testing/scenes.ts";
import { TestApi } from "../../testing/test-api.ts";
import { adminPassword, tokenOf } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";
import { adjustmentRoutes } from "../routes.ts";
import { ReportScene } from "../testing/report-scene.ts";

type Body = NonNullable<CallInput<typeof deployReport>["body"]>;

const slices = [authRoutes, auditRoutes, sessionRoutes, scanningRoutes, reportRoutes, adjustmentRoutes];
const scene = new ReportScene(
  { slices, environment: { clock: createHurryingClock() } },
  { areaCodes: ["A1"] },
);

/** The other administrator, at another desk. */
let colleague: TestApi;

beforeAll(async () => {
  const { url } = scene.server;
  const { headers } = await new TestApi(url, null).send(adminLogin, { body: { password: adminPassword } });
  colleague = new TestApi(url, tokenOf(headers));
});
afterEach(() => scene.server.shop.reset());

const of = (sessionId: string) => ({ params: { sessionId } });
const preview = (sessionId: string) => scene.server.admin.call(previewDeploy, of(sessionId));
const deploy = (sessionId: string, body: Body) =>
  scene.server.admin.call(deployReport, { ...of(sessionId), body });
const refused = (sessionId: string, body: Body) =>
  scene.server.admin.refusal(deployReport, { ...of(sessionId), body });
const adjust = (sessionId: string, sku: string, newCount: number) =>
  colleague.call(adjustCount, { ...of(sessionId), body: { sku, newCount } });

async function planOf(sessionId: string): Promise<string> {
  const { plan } = await preview(sessionId);
  if (plan === undefined) throw new Error("The preview names no plan.");
  return plan;
}

/** Neither recorded, nor audited, nor moved. */
async function expectNothingDone(sessionId: string, onHand: Readonly<Record<string, number>>): Promise<void> {
  const { adjustments } = await scene.server.admin.call(listAdjustments, of(sessionId));
  const query = { action: "deploy.requested" as const, sessionId };
  const { entries } = await scene.server.admin.call(listAudit, { query });
  expect([adjustments, entries]).toEqual([[], []]);
  for (const [sku, units] of Object.entries(onHand)) expect(await scene.onHand(sku)).toBe(units);
}

type Scan = (seq: number, quantity: number, input?: string) => Promise<CallAnswer<typeof postScan>>;

/** A session in which somebody counted what is there of a jacket, with a scan, and ends it after `before`. */
async function countedByScan(before: (scan: Scan) => Promise<unknown>) {
  const session = await begin(scene.server, scene.store, "partial");
  const ada = await join(scene.server, session);
  const scan: Scan = (seq, quantity, input = "JK-1000") =>
    ada.api.call(postScan, {
      body: {
        ...{ sessionId: session._id, storeId: scene.store.id, locationId: scene.store.locationId },
        ...{ areaCode: "A1", input, inputType: "sku" as const },
        ...{ deviceId: "phone of Ada", seq, quantity },
      },
    });
  await scan(1, 7);
  await before(scan);
  await scene.server.admin.call(endSession, { body: { sessionId: session._id } });
  const undo = (seq: number) =>
    ada.api.refusal(undoScan, {
      body: { sessionId: session._id, areaCode: "A1", deviceId: "phone of Ada", seq },
    });
  return { sessionId: session._id, scan, undo };
}

const changed = { status: 409, code: "PLAN_CHANGED", error: expect.stringContaining("Nothing was moved.") };

describe("a deploy of the plan that was shown", () => {
  test("goes through where nothing has changed since, and where only Shopify's stock has", async () => {
    const sessionId = await scene.counted({ "JK-1000": 5, "JK-1001": 8, "HAT-1": 2 }, { scope: "full" });
    const plan = await planOf(sessionId);
    await scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
    expect(await deploy(sessionId, { plan })).toMatchObject({ totalAdjustments: 1, status: "applied" });
    expect(await scene.onHand("JK-1000")).toBe(4);
  });

  test.each([
    ["everything that nobody counted goes to zero", { zeroUncounted: true, confirmUnits: 26 }, 6],
    ["what was found is stocked", { stockFound: true }, 2],
  ])("goes through whatever is chosen: %s", async (_what, choice, totalAdjustments) => {
    const counts = { "JK-1000": 6, ...("stockFound" in choice ? { "HAT-1": 2 } : {}) };
    const sessionId = await scene.counted(counts, { scope: "full" });
    const plan = await planOf(sessionId);
    expect(await deploy(sessionId, { ...choice, plan })).toMatchObject({ totalAdjustments });
  });

  test("is refused where a colleague has adjusted a count meanwhile, before anything is recorded or sent", async () => {
    const sessionId = await scene.counted({ "JK-1000": 5, "JK-1001": 8 });
    const plan = await planOf(sessionId);
    await adjust(sessionId, "JK-1000", 6);
    expect(await refused(sessionId, { plan })).toMatchObject(changed);
    await expectNothingDone(sessionId, { "JK-1000": 7 });
    expect(await deploy(sessionId, { plan: await planOf(sessionId) })).toMatchObject({ totalAdjustments: 1 });
    expect(await scene.onHand("JK-1000")).toBe(6);
  });

  test("is refused where a colleague has accepted a late scan meanwhile, and nothing was to change before", async () => {
    const { sessionId, scan } = await countedByScan(async () => undefined);
    const late = await scan(2, 2);
    expect([late.status, (await preview(sessionId)).totalAdjustments]).toEqual(["late", 0]);
    const plan = await planOf(sessionId);
    await colleague.call(resolveScan, { params: { id: late.scan._id }, body: { action: "accept" } });
    expect(await refused(sessionId, { plan })).toMatchObject(changed);
    await expectNothingDone(sessionId, { "JK-1000": 7 });
  });

  test("is refused where counts are compared with another stock by now", async () => {
    const { sessionId } = await countedByScan(() =>
      scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 }),
    );
    const plan = await planOf(sessionId);
    await colleague.call(setBasis, { ...of(sessionId), body: { basis: "count" } });
    expect(await refused(sessionId, { plan })).toMatchObject(changed);
    await expectNothingDone(sessionId, {});
    await colleague.call(setBasis, { ...of(sessionId), body: { basis: "end" } });
    expect(await deploy(sessionId, { plan })).toMatchObject({ totalAdjustments: 1 });
  });

  test("is refused where another number of units was found than was shown, which the plan leaves out unless it is chosen", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6, "HAT-1": 2 });
    const plan = await planOf(sessionId);
    await adjust(sessionId, "HAT-1", 3);
    expect(await refused(sessionId, { stockFound: true, plan })).toMatchObject(changed);
    await expectNothingDone(sessionId, { "JK-1000": 7 });
  });

  test("is refused where what was found, and was to be stocked, is in doubt by now", async () => {
    const { sessionId, undo } = await countedByScan((scan) => scan(2, 2, "HAT-1"));
    expect((await preview(sessionId)).found).toMatchObject({ items: 1, units: 2 });
    const plan = await planOf(sessionId);
    expect(await undo(2)).toMatchObject({ code: "SESSION_CLOSED" });
    expect(await refused(sessionId, { stockFound: true, plan })).toMatchObject(changed);
  });

  test("is refused for the plan before it is for the number of units, which go by the same figures", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6 }, { scope: "full", closed: true });
    const plan = await planOf(sessionId);
    await adjust(sessionId, "JK-1002", 9);
    expect(await refused(sessionId, { plan, confirmUnits: 26 })).toMatchObject(changed);
    const now = { plan: await planOf(sessionId) };
    expect(await refused(sessionId, now)).toMatchObject({ code: "CONFIRM_ZEROING", units: 17 });
    expect(await deploy(sessionId, { ...now, confirmUnits: 17 })).toMatchObject({ totalAdjustments: 5 });
  });

  test("is nothing that a caller has to name: without it what would move now is moved", async () => {
    const sessionId = await scene.counted({ "JK-1000": 5 });
    await preview(sessionId);
    await adjust(sessionId, "JK-1000", 6);
    expect(await deploy(sessionId, {})).toMatchObject({ totalAdjustments: 1, status: "applied" });
    expect(await scene.onHand("JK-1000")).toBe(6);
  });

  test("is the same whether Shopify was asked or not: what it can't move is skipped all the same", async () => {
    const sessionId = await scene.counted({ "JK-1000": 5, "JK-1001": 6 });
    await scene.server.shop.addFaults({
      faults: [{ effect: { kind: "status", status: 403, when: "before" }, times: "always" }],
    });
    const unasked = await preview(sessionId);
    const plan = await planOf(sessionId);
    await scene.server.shop.clearFaults({});
    await scene.server.shop.changeVariant({ item: "JK-1000", change: { tracked: false } });
    const asked = await preview(sessionId);
    expect([unasked.shopifyAsked, asked.shopifyAsked, asked.plan]).toEqual([false, true, plan]);
    expect(await deploy(sessionId, { plan })).toMatchObject({
      totalAdjustments: 1,
      skipped: [{ sku: "JK-1000", reason: "UNTRACKED" }],
    });
  });
});

test("the preview says how many units move, and what they cost", async () => {
  const sessionId = await scene.counted({ "JK-1000": 5, "JK-1001": 9, "BELT-1": 6 });
  // Jackets at 12.40; of the belts the cost is unknown.
  expect((await preview(sessionId)).moving).toEqual({ above: 3, below: -2, cost: -12.4, withoutCost: 1 });
});

describe("a rollback of the plan that was shown", () => {
  test("goes through where it is the deploy that was shown, and is refused where that was taken back and another made", async () => {
    const { admin } = scene.server;
    const sessionId = await scene.counted({ "JK-1000": 5 });
    await deploy(sessionId, {});
    const { plan } = await admin.call(previewRollback, of(sessionId));
    const body = plan === undefined ? {} : { plan };
    await colleague.call(rollbackReport, of(sessionId));
    await adjust(sessionId, "JK-1000", 4);
    await colleague.call(deployReport, of(sessionId));
    expect(await admin.refusal(rollbackReport, { ...of(sessionId), body })).toMatchObject(changed);
    expect(await scene.onHand("JK-1000")).toBe(4);
    const again = await admin.call(previewRollback, of(sessionId));
    const now = again.plan === undefined ? {} : { plan: again.plan };
    expect(now).not.toEqual(body);
    expect(await admin.call(rollbackReport, { ...of(sessionId), body: now })).toMatchObject({
      status: "applied",
    });
    expect(await scene.onHand("JK-1000")).toBe(7);
  });
});

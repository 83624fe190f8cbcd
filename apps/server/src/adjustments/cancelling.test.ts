import {
  cancelAdjustment,
  deployReport,
  type LiveEvent,
  listAdjustments,
  listOperations,
} from "@stocktake/contract";
import { expect, test, vi } from "vitest";
import { nodeErrorMs, systemClock } from "../kernel/clock.ts";
import { ReportScene } from "./testing/report-scene.ts";

const scene = new ReportScene({ environment: { clock: systemClock } });

test("a deploy that Shopify asks to wait shows it, and cancelling ends the wait at once", async () => {
  const { admin, shop, context } = scene.server;
  const sessionId = await scene.counted({ "JK-1000": (await scene.onHand("JK-1000")) + 1 });
  const effect = { kind: "status", status: 429, when: "before", retryAfter: 600 } as const;
  await shop.addFaults({
    faults: [{ match: { field: "inventoryAdjustQuantities" }, effect, times: "always" }],
  });
  const deploy = admin.send(deployReport, { params: { sessionId }, body: {} });
  const entry = async () => (await admin.call(listAdjustments, { params: { sessionId } })).adjustments[0];
  await vi.waitFor(async () => expect(await entry()).toMatchObject({ waiting: { reason: "throttled" } }));
  const adjustment = await entry();
  const { operations } = await admin.call(listOperations, {});
  expect(operations).toMatchObject([{ kind: "deploy", waiting: adjustment?.waiting }]);
  const waitMs = Date.parse(adjustment?.waiting?.until ?? "") - context.clock.now();
  expect(waitMs).toBeGreaterThan(540_000);
  expect(waitMs).toBeLessThanOrEqual(600_000 + nodeErrorMs);
  const heard: LiveEvent[] = [];
  const unsubscribe = context.events.subscribe((event) => heard.push(event));
  const params = { adjustmentId: adjustment?._id ?? "" };
  expect((await admin.call(cancelAdjustment, { params })).adjustment).toMatchObject({ _id: adjustment?._id });
  expect(await deploy).toMatchObject({ status: 409, body: { code: "MOVE_CANCELLED" } });
  expect(await entry()).toMatchObject({ status: "failed", waiting: null, progress: null });
  await vi.waitFor(() => expect(heard.map(({ type }) => type)).toContain("adjustment"));
  unsubscribe();
  expect(await admin.refusal(cancelAdjustment, { params })).toMatchObject({ code: "NOTHING_TO_CANCEL" });
});

import {
  adjustCount,
  deployReport,
  endSession,
  health,
  leaveRows,
  listSessions,
  previewRelease,
  releaseSession,
  resumeAdjustment,
  rollbackReport,
  settleRow,
} from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { begin } from "../../testing/scenes.ts";
import { highStreet } from "../../testing/test-shop.ts";
import { allAs, once, RestoredScene, skus, thereAndBack } from "../testing/restored-scene.ts";

const scene = new RestoredScene();

describe("a restored server", () => {
  test("has another epoch, which every answer names, and holds the backup's sessions alone", async () => {
    const before = await scene.server.stranger.call(health, {});
    const restored = await scene.restore(await scene.backUp());
    const { body, headers } = await restored.stranger.send(health, {});
    expect(body).toMatchObject({ epoch: expect.stringMatching(/./) });
    expect(body).not.toMatchObject({ epoch: before.epoch });
    expect(headers.get("x-stocktake-epoch")).toBe((await restored.stranger.call(health, {})).epoch);
    expect((await scene.server.stranger.call(health, {})).epoch).toBe(before.epoch);

    const later = await begin(restored, scene.store, "partial");
    const { sessions } = await restored.admin.call(listSessions, {});
    const held = new Map(sessions.map(({ _id, restored: isHeld }) => [_id, isHeld]));
    expect([held.get(scene.sessionId), held.get(later._id)]).toEqual([true, false]);
    const own = await scene.server.admin.call(listSessions, {});
    expect(own.sessions.some((session) => session.restored)).toBe(false);
  });

  test("does not go on by itself with a deploy that waited in the backup", async () => {
    const file = await scene.backUpWhileWaiting("deploy");
    const restored = await scene.restore(file);
    expect(
      await restored.database.database
        .selectFrom("operations")
        .select("status")
        .where("kind", "=", "deploy")
        .where("sessionId", "=", scene.sessionId)
        .execute(),
    ).toEqual([{ status: "failed" }]);
    const adjustment = await scene.adjustmentOf(restored);
    expect(adjustment).toMatchObject({ status: "partial", progress: null, resumable: 0 });
    expect(await scene.rowsOf(restored)).toEqual(allAs("unclear"));
    expect(await scene.preview(restored)).toMatchObject({
      question: "rest",
      verdict: "all",
      moved: 3,
      total: 3,
    });
    await scene.release(restored, { alreadyMoved: "all" });
    expect(await scene.adjustmentOf(restored)).toMatchObject({ status: "applied", totalAdjustments: 3 });
    expect(await scene.moved()).toEqual(once);
    await scene.rollBack(restored);
    expect(await scene.moved()).toEqual(thereAndBack);
  });

  test("never takes a deploy of a held session up, even one that is running", async () => {
    const restored = await scene.restore(await scene.backUpWhileWaiting("deploy"));
    await restored.database.database
      .updateTable("operations")
      .set({ status: "running", leaseUntil: new Date(0) })
      .where("kind", "=", "deploy")
      .where("sessionId", "=", scene.sessionId)
      .execute();
    await restored.database.database.updateTable("adjustmentRows").set({ state: "waiting" }).execute();
    await restored.context.operations.sweep("alone");
    await restored.context.operations.close();
    expect(await scene.moved()).toEqual(once);
  });

  test("refuses whatever moves stock until the session is released", async () => {
    const restored = await scene.restore(await scene.backUpWhileWaiting("deploy"));
    const adjustment = await scene.adjustmentOf(restored);
    const params = { adjustmentId: adjustment?._id ?? "" };
    const { admin } = restored;
    const answers = [
      await admin.send(deployReport, { ...scene.ofReport, body: {} }),
      await admin.send(rollbackReport, scene.ofReport),
      await admin.send(resumeAdjustment, { params }),
      await admin.send(settleRow, { params, body: { sku: "JK-1000", applied: true } }),
      await admin.send(leaveRows, { params }),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([409, expect.objectContaining({ code: "SESSION_RESTORED" })]);
    }
  });
});

describe("a report that was deployed after the backup", () => {
  test("is not deployed again: all rows look moved, and are booked without being sent", async () => {
    const file = await scene.backUp();
    await scene.deploy(scene.server);
    const restored = await scene.restore(file);
    expect((await restored.admin.send(deployReport, { ...scene.ofReport, body: {} })).body).toMatchObject({
      code: "SESSION_RESTORED",
    });
    const found = await scene.preview(restored);
    expect(found).toMatchObject({ question: "deploy", verdict: "all", total: 3, checked: 3, moved: 3 });
    expect(
      found.rows.map(({ sku, delta, before, after, now, looks }) => [sku, delta, before, after, now, looks]),
    ).toEqual([
      ["JK-1002", -3, 9, 6, 6, "moved"],
      ["JK-1000", -2, 7, 5, 5, "moved"],
      ["JK-1001", 2, 8, 10, 10, "moved"],
    ]);
    expect(Date.parse(found.backupMadeAt)).toBeLessThanOrEqual(Date.parse(found.restoredAt));

    const { session } = await scene.release(restored, { alreadyMoved: "all" });
    expect(session.restored).toBe(false);
    const adjustment = await scene.adjustmentOf(restored);
    expect(adjustment).toMatchObject({
      status: "applied",
      totalAdjustments: 3,
      note: expect.stringMatching(/nothing was sent/),
    });
    expect(await scene.rowsOf(restored)).toEqual(allAs("confirmed"));
    expect((await restored.admin.send(deployReport, { ...scene.ofReport, body: {} })).body).toMatchObject({
      code: "REPORT_DEPLOYED",
    });
    expect(await scene.moved()).toEqual(once);
    await scene.rollBack(restored);
    expect(await scene.moved()).toEqual(thereAndBack);
  });

  test("of which some rows were sold since: they are named as not known", async () => {
    const file = await scene.backUp();
    await scene.deploy(scene.server);
    await scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
    const restored = await scene.restore(file);
    const preview = { verdict: "some", moved: 2, unknown: 1, notMoved: 0, movedSkus: ["JK-1001", "JK-1002"] };
    expect(await scene.preview(restored)).toMatchObject(preview);
  });

  test("booked in part is partial, and resuming it sends the rest alone", async () => {
    const restored = await scene.restore(await scene.backUp());
    await scene.release(restored, { alreadyMoved: ["JK-1000"] });
    const adjustment = await scene.adjustmentOf(restored);
    expect(adjustment).toMatchObject({ status: "partial", resumable: 2 });
    await restored.admin.call(resumeAdjustment, { params: { adjustmentId: adjustment?._id ?? "" } });
    const { "JK-1000": _booked, ...rest } = once;
    expect(await scene.moved()).toEqual(rest);
  });

  test("that names a SKU which is not in question books nothing and stays held", async () => {
    const restored = await scene.restore(await scene.backUp());
    const { status } = await restored.admin.send(releaseSession, {
      ...scene.ofSession,
      body: { alreadyMoved: ["JK-1000", "BELT-1"] },
    });
    expect(status).toBe(404);
    expect(await scene.adjustmentOf(restored)).toBeUndefined();
    expect((await scene.preview(restored)).question).toBe("deploy");
  });
});

describe("a report that nobody deployed since", () => {
  test("looks not moved, is released without more, and deployed once", async () => {
    const restored = await scene.restore(await scene.backUp());
    expect(await scene.preview(restored)).toMatchObject({ verdict: "none", notMoved: 3 });
    await scene.release(restored);
    await scene.deploy(restored);
    expect(await scene.moved()).toEqual(once);
    expect((await scene.release(restored)).session.restored).toBe(false);
    const again = await restored.admin.send(releaseSession, {
      ...scene.ofSession,
      body: { alreadyMoved: "all" },
    });
    expect(again.body).toMatchObject({ code: "SESSION_RELEASED" });
    expect((await restored.admin.send(previewRelease, scene.ofSession)).body).toMatchObject({
      code: "SESSION_RELEASED",
    });
  });

  test("leaves one entry in the audit log", async () => {
    const restored = await scene.restore(await scene.backUp());
    await scene.release(restored);
    await scene.release(restored);
    const entries = await restored.database.database
      .selectFrom("auditEntries")
      .select(["actorName", "before", "after"])
      .where("action", "=", "session.released")
      .execute();
    expect(entries).toEqual([
      {
        actorName: "admin",
        before: { restored: true },
        after: expect.objectContaining({ restored: false, question: "deploy", items: 3, alreadyMoved: 0 }),
      },
    ]);
  });
});

describe("a deploy of before the backup", () => {
  test("that was rolled back since looks so, and is booked as rolled back", async () => {
    await scene.deploy(scene.server);
    const file = await scene.backUp();
    await scene.rollBack(scene.server);
    const restored = await scene.restore(file);
    expect(await scene.preview(restored)).toMatchObject({ question: "rollback", verdict: "all", moved: 3 });
    await scene.release(restored, { alreadyMoved: "all" });
    expect(await scene.adjustmentOf(restored)).toMatchObject({ rolledBackAt: expect.any(String) });
    expect(await scene.moved()).toEqual(thereAndBack);
    expect((await restored.admin.send(rollbackReport, scene.ofReport)).body).toMatchObject({
      code: "NOTHING_TO_ROLL_BACK",
    });
  });

  test("that was not rolled back looks so, and can be after the release", async () => {
    await scene.deployLongBefore(scene.server);
    const restored = await scene.restore(await scene.backUp());
    expect(await scene.preview(restored)).toMatchObject({ question: "rollback", verdict: "none" });
    await scene.release(restored);
    await scene.rollBack(restored);
    expect(await scene.moved()).toEqual(thereAndBack);
  });

  test("whose rollback was under way waits for a person row by row", async () => {
    await scene.deploy(scene.server);
    const restored = await scene.restore(await scene.backUpWhileWaiting("rollback"));
    expect(await scene.rowsOf(restored, "rollback")).toEqual(allAs("unclear"));
    expect(await scene.preview(restored)).toMatchObject({ question: "rest", verdict: "all" });
    await scene.release(restored);
    const adjustment = await scene.adjustmentOf(restored);
    const params = { adjustmentId: adjustment?._id ?? "" };
    for (const sku of skus) await restored.admin.call(settleRow, { params, body: { sku, applied: true } });
    expect(await scene.adjustmentOf(restored)).toMatchObject({ rolledBackAt: expect.any(String) });
    expect(await scene.moved()).toEqual(thereAndBack);
  });
});

test("what was moved since the backup does not look untouched where Shopify's clock is an hour behind", async () => {
  const file = await scene.backUp();
  await scene.server.shop.advanceClock({ milliseconds: -3_600_000 });
  await scene.deploy(scene.server);
  const found = await scene.preview(await scene.restore(file));
  await scene.server.shop.advanceClock({ milliseconds: 3_600_000 });
  expect(found).toMatchObject({ verdict: "all", moved: 3 });
});

test("a session restored twice without a release is unsure from the first backup on", async () => {
  const file = await scene.backUp();
  const first = await scene.restore(file);
  const madeAt = (await scene.preview(first)).backupMadeAt;
  await scene.deploy(scene.server);
  const second = await scene.restore(await scene.backUp(first));
  const found = await scene.preview(second);
  expect(found).toMatchObject({ backupMadeAt: madeAt, verdict: "all" });
  await scene.release(second, { alreadyMoved: "all" });
  expect(await scene.moved()).toEqual(once);
  expect((await second.stranger.call(health, {})).epoch).not.toBe(
    (await first.stranger.call(health, {})).epoch,
  );
});

test("what a deploy set to zero uncounted is in question apart, booked by choice, and rolled back", async () => {
  const { admin } = scene.server;
  const { _id: full } = await begin(scene.server, scene.store, "full");
  await admin.call(endSession, { body: { sessionId: full } });
  scene.sessionId = full;
  await admin.call(adjustCount, { ...scene.ofReport, body: { sku: "JK-1000", newCount: 5 } });
  const file = await scene.backUp();
  await admin.call(deployReport, { ...scene.ofReport, body: { zeroUncounted: true, confirmUnits: 26 } });
  const restored = await scene.restore(file);
  const found = await scene.preview(restored);
  expect(found).toMatchObject({ verdict: "all", total: 1, moved: 1 });
  expect(found.uncounted.total).toBeGreaterThan(2);
  expect(found.uncounted.moved).toBe(found.uncounted.total);
  await scene.release(restored, { alreadyMoved: "all", zeroUncounted: true });
  expect(await scene.adjustmentOf(restored)).toMatchObject({
    status: "applied",
    totalAdjustments: 1 + found.uncounted.total,
  });
  const deployed = await scene.moved();
  await scene.rollBack(restored);
  const back = Object.entries(deployed).map(([sku, deltas]) => [
    sku,
    [...deltas, ...deltas.map((delta) => -delta)],
  ]);
  expect(await scene.moved()).toEqual(Object.fromEntries(back));
});

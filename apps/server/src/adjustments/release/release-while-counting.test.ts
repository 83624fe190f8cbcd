import { deployReport, endSession, previewRelease, releaseSession, setBasis } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { begin } from "../../testing/scenes.ts";
import { RestoredScene } from "../testing/restored-scene.ts";

const scene = new RestoredScene();

describe("a session that was counting in the backup", () => {
  test("has nothing in question once it has ended after the restore, but wants its release", async () => {
    const counting = await begin(scene.server, scene.store, "partial");
    const restored = await scene.restore(await scene.backUp());
    const params = { id: counting._id };
    expect(await restored.admin.call(previewRelease, { params })).toMatchObject({ question: "nothing" });
    await restored.admin.call(endSession, { body: { sessionId: counting._id } });
    expect(await restored.admin.call(previewRelease, { params })).toMatchObject({ question: "nothing" });
    const report = { params: { sessionId: counting._id } };
    expect((await restored.admin.send(deployReport, { ...report, body: {} })).body).toMatchObject({
      code: "SESSION_RESTORED",
    });
    await restored.admin.call(releaseSession, { params, body: {} });
    expect(await restored.admin.call(deployReport, { ...report, body: {} })).toMatchObject({
      status: "applied",
    });
    await scene.server.admin.call(endSession, { body: { sessionId: counting._id } });
  });

  test("wants it again where the variance at the time of counting is deployed, which may have been moved", async () => {
    const counting = await begin(scene.server, scene.store, "partial");
    const restored = await scene.restore(await scene.backUp());
    const [params, report] = [{ id: counting._id }, { params: { sessionId: counting._id } }];
    await restored.admin.call(endSession, { body: { sessionId: counting._id } });
    await restored.admin.call(releaseSession, { params, body: {} });
    await restored.admin.call(setBasis, { ...report, body: { basis: "count" } });
    expect(await restored.admin.send(deployReport, { ...report, body: {} })).toMatchObject({
      body: { code: "SESSION_RESTORED" },
    });
    await restored.admin.call(releaseSession, { params, body: {} });
    await restored.admin.call(setBasis, { ...report, body: { basis: "count" } });
    expect(await restored.admin.call(deployReport, { ...report, body: {} })).toMatchObject({
      status: "applied",
    });
    await scene.server.admin.call(endSession, { body: { sessionId: counting._id } });
  });
});

import { listAreas, reopenArea, sessionProgress } from "@stocktake/contract";
import { expect, test, vi } from "vitest";
import { finishFirstArea, firstAreaId, resetFirstArea, restoreFirstArea } from "../testing/endings.ts";
import { countInEachTest, publishedInEachTest, scan } from "../testing/scene.ts";

const scene = countInEachTest();
const published = publishedInEachTest(scene);

const ask = (more: { reason?: string; alsoInProgress?: boolean } = {}) =>
  scene.server.admin.send(reopenArea, { body: { areaId: firstAreaId(scene), eraseScans: true, ...more } });

/** What the counter's list, and what the administrator's progress, says of the first area's recount. */
async function recounts() {
  const id = firstAreaId(scene);
  const { areas } = await scene.counter.api.call(listAreas, {});
  const progress = await scene.server.admin.call(sessionProgress, { params: { id: scene.session._id } });
  return [areas, progress.areas].map((list) => list.find(({ _id }) => _id === id)?.recount);
}

async function closeWithOne(seq = 1) {
  await scan(scene, { seq });
  await finishFirstArea(scene, 1);
}

test("a reopening tells counters and the administrator who asks for a recount, and why, until the area is closed again", async () => {
  expect(await recounts()).toEqual([null, null]);
  await closeWithOne();
  await ask({ reason: " The top shelf was left out. " });
  const asked = {
    ...{ pass: 3, reason: "The top shelf was left out.", requestedBy: "admin" },
    requestedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  };
  expect(await recounts()).toEqual([asked, asked]);
  const hint = { type: "area", areaId: firstAreaId(scene), pass: 3 };
  await vi.waitFor(() => expect(published).toContainEqual(expect.objectContaining(hint)));
  await scan(scene, { seq: 2 });
  expect((await resetFirstArea(scene)).area.recount).toEqual(asked);
  await scan(scene, { seq: 3 });
  expect(await finishFirstArea(scene, 9)).toMatchObject({ matched: false });
  expect(await recounts()).toEqual([asked, asked]);
  await closeWithOne(4);
  expect(await recounts()).toEqual([null, null]);
});

test("a restored count is the end of the request, and the next one is another", async () => {
  await closeWithOne();
  await ask();
  await restoreFirstArea(scene, 2);
  expect(await recounts()).toEqual([null, null]);
  await finishFirstArea(scene, 1);
  await ask({ reason: "Again" });
  expect(await recounts()).toMatchObject([
    { pass: 5, reason: "Again" },
    { pass: 5, reason: "Again" },
  ]);
});

test("an area in progress is counted again where that is asked for, and one that nobody began is not", async () => {
  expect(await ask({ alsoInProgress: true })).toMatchObject({
    status: 409,
    body: { code: "AREA_NOT_CLOSED", error: expect.stringContaining("Nothing has been counted") },
  });
  await scan(scene);
  expect(await ask()).toMatchObject({ status: 409, body: { code: "AREA_NOT_CLOSED" } });
  expect(await ask({ alsoInProgress: true, reason: "Two shelves were mixed up" })).toMatchObject({
    status: 200,
    body: { area: { status: "not_started", pass: 3, recount: { reason: "Two shelves were mixed up" } } },
  });
});

test("a reason is as long as the limit at most", async () => {
  await closeWithOne();
  expect(await ask({ reason: "x".repeat(501) })).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
  expect(await recounts()).toEqual([null, null]);
});

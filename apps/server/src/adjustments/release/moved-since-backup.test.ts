import {
  endSession,
  exportReport,
  finishArea,
  postScan,
  previewDeploy,
  varianceReport,
} from "@stocktake/contract";
import { expect, test } from "vitest";
import { letTimePass } from "../../reports/testing/passing-time.ts";
import { begin } from "../../testing/scenes.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { highStreet, jacketBarcodes } from "../../testing/test-shop.ts";
import { RestoredScene } from "../testing/restored-scene.ts";

const scene = new RestoredScene();
const hour = 3_600_000;
const item = "JK-1000";
const uncertain = "MOVED_SINCE_BACKUP";

/** Four jackets are counted, which nobody doubts: levels were read long before and long after. */
async function fourCounted(): Promise<string> {
  const { server, store } = scene;
  await server.shop.setStock({ item, location: highStreet, quantities: { available: 4, committed: 0 } });
  const { _id: sessionId } = await begin(server, store, "partial");
  const place = placeOf(sessionId);
  for (let seq = 1; seq <= 4; seq += 1) await scan(server, { ...place, seq });
  await server.admin.call(finishArea, { body: { ...place, declaredTotal: 4, deviceId: sessionId } });
  await letTimePass(server, sessionId, hour);
  await server.context.stockWatch.read();
  return sessionId;
}

const placeOf = (sessionId: string) => ({
  ...{ sessionId, storeId: scene.store.id },
  ...{ locationId: scene.store.locationId, areaCode: "A1" },
});

function scan({ admin }: TestServer, place: ReturnType<typeof placeOf> & { seq: number }) {
  const code = { input: jacketBarcodes[0], inputType: "barcode" as const };
  return admin.call(postScan, { body: { ...place, ...code, deviceId: place.sessionId } });
}

const sell = () => scene.server.shop.sell({ item, location: highStreet, quantity: 1 });
const end = ({ admin }: TestServer, sessionId: string) => admin.call(endSession, { body: { sessionId } });

async function rowOf({ admin }: TestServer, sessionId: string) {
  const { items } = await admin.call(varianceReport, { params: { sessionId }, query: { view: "all" } });
  return items.find(({ sku }) => sku === item);
}

test("a row that a lost server put back to its count after a sale does not look certain", async () => {
  const sessionId = await fourCounted();
  scene.sessionId = sessionId;
  const file = await scene.backUp();
  await sell();
  await end(scene.server, sessionId);
  await scene.deploy(scene.server);
  expect(await scene.moved()).toEqual({ [item]: [1] });

  const restored = await scene.restore(file);
  await end(restored, sessionId);
  expect(await rowOf(restored, sessionId)).toMatchObject({
    ...{ counted: 4, endOnHand: 4, variance: 0, naturalMovement: 0, varianceAtCount: { low: 0, high: 0 } },
    ...{ uncertain, skipReason: uncertain },
  });
  const csv = await restored.admin.send(exportReport, { ...scene.ofReport, query: { view: "all" } });
  expect(csv.body).toContain("restored from a backup");
  await scene.release(restored);
  const preview = await restored.admin.call(previewDeploy, scene.ofReport);
  expect(JSON.stringify(preview)).toContain(uncertain);
  expect(await scene.deploy(restored)).toMatchObject({ skipped: [{ sku: item, reason: uncertain }] });
});

test("a row that was sold since the backup, once counted, is named although no deploy was lost", async () => {
  const sessionId = await fourCounted();
  const restored = await scene.restore(await scene.backUp());
  await sell();
  await end(restored, sessionId);
  expect(await rowOf(restored, sessionId)).toMatchObject({ variance: 1, uncertain });
  await end(scene.server, sessionId);
  expect(await rowOf(scene.server, sessionId)).toMatchObject({ variance: 1, uncertain: null });
});

test("a row that was sold since the backup is named although the clock of the lost server was ahead", async () => {
  const sessionId = await fourCounted();
  const restored = await scene.restore(await scene.backUp());
  await sell();
  await scene.haveBeenAhead(restored, 10);
  await end(restored, sessionId);
  expect(await rowOf(restored, sessionId)).toMatchObject({ variance: 1, uncertain });
  await end(scene.server, sessionId);
});

test("what was deployed after the backup is seen although the clock of the lost server was ahead", async () => {
  const file = await scene.backUp();
  await scene.deploy(scene.server);
  const restored = await scene.restore(file);
  await scene.haveBeenAhead(restored, 10);
  const seen = { question: "deploy", verdict: "all", moved: 3, total: 3 };
  expect(await scene.preview(restored)).toMatchObject(seen);
});

test("whatever moved is named where the clock was set while the restored session counted", async () => {
  const sessionId = await fourCounted();
  const restored = await scene.restore(await scene.backUp());
  await sell();
  await restored.database.pool.query(
    "update sessions set clock_set_at = now(), backup_made_at = now() + interval '1 hour', backup_shop_time = null where id = $1",
    [sessionId],
  );
  await end(restored, sessionId);
  expect(await rowOf(restored, sessionId)).toMatchObject({ variance: 1, uncertain });
  await end(scene.server, sessionId);
});

test("a row that has not moved since the backup, or was counted after the restore, is certain", async () => {
  const still = await fourCounted();
  const untouched = await scene.restore(await scene.backUp());
  await end(untouched, still);
  expect(await rowOf(untouched, still)).toMatchObject({ variance: 0, uncertain: null });
  await end(scene.server, still);

  const { _id: sessionId } = await begin(scene.server, scene.store, "partial");
  const restored = await scene.restore(await scene.backUp());
  await sell();
  await restored.context.stockWatch.read();
  await letTimePass(restored, sessionId, hour);
  await restored.database.pool.query("update installation set restored_at = restored_at - interval '1 hour'");
  await restored.context.stockWatch.read();
  await scan(restored, { ...placeOf(sessionId), seq: 1 });
  await end(restored, sessionId);
  expect(await rowOf(restored, sessionId)).toMatchObject({ variance: -2, uncertain: null });
  await end(scene.server, sessionId);
});

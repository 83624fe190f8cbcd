import { randomUUID } from "node:crypto";
import { areaScans, finishArea, listAreasOfLocation, postScan, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import { type CountingScene, countInEachTest, scanBody } from "./testing.ts";

let scene: CountingScene;

countInEachTest((opened) => {
  scene = opened;
});

/** Gives the first area a code as one could have before codes were read as people see them; answers it as it is listed. */
async function storeCode(code: string): Promise<string> {
  const { server, store, counter } = scene;
  await server.database.database
    .updateTable("areas")
    .set({ code })
    .where("id", "=", store.areas[0]?.id ?? "")
    .execute();
  const params = { locationId: store.locationId };
  const { areas } = await counter.api.call(listAreasOfLocation, { params });
  return areas.find((area) => area.code === code)?.code ?? "not listed";
}

test.each([["A  1"], ["A\u00a01"], ["Ku\u0308che"], ["A\u200b1"]])(
  "an area whose code was stored as %j is counted, undone, read and finished",
  async (stored) => {
    const { api } = scene.counter;
    const areaCode = await storeCode(stored);
    const scans = [scanBody(scene, { areaCode, seq: 1 }), scanBody(scene, { areaCode, seq: 2 })];
    for (const body of scans) {
      expect((await api.call(postScan, { body })).status).toBe("counted");
    }
    const place = { sessionId: scene.session._id, areaCode, locationId: scene.store.locationId };
    const deviceId = scans[0]?.deviceId ?? "";
    await api.call(undoScan, { body: { ...place, deviceId, opId: randomUUID() } });
    const { sessionId, locationId } = place;
    const read = await api.call(areaScans, { params: { sessionId, areaCode }, query: { locationId } });
    expect(read.scans).toHaveLength(1);
    const finished = await api.call(finishArea, { body: { ...place, deviceId, declaredTotal: 1 } });
    expect(finished).toEqual({ matched: true, serverTotal: 1 });
  },
);

import { finishArea, type LiveEvent, undoScan } from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { areaRow, type CountingScene, countingSlices, scan, startCounting } from "./testing.ts";

let server: TestServer;
let scene: CountingScene;
const heard: LiveEvent[] = [];

beforeAll(async () => {
  server = await startTestServer({ slices: countingSlices });
  server.context.events.subscribe((event) => heard.push(event));
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await startCounting(server);
});

async function expectEvent(type: LiveEvent["type"], pass: number) {
  const expected = {
    type,
    sessionId: scene.session._id,
    storeId: scene.store.id,
    areaId: scene.store.areas[0]?.id,
    pass,
  };
  await expect.poll(() => heard, { timeout: 5000 }).toContainEqual(expected);
}

const place = () => ({
  sessionId: scene.session._id,
  areaCode: "A1",
  locationId: scene.store.locationId,
  deviceId: "device-1",
});

test("the first scan of an area is told as a scan and as a change of the area", async () => {
  const { pass } = await areaRow(scene);
  await scan(scene);
  await expectEvent("scan", pass);
  await expectEvent("area", pass);
});

test("a new pass is told to the other devices of the area", async () => {
  const { pass } = await areaRow(scene);
  await scan(scene);
  await scene.counter.api.call(undoScan, { body: place() });
  await scene.counter.api.call(finishArea, { body: { ...place(), declaredTotal: 7 } });
  await expectEvent("area", pass + 1);
});

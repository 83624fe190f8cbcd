import { expect, it } from "vitest";
import { countedArea } from "../opening/counting-area.ts";
import { readActiveArea, storeActiveArea } from "../opening/last-area.ts";
import { areaOne, mia } from "../testing/scripted-device.ts";
import { openStationAlone, otherShirt, type StationHarness } from "../testing/station-harness.ts";

const area = countedArea(areaOne, 1);

/** Another tab of the device does it, which has the area open, or its question about an area in progress. */
const finishes = ({ device }: StationHarness, declaredTotal: number) =>
  device.operate({ kind: "finish", area, declaredTotal, knownAccepted: 0 });
const resets = ({ device }: StationHarness) => device.operate({ kind: "reset", area });

function disconnect({ shop, device }: StationHarness): void {
  shop.isAway = true;
  device.connectivity.report(false);
}

function connect({ shop, device }: StationHarness): void {
  shop.isAway = false;
  device.connectivity.report(true);
  device.engine.retryNow();
}

it("S26: a total that another tab declares without a network blocks the area in this one too", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  disconnect(harness);
  await finishes(harness, 1);
  await harness.waitUntilShown("The total of this area has not reached the server yet.");
  expect(harness.state().block).toBe("finished");
  harness.scan(otherShirt);
  await harness.waitUntilShown("Not counted: this area is finished.");
  expect(harness.count()).toBe(1);
  connect(harness);
  await harness.waitUntilSent();
  expect(harness.shop.scanning.closedAreas.has("A1")).toBe(true);
  await harness.waitUntilShown("Area complete! 1 counted");
  expect(harness.state().block).toBe("finished");
});

it("S26: the area that the other tab has gone on to is not forgotten when its total is sent", async () => {
  const harness = await openStationAlone();
  const { database } = harness.device;
  await harness.countOne();
  disconnect(harness);
  await finishes(harness, 1);
  await harness.waitUntilShown("The total of this area has not reached the server yet.");
  await storeActiveArea(database, mia._id, { ...areaOne, areaId: "area-2" });
  connect(harness);
  await harness.waitUntilShown("Area complete!");
  expect(await readActiveArea(database, mia._id)).toMatchObject({ areaId: "area-2" });
});

it("S26, S37: where that total is kept until others give theirs, this tab says so too", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  const body = { success: true, matched: false, serverTotal: 1, waitingFor: ["Tom"] };
  harness.shop.further.set("POST /api/area/finish", () => ({ status: 200, body }));
  await finishes(harness, 1);
  await harness.waitUntilShown("Your total is kept");
  expect(harness.state().block).toBe("finished");
});

it("S26: where that total does not match, this tab counts on in the next pass as well", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  await finishes(harness, 5);
  await harness.waitUntilShown("COUNT MISMATCH! You declared 5 but scanned 1. Please recount.");
  await expect.poll(() => harness.state().block).toBeNull();
  await harness.countOne();
  expect([harness.count(), harness.state().pass]).toEqual([1, 2]);
  expect(harness.shop.scanning.countedIn("A1")).toHaveLength(1);
});

it("S26: where nothing came of that total, as the count had changed, this tab counts on in the same pass", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  const refused = { error: "The count has changed.", code: "COUNT_CHANGED" };
  harness.shop.further.set("POST /api/area/finish", () => ({ status: 409, body: refused }));
  await finishes(harness, 5);
  await harness.waitUntilShown("The count has changed");
  await expect.poll(() => harness.state().block).toBeNull();
  await harness.countOne();
  expect([harness.count(), harness.state().pass]).toEqual([2, 1]);
});

it("S26: where that total was of a pass that is over, this tab counts on in the one that there is", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  harness.shop.scanning.nextPass("A1", "AREA_RESET");
  await finishes(harness, 1);
  await harness.waitUntilShown("This area was restarted.");
  await expect.poll(() => harness.state().block).toBeNull();
  expect([harness.count(), harness.state().pass]).toEqual([0, 2]);
});

it("S15: after another tab's reset without a network this one counts on in the expected pass, from zero", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  disconnect(harness);
  await resets(harness);
  await harness.waitUntilShown("This area was restarted.");
  expect([harness.count(), harness.state().pass]).toEqual([0, 2]);
  await harness.countOne();
  connect(harness);
  await harness.waitUntilSent();
  expect(harness.shop.scanning.countedIn("A1")).toHaveLength(1);
  expect(harness.shop.scanning.scans.at(-1)).toMatchObject({ status: "counted", payload: { pass: 2 } });
});

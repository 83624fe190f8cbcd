import { expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { areaOne } from "../testing/scripted-device.ts";
import { openStationAlone, otherShirt, type StationHarness, shirt } from "../testing/station-harness.ts";

/** Its area is closed after a scan that counts; what comes of the work meanwhile is late. Then the administrator reopens it. */
async function reopenAfter(harness: StationHarness, work: () => Promise<void>): Promise<void> {
  const { shop, client } = harness;
  const list = async (change: Partial<(typeof shop.areas)[number]>) => {
    shop.areas = shop.areas.map((area) => (area._id === areaOne.areaId ? { ...area, ...change } : area));
    await client.invalidateQueries({ queryKey: [queryRoots.areas] });
  };
  shop.scanning.closedAreas.add("A1");
  await work();
  await list({ status: "closed" });
  await harness.waitUntilShown("This area is closed.");
  shop.scanning.closedAreas.delete("A1");
  shop.scanning.nextPass("A1", "AREA_REOPENED");
  await list({ status: "not_started", pass: 2 });
  await harness.waitUntilShown("This area was restarted");
}

it("S22: that a scan of an earlier pass came too late ends nothing where the area is open again: as after a restore, when it is sent once more", async () => {
  const harness = await openStationAlone();
  const { shop, scan, sounds, state } = harness;
  await harness.countOne();
  await reopenAfter(harness, async () => {
    scan(otherShirt);
    await harness.waitUntilShown("Not counted. This area is closed.");
  });
  await harness.countOne();
  shop.scanning.backup();
  await harness.countOne();
  const restore = shop.scanning.backup();
  await harness.countOne();
  restore();
  const alarms = () => sounds.filter((sound) => sound === "alarm").length;
  const before = alarms();
  scan(shirt);
  await harness.waitUntilCounted(4);
  await harness.waitUntilSent();
  const late = shop.scanning.scans.filter(({ reason }) => reason === "AREA_CLOSED");
  expect(late).toHaveLength(1);
  await harness.countOne();
  expect([state().block, harness.count(), alarms()]).toEqual([null, 5, before]);
});

it("S22: nor does what is heard of an undo of an earlier pass", async () => {
  const harness = await openStationAlone();
  const { shop, station, state } = harness;
  await harness.countOne();
  const release = shop.hold("/api/undo");
  const refused = { error: "Area A1 is closed.", code: "AREA_CLOSED", countsOn: true };
  shop.further.set("POST /api/undo", () => ({ status: 409, body: refused }));
  await reopenAfter(harness, async () => station.undo());
  release();
  await harness.waitUntilShown("Failed to undo scan");
  expect(state().block).toBeNull();
});

it("S22: a code that was set aside tells, as any scan, that the area is closed", async () => {
  const harness = await openStationAlone();
  const { shop, scan, sounds, state } = harness;
  await harness.countOne();
  shop.scanning.closedAreas.add("A1");
  scan("unknown-77");
  await harness.waitUntilShown("This area is closed.");
  expect([state().block, sounds.at(-1)]).toEqual(["area_closed", "alarm"]);
});

import { describe, expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { readActiveArea } from "../opening/last-area.ts";
import { areaOne, mia } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { openStationAlone, otherShirt, type StationHarness, shirt } from "../testing/station-harness.ts";
import { unreadText } from "./unread.ts";

/** Somebody else changes the area, and this device is notified. */
async function changeElsewhere(
  { shop, client }: StationHarness,
  change: Partial<ScriptedShop["areas"][number]>,
): Promise<void> {
  shop.areas = shop.areas.map((area) => (area._id === areaOne.areaId ? { ...area, ...change } : area));
  await client.invalidateQueries({ queryKey: [queryRoots.areas] });
}

async function openInThirdPass(listed: Partial<ScriptedShop["areas"][number]>): Promise<StationHarness> {
  const shop = new ScriptedShop();
  shop.areas = shop.areas.map((area) => ({ ...area, ...listed }));
  for (const _pass of [2, 3]) shop.scanning.nextPass("A1", "AREA_RESET");
  return openStationAlone({ shop, area: { ...areaOne, pass: 3 } });
}

describe("what the server takes back", () => {
  it("S22: a late answer takes the count back, with the reason, and AREA_CLOSED ends counting there", async () => {
    const harness = await openStationAlone();
    const { shop, scan, count, sounds, state, waitUntilShown, waitUntilCounted } = harness;
    await harness.countOne();
    shop.scanning.closedAreas.add("A1");
    scan(otherShirt);
    await waitUntilShown("Not counted. This area is closed. Nothing more can be counted here.");
    await waitUntilCounted(1);
    expect(state().block).toBe("area_closed");
    expect(sounds).toEqual(["beep", "beep", "alarm"]);
    scan(shirt);
    expect(count()).toBe(1);
    expect(sounds.at(-1)).toBe("alarm");
  });

  it("S22: an ended session shows No active session found [spec:8.scan.session]", async () => {
    const { shop, scan, countOne, waitUntilShown, waitUntilCounted } = await openStationAlone();
    await countOne();
    shop.scanning.closedSessions.add("session-1");
    Object.assign(shop, { hasSession: false, isOver: true });
    scan(shirt);
    await waitUntilShown("No active session found");
    await waitUntilShown("The count has ended. Your last scan was kept for the administrator.");
    await waitUntilCounted(1);
  });

  it("S22: a scan of a pass that is over is taken back, and the new pass is learned from the answer", async () => {
    const { shop, scan, countOne, waitUntilShown, waitUntilCounted } = await openStationAlone();
    await countOne();
    shop.scanning.nextPass("A1", "AREA_RESET");
    scan(otherShirt);
    await waitUntilShown("This area was restarted");
    await waitUntilCounted(0);
  });
});

describe("somebody else in the area", () => {
  it("who starts it again brings the count to zero, and counting goes on in their pass", async () => {
    const harness = await openStationAlone();
    const { shop, scan, sounds, remembered, waitUntilShown, waitUntilCounted, waitUntilSent } = harness;
    await harness.countOne();
    shop.scanning.nextPass("A1", "AREA_RESET");
    await changeElsewhere(harness, { pass: 2, status: "not_started" });
    await waitUntilShown("This area was restarted");
    await waitUntilCounted(0);
    expect(sounds.at(-1)).toBe("alarm");
    scan(shirt);
    await waitUntilCounted(1);
    await waitUntilSent();
    expect(shop.scanning.scans.at(-1)).toMatchObject({ status: "counted", payload: { pass: 2 } });
    expect(remembered.at(-1)).toMatchObject({ pass: 2 });
  });

  it("who starts it again is told until it is tapped away, however much is scanned meanwhile", async () => {
    const harness = await openStationAlone();
    const { shop, scan, state, station } = harness;
    await harness.countOne();
    const unread = () => unreadText(state());
    await changeElsewhere(harness, {
      ...{ pass: 2, status: "not_started" },
      recount: {
        pass: 2,
        reason: "The top shelf.",
        requestedAt: "2026-03-01T10:00:00.000Z",
        requestedBy: "admin",
      },
    });
    shop.scanning.nextPass("A1", "AREA_REOPENED");
    await harness.waitUntilShown("This area was restarted");
    // The banner still says it.
    expect(unread()).toBeNull();
    for (const counted of [1, 2]) {
      scan(shirt);
      await harness.waitUntilCounted(counted);
    }
    expect(unread()).toBe("Restarted: your count is back to 0. The top shelf.");
    station.dismissUnread();
    expect(unread()).toBeNull();
    scan(shirt);
    await harness.waitUntilCounted(3);
    expect(unread()).toBeNull();
  });

  it("who scans on in the pass after this device's own mismatch is noticed, as they were before it", async () => {
    const harness = await openStationAlone();
    const { shop, station, state, waitUntilCounted } = harness;
    const tom = { deviceId: "device-of-tom", usernames: ["Tom"], holdsScans: false, silentSince: null };
    const lastScanAt = "2026-03-01T09:30:00.000Z";
    const tomScansToo = async (pass: number) => {
      shop.othersCounted = true;
      shop.devices = [tom];
      const activity = { devices: 2, usernames: ["Mia", "Tom"], lastScanAt };
      await changeElsewhere(harness, { pass, status: "in_progress", activity });
      await expect.poll(() => state().elsewhere?.othersCounted).toBe(true);
    };
    await harness.countOne();
    await tomScansToo(1);
    await station.finish(5, "area");
    await waitUntilCounted(0);
    shop.othersCounted = false;
    shop.devices = [];
    await harness.countOne();
    await changeElsewhere(harness, {
      pass: 2,
      status: "in_progress",
      activity: { devices: 1, usernames: ["Mia"], lastScanAt },
    });
    expect(state().elsewhere?.othersCounted).not.toBe(true);
    await tomScansToo(2);
  });

  it("who counts here too is noticed with the next list, where the server did not answer at the first", async () => {
    const harness = await openStationAlone();
    const { shop, state } = harness;
    await harness.countOne();
    const activity = { devices: 2, usernames: ["Mia", "Tom"] };
    const asked = () => shop.requests.filter((path) => path === "GET /api/area/session-1/A1").length;
    const before = asked();
    shop.othersCounted = true;
    shop.further.set("GET /api/area/session-1/A1", () => ({ status: 503, body: null }));
    await changeElsewhere(harness, { activity: { ...activity, lastScanAt: "2026-03-01T09:30:00.000Z" } });
    await expect.poll(asked).toBeGreaterThan(before);
    await expect.poll(() => harness.client.isFetching()).toBe(0);
    await harness.device.database.getAll("pendingScans");
    expect(state().elsewhere?.othersCounted).toBe(false);
    shop.further.clear();
    await changeElsewhere(harness, { activity: { ...activity, lastScanAt: "2026-03-01T09:31:00.000Z" } });
    await expect.poll(() => state().elsewhere?.othersCounted).toBe(true);
  });

  it("who reopens it lets a phone go on that stood on it closed, from zero in the new pass", async () => {
    const harness = await openStationAlone();
    const { shop, scan, sounds, state, waitUntilShown, waitUntilCounted } = harness;
    await harness.countOne();
    await changeElsewhere(harness, { status: "closed" });
    await waitUntilShown("This area is closed.");
    const heard = sounds.length;
    await changeElsewhere(harness, { status: "closed", closedBy: { username: "Tom" } });
    shop.scanning.nextPass("A1", "AREA_REOPENED");
    await changeElsewhere(harness, { pass: 2, status: "not_started" });
    await waitUntilShown("This area was restarted");
    expect([state().block, harness.count()]).toEqual([null, 0]);
    expect(sounds.length).toBe(heard + 1);
    scan(shirt);
    await waitUntilCounted(1);
    expect(unreadText(state())).toBe("Restarted: your count is back to 0.");
    await harness.waitUntilSent();
    expect(shop.scanning.scans.at(-1)).toMatchObject({ status: "counted", payload: { pass: 2 } });
  });

  it("what is told of a restart goes with the area, where nothing more can be counted", async () => {
    const harness = await openStationAlone();
    await harness.countOne();
    await changeElsewhere(harness, { pass: 2, status: "not_started" });
    await harness.waitUntilShown("This area was restarted");
    await changeElsewhere(harness, { status: "closed" });
    await harness.waitUntilShown("This area is closed.");
    expect(unreadText(harness.state())).toBeNull();
  });

  it("who starts it again takes the question about a scan of the count before away", async () => {
    const harness = await openStationAlone();
    await harness.countOne();
    harness.scan("TWIN");
    expect(harness.state().choice?.code).toBe("TWIN");
    await changeElsewhere(harness, { pass: 2 });
    await harness.waitUntilShown("This area was restarted.");
    expect([harness.state().choice, harness.count()]).toEqual([null, 0]);
  });

  it("who completes it closes Manual Entry, but not Device Settings, which are of no pass", async () => {
    const harness = await openStationAlone();
    await harness.countOne();
    harness.station.openDialog("manual");
    await changeElsewhere(harness, { status: "closed" });
    await harness.waitUntilShown("This area is closed.");
    expect(harness.state().dialog).toBeNull();
    harness.station.openDialog("settings");
    expect(harness.state().dialog).toBe("settings");
  });

  it("S7: where the server ends the count that was listed here, the area is closed, whatever pass it is in by then", async () => {
    const harness = await openInThirdPass({ pass: 3, status: "in_progress" });
    await harness.countOne();
    await changeElsewhere(harness, { pass: 2, status: "closed" });
    await harness.waitUntilShown("This area is closed.");
    expect(harness.state().block).toBe("area_closed");
  });

  it("S7: a list from before this pass was begun closes nothing", async () => {
    const harness = await openInThirdPass({ pass: 2, status: "closed" });
    await harness.waitUntilReady();
    await changeElsewhere(harness, { pass: 3, status: "in_progress" });
    await harness.countOne();
    expect(harness.state().block).toBeNull();
  });

  it("who completes it leaves nothing to resume", async () => {
    const harness = await openStationAlone();
    await harness.countOne();
    const stored = () => readActiveArea(harness.device.database, mia._id);
    expect(await stored()).not.toBeNull();
    await changeElsewhere(harness, { status: "closed" });
    await harness.waitUntilShown("This area is closed.");
    await expect.poll(stored).toBeNull();
  });

  it("who deletes it ends counting there", async () => {
    const harness = await openStationAlone();
    await harness.countOne();
    harness.shop.areas = harness.shop.areas.filter(({ _id }) => _id !== areaOne.areaId);
    await harness.client.invalidateQueries({ queryKey: [queryRoots.areas] });
    await harness.waitUntilShown("This area no longer exists.");
    expect(harness.state().block).toBe("area_deleted");
  });
});

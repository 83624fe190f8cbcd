import { activeSession } from "@stocktake/contract/examples";
import { describe, expect, it, vi } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { readActiveArea } from "../opening/last-area.ts";
import { areaOne, mia } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { openStationAlone, otherShirt, type StationHarness, shirt } from "../testing/station-harness.ts";
import type { StationState } from "./station-state.ts";

const goesOn = "The count goes on";

function readSessions({ client }: StationHarness): Promise<void> {
  return client.invalidateQueries({ queryKey: [queryRoots.sessions] });
}

/** The server ends the session, or has it again. */
function end({ shop }: StationHarness): void {
  shop.scanning.closedSessions.add("session-1");
  Object.assign(shop, { hasSession: false, isOver: true });
}

function begin({ shop }: StationHarness): void {
  shop.scanning.closedSessions.clear();
  Object.assign(shop, { hasSession: true, isOver: false });
}

/** What was shown and what blocked, from now on. */
function watch({ station, shown, state }: StationHarness) {
  const texts: (string | null)[] = [];
  const blocks: StationState["block"][] = [];
  station.subscribe(() => {
    texts.push(shown());
    blocks.push(state().block);
  });
  return { texts, blocks };
}

function settled({ client }: StationHarness): Promise<void> {
  return expect.poll(() => client.isFetching()).toBe(0);
}

/** One shirt is in the backup and one is not, and the session has ended since. Returns what restores the backup. */
async function endedAfterBackup(): Promise<{ harness: StationHarness; restore: () => Promise<void> }> {
  const harness = await openStationAlone();
  const { shop, device, scan, waitUntilCounted, waitUntilSent, waitUntilShown } = harness;
  await harness.countOne();
  const bringBack = shop.scanning.backup();
  scan(otherShirt);
  await waitUntilCounted(2);
  await waitUntilSent();
  end(harness);
  await readSessions(harness);
  await waitUntilShown("No active session found");
  return {
    harness,
    async restore() {
      bringBack();
      begin(harness);
      // By its first answer the device learns of another life of the server.
      await device.continueSequence(areaOne.sessionId);
    },
  };
}

describe("a session that goes on after its end", () => {
  it("S22, S30: of a restored server takes scans again in the open area, with the count as it was", async () => {
    const { harness, restore } = await endedAfterBackup();
    const { shop, scan, state, sounds } = harness;
    await restore();
    await harness.waitUntilShown(`${goesOn} Go on scanning`);
    expect([state().block, state().sessionEnd, sounds.at(-1)]).toEqual([null, null, "call"]);
    await harness.waitUntilSent();
    await harness.waitUntilCounted(2);
    scan(shirt);
    await harness.waitUntilCounted(3);
    await harness.waitUntilSent();
    expect(shop.scanning.scans.map(({ status }) => status)).toEqual(["counted", "counted", "counted"]);
    await expect.poll(() => readActiveArea(harness.device.database, mia._id)).not.toBeNull();
  });

  it("S22, S30: what had come after its end counts", async () => {
    const harness = await openStationAlone();
    await harness.countOne();
    const bringBack = harness.shop.scanning.backup();
    end(harness);
    harness.scan(otherShirt);
    await harness.waitUntilShown("Your last scan was kept for the administrator.");
    await harness.waitUntilCounted(1);
    bringBack();
    begin(harness);
    await harness.device.continueSequence(areaOne.sessionId);
    await harness.waitUntilShown(goesOn);
    await harness.waitUntilCounted(2);
  });

  it("S22: refuses what is scanned until the area has been read again, and says so", async () => {
    const { harness, restore } = await endedAfterBackup();
    const release = harness.shop.hold("/api/area/session-1/A1");
    await restore();
    await harness.waitUntilSent();
    harness.scan(shirt);
    await harness.waitUntilShown(`The count has ended. ${shirt} was not counted.`);
    const stored = harness.shop.scanning.scans.length;
    release();
    await harness.waitUntilShown(goesOn);
    expect(harness.count()).toBe(2);
    expect(harness.shop.scanning.scans).toHaveLength(stored);
  });

  it("S22: takes nothing where somebody has closed the area meanwhile", async () => {
    const { harness, restore } = await endedAfterBackup();
    const { shop } = harness;
    shop.areas = shop.areas.map((area) => (area.code === "A1" ? { ...area, status: "closed" } : area));
    const { texts, blocks } = watch(harness);
    const heard = harness.sounds.length;
    await restore();
    await harness.waitUntilShown("This area is closed.");
    await settled(harness);
    expect(harness.state().block).toBe("area_closed");
    expect(texts.filter((text) => text?.includes(goesOn))).toEqual([]);
    expect(blocks).not.toContain(null);
    expect(harness.sounds.slice(heard)).toEqual(["alarm"]);
  });

  it.each([
    ["and the area is read", true],
    ["though only the list of areas has it", false],
  ])("S22: tells of a pass that has begun meanwhile alone, %s", async (_how, isRead) => {
    const { harness } = await endedAfterBackup();
    const { shop } = harness;
    if (isRead) shop.scanning.nextPass("A1", "AREA_RESET");
    shop.areas = shop.areas.map((area) => (area.code === "A1" ? { ...area, pass: 2 } : area));
    begin(harness);
    const { texts } = watch(harness);
    await readSessions(harness);
    await harness.waitUntilShown("This area was restarted.");
    await expect.poll(() => harness.state().block).toBeNull();
    expect(texts.filter((text) => text?.includes(goesOn))).toEqual([]);
    expect([harness.state().block, harness.state().pass, harness.count()]).toEqual([null, 2, 0]);
  });

  it("S22: does not go on by the areas that the device has kept", async () => {
    const { harness } = await endedAfterBackup();
    const { blocks } = watch(harness);
    harness.shop.further.set("GET /api/areas/by-location/location-1", () => {
      throw new TypeError("Failed to fetch");
    });
    begin(harness);
    await readSessions(harness);
    await settled(harness);
    // The area's scans are read beside the list of areas, and nothing is drawn before both are there.
    await vi.waitFor(() => expect(blocks.length).toBeGreaterThan(0));
    expect(blocks).not.toContain(null);
    harness.shop.further.clear();
    await readSessions(harness);
    await harness.waitUntilShown(goesOn);
  });

  it("S22: goes on where a list from after the end is the one from before it", async () => {
    const harness = await openStationAlone();
    const { shop } = harness;
    await harness.countOne();
    const release = shop.hold("/api/session");
    shop.scanning.closedSessions.add("session-1");
    harness.scan(otherShirt);
    await harness.waitUntilShown("No active session found");
    shop.scanning.closedSessions.clear();
    release();
    await harness.waitUntilShown(goesOn);
  });

  it("S22: goes on where the person is let in again", async () => {
    const { harness } = await endedAfterBackup();
    begin(harness);
    await readSessions(harness);
    await harness.waitUntilShown(goesOn);
  });
});

describe("a session that is over", () => {
  it("S22: stays so whatever a list from before its end says", async () => {
    const harness = await openStationAlone();
    const { shop } = harness;
    await harness.countOne();
    const { blocks } = watch(harness);
    // The list is on its way when a scan comes too late.
    const release = shop.hold("/api/session");
    const before = { sessions: [activeSession(), activeSession({ _id: "session-2" })] };
    shop.further.set("GET /api/session", () => {
      shop.further.clear();
      return { status: 200, body: before };
    });
    const asked = shop.requests.length;
    void readSessions(harness);
    await vi.waitFor(() => expect(shop.requests.slice(asked)).toContain("GET /api/session"));
    end(harness);
    harness.scan(otherShirt);
    await harness.waitUntilShown("No active session found");
    release();
    await harness.waitUntilSent();
    await settled(harness);
    expect(blocks.slice(blocks.indexOf("no_session"))).not.toContain(null);
  });

  it("S22: stays so where the first list of all is from before its end", async () => {
    const shop = new ScriptedShop();
    const release = shop.hold("/api/session");
    shop.further.set("GET /api/session", () => {
      shop.further.clear();
      return { status: 200, body: { sessions: [activeSession()] } };
    });
    const harness = await openStationAlone({ shop });
    await harness.countOne();
    const { blocks } = watch(harness);
    end(harness);
    harness.scan(otherShirt);
    await harness.waitUntilShown("No active session found");
    release();
    await harness.waitUntilSent();
    await settled(harness);
    await harness.waitUntilShown("Your last scan was kept for the administrator.");
    expect(blocks.slice(blocks.indexOf("no_session"))).not.toContain(null);
  });

  it("S22: stays so where it ends again while the area is read", async () => {
    const { harness } = await endedAfterBackup();
    const release = harness.shop.hold("/api/area/session-1/A1");
    begin(harness);
    await readSessions(harness);
    end(harness);
    await readSessions(harness);
    const before = harness.state();
    release();
    await vi.waitFor(() => expect(harness.state()).not.toBe(before));
    // Another call and its answer: what followed from the first has happened by then.
    await harness.client.invalidateQueries({ queryKey: [queryRoots.areas] });
    expect(harness.state().block).toBe("no_session");
  });
});

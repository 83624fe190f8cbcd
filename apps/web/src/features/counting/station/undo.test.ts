import { describe, expect, it, vi } from "vitest";
import { readRefusedUndos } from "../../../offline/offline.ts";
import { countedArea } from "../opening/counting-area.ts";
import { areaOne } from "../testing/scripted-device.ts";
import { openStationAlone, otherShirt, type StationHarness } from "../testing/station-harness.ts";
import { lastScan } from "./station-state.ts";

it("a double tap on Undo Last takes one scan back; a tap after it takes the next", async () => {
  const { station, clock, scan, count, shown, sounds, countOne, waitUntilCounted } = await openStationAlone();
  await countOne();
  scan(otherShirt);
  await waitUntilCounted(2);
  clock.advance(1_000);
  station.undo();
  clock.advance(450);
  station.undo();
  expect(count()).toBe(1);
  expect(shown()).toContain("Undone");
  clock.advance(50);
  station.undo();
  await waitUntilCounted(0);
  await expect.poll(() => sounds).toEqual(["beep", "beep", "knock", "knock"]);
});

it("S16: what another tab of the device undoes leaves the count of this tab too", async () => {
  const { device, scan, countOne, waitUntilCounted, waitUntilShown } = await openStationAlone();
  await countOne();
  scan(otherShirt);
  await waitUntilCounted(2);
  const [first] = await device.database.getAll("pendingScans");
  if (first?.id === undefined) throw new Error("Nothing was stored.");
  await device.operate({
    ...{ kind: "undo", area: countedArea(areaOne, 1) },
    ...{ targetId: first.id, targetSeq: first.seq },
  });
  await waitUntilCounted(1);
  await waitUntilShown("Undone");
});

describe("Undo Last after an unknown scan", () => {
  const tap = ({ clock, station }: StationHarness) => {
    clock.advance(1_000);
    station.undo();
  };

  const disconnect = ({ shop, device }: StationHarness) => {
    shop.isAway = true;
    device.connectivity.report(false);
  };

  const connect = ({ shop, device }: StationHarness) => {
    shop.isAway = false;
    device.connectivity.report(true);
    device.engine.retryNow();
  };

  async function shirtThenUnknown() {
    const harness = await openStationAlone();
    await harness.countOne();
    harness.scan("unknown-77");
    await harness.waitUntilShown("UNKNOWN BARCODE: unknown-77");
    return harness;
  }

  it("takes back that scan, here and on the server, and leaves the good one before it counted", async () => {
    const harness = await shirtThenUnknown();
    expect(lastScan(harness.state())?.input).toBe("unknown-77");
    tap(harness);
    expect(harness.shown()).toBe("Undone unknown code unknown-77: it was in no count");
    expect([harness.count(), harness.state().unknown]).toEqual([1, []]);
    const outcomes = () =>
      harness.shop.scanning.scans.map(({ payload, status, reason }) => [payload.input, status, reason]);
    await expect.poll(outcomes).toEqual([
      ["4006381333931", "counted", null],
      ["unknown-77", "voided", "UNDONE"],
    ]);
    tap(harness);
    expect(harness.shown()).toContain("Linen Shirt");
    await harness.waitUntilCounted(0);
  });

  it("finds the unknown scan again after a reload, without the server too", async () => {
    const first = await shirtThenUnknown();
    first.close();
    first.shop.isAway = true;
    const again = await openStationAlone({ shop: first.shop, device: first.device });
    await again.waitUntilCounted(1);
    tap(again);
    expect([again.count(), again.state().unknown]).toEqual([1, []]);
  });

  it("puts it back where the device cannot keep the undo", async () => {
    vi.stubGlobal("reportError", vi.fn());
    const harness = await shirtThenUnknown();
    harness.device.operate = () => Promise.reject(new Error("QuotaExceededError"));
    tap(harness);
    await harness.waitUntilShown("Failed to undo scan");
    expect([harness.count(), harness.state().unknown.length]).toEqual([1, 1]);
  });

  it("S16: of a scan that an administrator accepted into another area says so, and leaves nothing waiting", async () => {
    const harness = await shirtThenUnknown();
    await harness.waitUntilSent();
    const opId = harness.shop.scanning.scans.at(-1)?.payload.opId ?? "";
    expect(harness.shop.scanning.accept(opId, "A2")).toBe(true);
    tap(harness);
    await harness.waitUntilShown("Failed to undo scan Refused: NOTHING_TO_UNDO.");
    await harness.waitUntilSent();
    expect([harness.count(), harness.state().unknown]).toEqual([1, []]);
    expect(harness.device.queue.state()).toMatchObject({ pending: 0, setAside: 0 });
    expect(await readRefusedUndos(harness.device.database)).toHaveLength(1);
    tap(harness);
    await harness.waitUntilCounted(0);
  });

  it("S16: tells of those corrections alone that were not possible, where the session ended before they were sent", async () => {
    const harness = await openStationAlone();
    const { shop, device } = harness;
    await harness.countOne();
    disconnect(harness);
    harness.scan(otherShirt);
    await harness.waitUntilCounted(2);
    tap(harness);
    tap(harness);
    await harness.waitUntilCounted(0);
    await expect.poll(() => device.queue.state().pending).toBe(3);
    shop.scanning.closedSessions.add("session-1");
    shop.hasSession = false;
    connect(harness);
    await harness.waitUntilSent();
    // The first shirt counts; the second came too late, and the server has recorded that it was taken back.
    const [first] = await device.database.getAll("pendingScans");
    expect(await readRefusedUndos(device.database)).toMatchObject([{ targetId: first?.id }]);
    expect(harness.sounds.filter((sound) => sound === "alarm")).toHaveLength(1);
  });

  it("S13, S16: tells that a correction was not possible where an administrator accepted the scan before the area was closed", async () => {
    const harness = await shirtThenUnknown();
    const { shop, device } = harness;
    await harness.waitUntilSent();
    disconnect(harness);
    tap(harness);
    await expect.poll(() => device.queue.state().pending).toBe(1);
    shop.scanning.accept(shop.scanning.scans.at(-1)?.payload.opId ?? "");
    shop.scanning.closedAreas.add("A1");
    connect(harness);
    await harness.waitUntilShown("Failed to undo scan Refused: AREA_CLOSED.");
    expect(await readRefusedUndos(device.database)).toHaveLength(1);
    expect(harness.state().block).toBe("area_closed");
  });

  it("S16, S22: of a scan that came too late says that the area is closed, once", async () => {
    const harness = await openStationAlone();
    await harness.countOne();
    disconnect(harness);
    harness.scan(otherShirt);
    await harness.waitUntilCounted(2);
    tap(harness);
    await expect.poll(() => harness.device.queue.state().pending).toBe(2);
    harness.shop.scanning.closedAreas.add("A1");
    connect(harness);
    await harness.waitUntilShown("This area is closed.");
    await harness.waitUntilSent();
    expect(harness.state().block).toBe("area_closed");
    expect(harness.sounds.filter((sound) => sound === "alarm")).toHaveLength(1);
    expect(await readRefusedUndos(harness.device.database)).toEqual([]);
  });

  it.each([
    ["the area is closed", "AREA_CLOSED", "This area is closed.", "area_closed"],
    ["the session has ended", "SESSION_CLOSED", "No active session found", "no_session"],
  ] as const)(
    "S16, S22: hears by its answer alone that %s, after a reload",
    async (_what, code, text, block) => {
      const first = await openStationAlone();
      const { shop, device } = first;
      await first.countOne();
      disconnect(first);
      first.scan(otherShirt);
      await first.waitUntilCounted(2);
      tap(first);
      await expect.poll(() => device.queue.state().pending).toBe(2);
      first.close();
      if (code === "AREA_CLOSED") shop.scanning.closedAreas.add("A1");
      else shop.scanning.closedSessions.add("session-1");
      shop.scanning.chance = ({ path }) => (path === "/api/undo" ? { kind: "request_lost" } : null);
      connect(first);
      await expect.poll(() => device.queue.state().pending).toBe(1);
      const again = await openStationAlone({ shop, device });
      await again.waitUntilCounted(1);
      expect(again.state().block).toBeNull();
      shop.hasSession = code === "AREA_CLOSED";
      shop.scanning.chance = () => null;
      connect(again);
      await again.waitUntilShown(text);
      expect(again.state().block).toBe(block);
    },
  );

  it("S16: of a pass that was over meanwhile says nothing of a failure: the server remembers it", async () => {
    const harness = await shirtThenUnknown();
    await harness.waitUntilSent();
    harness.shop.scanning.nextPass("A1", "AREA_RESET");
    tap(harness);
    await harness.waitUntilShown("This area was restarted");
    expect(harness.count()).toBe(0);
  });
});

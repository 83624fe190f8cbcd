import { describe, expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { openStationAlone, type StationHarness } from "../testing/station-harness.ts";
import { acceptedAmongItems } from "./area-state.ts";

/** An administrator accepts the newest scan that waits. The phones hear of it unless the event is held back. */
async function accept({ shop, client }: StationHarness, isHeard = true): Promise<void> {
  const opId = shop.scanning.unresolvedIn("A1").at(-1)?.payload.opId ?? "";
  expect(shop.scanning.accept(opId)).toBe(true);
  if (isHeard) await client.invalidateQueries({ queryKey: [queryRoots.areas] });
}

async function shirtAndUnknown(): Promise<StationHarness> {
  const harness = await openStationAlone();
  await harness.countOne();
  harness.scan("unknown-77");
  await harness.waitUntilShown("UNKNOWN BARCODE");
  await harness.waitUntilSent();
  return harness;
}

describe("an exception that an administrator accepts in the area", () => {
  it("is counted on the phone, which says so, and its finish matches", async () => {
    const harness = await shirtAndUnknown();
    await accept(harness);
    await harness.waitUntilShown("Items Scanned is now 2 The administrator accepted 1 item for this area.");
    expect([harness.count(), harness.state().unknown, harness.state().elsewhere?.accepted]).toEqual([
      2,
      [],
      1,
    ]);
    harness.station.openDialog("finish");
    await harness.station.finish(2);
    expect(harness.shown()).toBe("Area complete! 2 counted");
  });

  it("is taken back by Undo Last like any other", async () => {
    const harness = await shirtAndUnknown();
    await accept(harness);
    await harness.waitUntilCounted(2);
    harness.clock.advance(1_000);
    harness.station.undo();
    expect(harness.count()).toBe(1);
    await expect.poll(() => harness.shop.scanning.total("A1")).toBe(1);
  });

  it("from another device is in Items Scanned where this one counts alone, and is not for it to undo", async () => {
    const harness = await shirtAndUnknown();
    const [waiting] = harness.shop.scanning.unresolvedIn("A1");
    if (waiting === undefined) throw new Error("Nothing waits.");
    const payload = { ...waiting.payload, deviceId: "device-of-tom", opId: crypto.randomUUID(), seq: 900 };
    harness.shop.scanning.scans.push({ ...waiting, payload });
    await accept(harness);
    await harness.waitUntilCounted(2);
    expect(harness.state().tally).toHaveLength(1);
    expect(acceptedAmongItems(harness.state().elsewhere)).toBe(1);
    expect(await harness.station.readFinishFigures()).toEqual({
      ...{ counted: 2, unknown: 1, accepted: 1, othersCounted: false, devices: [], sharedWith: [] },
    });
  });

  it("is said of Items Scanned only where it is among them: another device's is not where that one counts here too", async () => {
    const harness = await shirtAndUnknown();
    const { scanning } = harness.shop;
    harness.shop.othersCounted = true;
    const [own] = scanning.unresolvedIn("A1");
    if (own === undefined) throw new Error("Nothing waits.");
    const payload = { ...own.payload, deviceId: "device-of-tom", opId: crypto.randomUUID(), seq: 901 };
    scanning.scans.push({ ...own, payload });
    await accept(harness);
    await expect.poll(() => harness.state().elsewhere?.accepted).toBe(1);
    expect([harness.count(), acceptedAmongItems(harness.state().elsewhere)]).toEqual([1, 0]);
    expect(harness.shown()).toBe("The administrator accepted 1 item for this area.");
    await accept(harness);
    await harness.waitUntilShown("Items Scanned is now 2 The administrator accepted 1 item for this area.");
    expect([harness.count(), acceptedAmongItems(harness.state().elsewhere)]).toEqual([2, 1]);
  });

  it("S13: whose news has not arrived is told about at the finish, and nothing is voided", async () => {
    const harness = await shirtAndUnknown();
    harness.station.openDialog("finish");
    await accept(harness, false);
    await harness.station.finish(1);
    expect(harness.shown()).toBe("Items Scanned is now 2 Refused: COUNT_CHANGED.");
    expect([harness.state().pass, harness.state().block, harness.count()]).toEqual([1, null, 2]);
    expect(harness.device.queue.state()).toMatchObject({ pending: 0, setAside: 0 });
    harness.station.openDialog("finish");
    await harness.station.finish(2);
    expect(harness.shown()).toBe("Area complete! 2 counted");
  });

  it("that the person had been shown voids the pass on a wrong total, as ever", async () => {
    const harness = await shirtAndUnknown();
    await accept(harness);
    await harness.waitUntilCounted(2);
    harness.station.openDialog("finish");
    await harness.station.finish(1);
    expect(harness.shown()).toContain("COUNT MISMATCH! You declared 1 but scanned 2.");
  });

  it("S13: while the finish waits offline leaves the count whole, and a note that leads back", async () => {
    const harness = await shirtAndUnknown();
    const { shop, device, station } = harness;
    shop.isAway = true;
    device.connectivity.report(false);
    station.openDialog("finish");
    await station.finish(1);
    await accept(harness, false);
    shop.isAway = false;
    device.connectivity.report(true);
    device.engine.retryNow();
    await harness.waitUntilSent();
    expect(shop.scanning.passOf("A1")).toBe(1);
    expect(await device.database.getAll("pendingSubmissions")).toMatchObject([
      { kind: "finish", refusal: { code: "COUNT_CHANGED" } },
    ]);
  });
});

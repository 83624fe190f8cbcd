import { describe, expect, it } from "vitest";
import { messages } from "../messages.ts";
import { openStationAlone, otherShirt, type StationHarness, shirt } from "../testing/station-harness.ts";

async function loseTheServer(): Promise<StationHarness> {
  const harness = await openStationAlone();
  await harness.countOne();
  harness.shop.isAway = true;
  harness.device.connectivity.report(false);
  expect(harness.shown()).toBe(messages.offline);
  expect(harness.sounds.at(-1)).toBe("chime");
  return harness;
}

function findTheServer({ shop, device }: StationHarness): void {
  shop.isAway = false;
  device.connectivity.report(true);
  device.engine.retryNow();
}

describe("Back online", () => {
  it("S20: is followed by All scans are sent, once they are and it has been read", async () => {
    const harness = await loseTheServer();
    harness.scan(shirt);
    await harness.waitUntilCounted(2);
    findTheServer(harness);
    expect(harness.shown()).toBe(messages.backOnline);
    await harness.waitUntilSent();
    await harness.device.engine.settled();
    harness.clock.advance(2_999);
    expect(harness.shown()).toBe(messages.backOnline);
    harness.clock.advance(1);
    expect(harness.shown()).toBe(messages.allSent);
  });

  it("is followed by READY TO SCAN where nothing had to be sent", async () => {
    const harness = await loseTheServer();
    findTheServer(harness);
    expect(harness.shown()).toBe(messages.backOnline);
    await harness.device.engine.settled();
    harness.clock.advance(3_000);
    await harness.waitUntilShown(null);
  });

  it("gives way to the next scan, and does not replace its notice", async () => {
    const harness = await loseTheServer();
    findTheServer(harness);
    harness.scan(otherShirt);
    await harness.waitUntilShown("Linen Shirt · L");
    harness.clock.advance(5_000);
    expect(harness.shown()).toContain("Linen Shirt · L");
  });
});

describe("without the server", () => {
  it("a scan whose sending breaks off shows that it is saved locally", async () => {
    const { shop, scan, count, countOne, waitUntilShown } = await openStationAlone();
    await countOne();
    shop.isAway = true;
    scan(otherShirt);
    await waitUntilShown("Saved locally - will sync later");
    expect(count()).toBe(2);
  });

  it("a scan is heard as counted, and shown as saved locally", async () => {
    const { scan, count, sounds, waitUntilShown } = await loseTheServer();
    scan(otherShirt);
    await waitUntilShown("Saved locally - will sync later");
    expect([count(), sounds.at(-1)]).toEqual([2, "beep"]);
  });

  it("products that could not be read again are told below it, with nothing in its place and no second chime", async () => {
    const { station, clock, sounds, waitUntilShown } = await loseTheServer();
    const chimes = () => sounds.filter((sound) => sound === "chime").length;
    const heard = chimes();
    station.onLiveEvent({ type: "catalogue" });
    clock.advance(10_000);
    await waitUntilShown(`${messages.offline} ${messages.offlineProducts}`);
    expect(chimes()).toBe(heard);
  });

  it("products that could not be read are told by themselves while the server is there", async () => {
    const { station, clock, shop, countOne, waitUntilShown } = await openStationAlone();
    await countOne();
    shop.hasProducts = false;
    station.onLiveEvent({ type: "catalogue" });
    clock.advance(10_000);
    await waitUntilShown(messages.offlineProducts);
  });

  it("an area that is opened after the server had gone says so at once", async () => {
    const { device, shop } = await loseTheServer();
    const { shown } = await openStationAlone({ device, shop });
    expect(shown()).toBe(messages.offline);
  });
});

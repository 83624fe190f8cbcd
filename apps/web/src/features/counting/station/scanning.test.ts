import { describe, expect, it, vi } from "vitest";
import type { CountingDevice } from "../../../offline/offline.ts";
import { messages } from "../messages.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { openStationAlone, otherShirt, shirt } from "../testing/station-harness.ts";

/** A disk that keeps writes waiting until it is told to complete them. */
function slowDown(device: CountingDevice) {
  const { scan } = device;
  let complete = () => {};
  const onDisk = new Promise<void>((resolve) => {
    complete = resolve;
  });
  const writing = vi.spyOn(device, "scan").mockImplementation(async (draft) => {
    await onDisk;
    return scan(draft);
  });
  return { writing, complete };
}

describe("a scan", () => {
  it("S1: is neither green, heard nor counted before it is on the disk", async () => {
    const { device, scan, shown, count, sounds, countOne, waitUntilCounted, state } =
      await openStationAlone();
    await countOne();
    const before = shown();
    const { writing, complete } = slowDown(device);
    scan(otherShirt);
    await vi.waitFor(() => expect(writing).toHaveBeenCalledTimes(1));
    expect(count()).toBe(1);
    expect(shown()).toBe(before);
    expect(sounds).toEqual(["beep"]);
    complete();
    await waitUntilCounted(2);
    expect(state().notice?.kind).toBe("success");
    expect(sounds).toEqual(["beep", "beep"]);
  });

  it("ignored while the one before is being written is still shown and heard at the end", async () => {
    const { device, scan, sounds, countOne, waitUntilCounted, waitUntilShown } = await openStationAlone();
    await countOne();
    const { writing, complete } = slowDown(device);
    scan(otherShirt);
    scan(otherShirt, 200);
    complete();
    await waitUntilCounted(2);
    await waitUntilShown(messages.ignoredRepeat);
    expect(writing).toHaveBeenCalledTimes(1);
    expect(sounds).toEqual(["beep", "beep", "miss"]);
  });

  it("S1: that could not be written is not counted, and the banner shows it", async () => {
    const reported = vi.fn();
    vi.stubGlobal("reportError", reported);
    const { device, scan, count, sounds, state, countOne, waitUntilShown } = await openStationAlone();
    await countOne();
    vi.spyOn(device, "scan").mockRejectedValue(new DOMException("Full.", "QuotaExceededError"));
    scan(shirt);
    await waitUntilShown(messages.notSaved);
    expect(state().notice?.kind).toBe("error");
    expect(count()).toBe(1);
    expect(sounds.at(-1)).toBe("alarm");
    expect(reported).toHaveBeenCalledTimes(1);
  });

  it("S1: read again while it is found that it could not be written is no repeat: the banner keeps showing that", async () => {
    vi.stubGlobal("reportError", vi.fn());
    const { device, scan, sounds, shown, count, countOne, waitUntilShown } = await openStationAlone();
    await countOne();
    let fail = () => {};
    const writing = vi.spyOn(device, "scan").mockImplementationOnce(
      () =>
        new Promise((_resolve, reject) => {
          fail = () => reject(new DOMException("Full.", "QuotaExceededError"));
        }),
    );
    scan(otherShirt);
    scan(otherShirt, 200);
    fail();
    await waitUntilShown(messages.notSaved);
    await expect.poll(() => sounds).toEqual(["beep", "alarm", "alarm"]);
    expect([shown(), count()]).toEqual([messages.notSaved, 1]);
    expect(writing).toHaveBeenCalledTimes(1);
  });

  it.each(["any", "same_code"] as const)(
    "S1: that could not be written holds nothing back that is scanned within the second after it (%s)",
    async (debounce) => {
      vi.stubGlobal("reportError", vi.fn());
      const { station, device, scan, count, countOne, waitUntilCounted, waitUntilShown } =
        await openStationAlone();
      station.feedback.change({ ...station.feedback.settings(), debounce });
      await countOne();
      vi.spyOn(device, "scan").mockRejectedValueOnce(new DOMException("Full.", "QuotaExceededError"));
      scan(otherShirt);
      await waitUntilShown(messages.notSaved);
      scan(otherShirt, 200);
      await waitUntilCounted(2);
      scan(otherShirt, 200);
      await waitUntilShown(messages.ignoredRepeat);
      expect(count()).toBe(2);
    },
  );

  it("counted, saved, set aside, ignored and not counted are told apart by colour and sound", async () => {
    const { shop, device, scan, sounds, state, countOne, waitUntilShown } = await openStationAlone();
    const told = () => [state().notice?.kind, sounds.at(-1)];
    await countOne();
    expect(told()).toEqual(["success", "beep"]);
    scan(shirt, 200);
    await waitUntilShown(messages.ignoredRepeat);
    expect(told()).toEqual(["ignored", "miss"]);
    scan("unknown-77");
    await waitUntilShown(messages.unknownCode("unknown-77"));
    expect(told()).toEqual(["aside", "buzz"]);
    shop.isAway = true;
    device.connectivity.report(false);
    scan(otherShirt);
    await waitUntilShown(messages.savedLocally);
    expect(told()).toEqual(["saved", "beep"]);
    vi.stubGlobal("reportError", vi.fn());
    vi.spyOn(device, "scan").mockRejectedValue(new DOMException("Full.", "QuotaExceededError"));
    scan(shirt);
    await waitUntilShown(messages.notSaved);
    expect(told()).toEqual(["error", "alarm"]);
  });

  it("that the camera reads behind a dialog is not counted, and told once", async () => {
    const { station, shown, sounds, count, countOne } = await openStationAlone();
    await countOne();
    station.openDialog("finish");
    station.reportBehind(otherShirt);
    station.reportBehind(shirt);
    expect(shown()).toBe(`${messages.readBehind} ${otherShirt}`);
    expect([sounds.at(-1), sounds.length, count()]).toEqual(["alarm", 2, 1]);
  });

  it("before the station is ready is not taken, and an alarm tells so", async () => {
    const { scan, shown, sounds, device } = await openStationAlone();
    scan(shirt);
    expect(shown()).toBe(messages.notReady);
    expect(sounds).toEqual(["alarm"]);
    expect(await device.database.getAll("pendingScans")).toEqual([]);
  });

  it("before the station is ready leaves the banner to READY TO SCAN once it is", async () => {
    const { scan, shown, waitUntilReady } = await openStationAlone();
    scan(shirt);
    expect(shown()).toBe(messages.notReady);
    await waitUntilReady();
    expect(shown()).toBeNull();
  });

  it("of a code that matches several products waits for a choice, and a choice of nothing counts nothing", async () => {
    const { station, scan, state, count, countOne, waitUntilCounted } = await openStationAlone();
    await countOne();
    scan("TWIN");
    const products = state().choice?.products ?? [];
    expect(products.map(({ sku }) => sku)).toEqual(["TWIN-100-12345", "TWIN-200-12345"]);
    station.chooseProduct(null);
    expect([state().choice, count()]).toEqual([null, 1]);
    scan("TWIN");
    station.chooseProduct(products[1] ?? null);
    await waitUntilCounted(2);
    expect(state().tally.at(-1)?.sku).toBe("TWIN-200-12345");
  });
});

describe("opening a station", () => {
  it("S3: without an answer about the device's number counting starts with its own after three seconds", async () => {
    const shop = new ScriptedShop();
    const release = shop.hold("/api/device-max-seq");
    const { device, clock, state, count, countOne, waitUntilShown } = await openStationAlone({ shop });
    await waitUntilShown(null);
    await vi.waitFor(() => expect(shop.requests).toContain("GET /api/device-max-seq"));
    clock.advance(2_999);
    expect(state().isPrepared).toBe(false);
    clock.advance(1);
    await countOne();
    expect(count()).toBe(1);
    expect(await device.database.getAll("pendingScans")).toMatchObject([{ seq: 1 }]);
    release();
  });

  it("twice, as React's strict mode does, listens once", async () => {
    const { station, close, sounds, scan, countOne, waitUntilCounted } = await openStationAlone();
    close();
    const closeAgain = station.start();
    await countOne();
    scan(otherShirt);
    await waitUntilCounted(2);
    expect(sounds).toEqual(["beep", "beep"]);
    closeAgain();
  });

  it("the snapshot is the same until something changes", async () => {
    const { station, countOne, state } = await openStationAlone();
    await countOne();
    const before = state();
    const listener = vi.fn();
    station.subscribe(listener);
    station.onLiveEvent({ type: "scan", storeId: "store-1", sessionId: "session-1", areaId: "area-1" });
    expect(state()).toBe(before);
    expect(listener).not.toHaveBeenCalled();
  });
});

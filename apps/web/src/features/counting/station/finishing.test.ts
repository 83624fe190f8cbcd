import { describe, expect, it, vi } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { messages } from "../messages.ts";
import { countedArea } from "../opening/counting-area.ts";
import { areaOne } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { openStationAlone, otherShirt, shirt } from "../testing/station-harness.ts";
import { unreadText } from "./unread.ts";

describe("finishing", () => {
  it("with a total that matches plays the fanfare and leads back after three seconds, not before", async () => {
    const { station, shop, clock, sounds, exits, shown, state, countOne } = await openStationAlone();
    await countOne();
    station.openDialog("finish");
    await station.finish(1);
    expect(shown()).toBe("Area complete! 1 counted");
    expect([sounds.at(-1), state().dialog, state().block]).toEqual(["fanfare", null, "finished"]);
    expect(shop.scanning.closedAreas.has("A1")).toBe(true);
    clock.advance(2_999);
    expect(exits()).toBe(0);
    clock.advance(1);
    expect(exits()).toBe(1);
  });

  it("a scan after the end, before the dashboard opens, is shown not to count", async () => {
    const { station, scan, count, countOne, shown, sounds } = await openStationAlone();
    await countOne();
    await station.finish(1);
    scan(otherShirt);
    expect(shown()).toContain("Not counted: this area is finished.");
    expect([count(), sounds.at(-1)]).toEqual([1, "alarm"]);
  });

  it("with a total that does not match begins again at zero in the new pass", async () => {
    const { station, shop, scan, shown, sounds, state, countOne, waitUntilCounted, waitUntilSent } =
      await openStationAlone();
    await countOne();
    station.openDialog("finish");
    await station.finish(5);
    expect(shown()).toBe(
      `COUNT MISMATCH! You declared 5 but scanned 1. Please recount. ${messages.mismatchNext}`,
    );
    expect([state().pass, state().dialog, sounds.at(-1)]).toEqual([2, null, "alarm"]);
    await waitUntilCounted(0);
    scan(shirt);
    await waitUntilCounted(1);
    expect(unreadText(state())).toBe("Recount from 0: you declared 5 but scanned 1.");
    await waitUntilSent();
    expect(shop.scanning.scans.at(-1)).toMatchObject({ status: "counted", payload: { pass: 2 } });
  });

  it("a restart says how many that were set aside are to be scanned again too", async () => {
    const { station, scan, shown, state, countOne, waitUntilShown, waitUntilSent } = await openStationAlone();
    await countOne();
    scan("unknown-77");
    await waitUntilShown("UNKNOWN BARCODE");
    await waitUntilSent();
    await station.finish(5);
    expect(shown()).toContain(
      `${messages.mismatchNext} 1 item that was set aside must be scanned again too.`,
    );
    scan(shirt);
    await waitUntilShown("Linen Shirt");
    expect(unreadText(state())).toBe("Recount from 0: you declared 5 but scanned 1.");
  });

  it("S9: offline it waits behind the scans, and the banner shows it", async () => {
    const { station, shop, device, scan, countOne, shown, waitUntilCounted, waitUntilSent } =
      await openStationAlone();
    await countOne();
    shop.isAway = true;
    device.connectivity.report(false);
    scan(otherShirt);
    await waitUntilCounted(2);
    await station.finish(2);
    expect(shown()).toContain(
      "The total is compared when this device is online again. Until then it is safe",
    );
    shop.isAway = false;
    device.connectivity.report(true);
    device.engine.retryNow();
    await waitUntilSent();
    expect(shop.scanning.closedAreas.has("A1")).toBe(true);
  });

  it("S22, S26: for a pass that is over is refused, and counting goes on in the one that there is", async () => {
    const { station, shop, countOne, shown, state, count, waitUntilSent } = await openStationAlone();
    await countOne();
    shop.scanning.nextPass("A1", "AREA_RESET");
    station.openDialog("finish");
    await station.finish(1);
    expect(shop.requests).toContain("POST /api/area/finish");
    expect(shown()).toContain("This area was restarted.");
    expect([state().pass, state().dialog, state().block, count()]).toEqual([2, null, null, 0]);
    await countOne();
    await waitUntilSent();
    expect(shop.scanning.scans.at(-1)).toMatchObject({ status: "counted", payload: { pass: 2 } });
  });

  it.each([
    ["closed", { status: "closed" }, "This area is closed."],
    ["started again", { pass: 2 }, "This area was restarted."],
  ] as const)(
    "news that the area was %s, which comes while a total is submitted, is told once it is",
    async (_what, change, text) => {
      const harness = await openStationAlone();
      const { station, shop, client, state, scan, waitUntilShown } = harness;
      await harness.countOne();
      scan("unknown-77");
      await waitUntilShown("UNKNOWN BARCODE");
      await harness.waitUntilSent();
      station.openDialog("finish");
      const release = shop.hold("/api/area/session-1/A1");
      const asked = station.finish(2);
      expect(state().isFinishing).toBe(true);
      shop.areas = shop.areas.map((area) => (area.code === "A1" ? { ...area, ...change } : area));
      await client.invalidateQueries({ queryKey: [queryRoots.areas] });
      await expect.poll(() => client.isFetching()).toBe(0);
      expect(state().isFinishing).toBe(true);
      release();
      await asked;
      await waitUntilShown(text);
      expect([state().finishQuestion, state().dialog]).toEqual([null, null]);
    },
  );

  it("that the device cannot keep rejects, and leaves the dialog open", async () => {
    const { station, device, state, countOne } = await openStationAlone();
    await countOne();
    station.openDialog("finish");
    vi.spyOn(device, "operate").mockRejectedValue(new Error("QuotaExceededError"));
    await expect(station.finish(1)).rejects.toThrow("QuotaExceededError");
    expect([state().dialog, state().isFinishing, state().block]).toEqual(["finish", false, null]);
  });
});

describe("an area whose finish waits", () => {
  it("S26: shows so where the back button leads into it, also where the products could not be freshened", async () => {
    const shop = new ScriptedShop();
    const first = await openStationAlone({ shop });
    await first.countOne();
    first.close();
    shop.isAway = true;
    await first.device.operate({ kind: "finish", area: countedArea(areaOne, 1), declaredTotal: 1 });
    const freshened = () => shop.requests.filter((path) => path === "GET /api/products/map").length;
    const before = freshened();
    const { device, waitUntilShown } = await openStationAlone({ shop, device: first.device });
    await expect.poll(freshened).toBeGreaterThan(before);
    await waitUntilShown("The total of this area has not reached the server yet.");
    await expect.poll(() => device.connectivity.isOnline()).toBe(false);
    await waitUntilShown("The total of this area has not reached the server yet.");
  });
});

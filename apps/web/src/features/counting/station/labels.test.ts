import { areaLabelOf } from "@stocktake/contract";
import { describe, expect, it, vi } from "vitest";
import { areaIds, label, labelledShop, unknownLabel } from "../testing/labelled-shop.ts";
import { areaOne } from "../testing/scripted-device.ts";
import { openStationAlone, type StationHarness, shirt } from "../testing/station-harness.ts";

async function openArea(): Promise<StationHarness> {
  const area = { ...areaOne, areaId: areaIds.open };
  const harness = await openStationAlone({ shop: labelledShop(), area });
  await harness.countOne();
  return harness;
}

describe("an area's label at the station", () => {
  it("of the current area shows You are in this area", async () => {
    const { scan, state, sounds, opened, waitUntilShown } = await openArea();
    scan(label("open"));
    await waitUntilShown("You are in this area");
    expect([state().notice?.kind, sounds.at(-1), opened]).toEqual(["info", "knock", []]);
  });

  it("of a completed area shows so and opens nothing", async () => {
    const { scan, state, sounds, opened, waitUntilShown } = await openArea();
    scan(label("closed"));
    await waitUntilShown("Area A3 is completed");
    expect([state().notice?.kind, sounds.at(-1), opened]).toEqual(["error", "alarm", []]);
  });

  it.each([
    ["no area", unknownLabel],
    ["another store's area", label("elsewhere")],
  ])("of %s is refused in red and is never sent as a scan", async (_whose, code) => {
    const { shop, scan, state, waitUntilShown, waitUntilCounted, waitUntilSent } = await openArea();
    scan(code);
    await waitUntilShown("This label does not belong to any area of this store");
    expect(state().notice?.kind).toBe("error");
    scan(shirt);
    await waitUntilCounted(2);
    await waitUntilSent();
    expect(shop.scanning.scans.map(({ payload }) => payload.input)).toEqual([shirt, shirt]);
  });

  it("opens an area that was added after the page was opened", async () => {
    const { shop, scan, opened } = await openArea();
    const [first] = shop.areas;
    if (first === undefined) throw new Error("No areas.");
    const added = "bf629f51-c708-4fac-9f54-aa0000000006";
    shop.areas = [...shop.areas, { ...first, _id: added, code: "A7" }];
    scan(areaLabelOf(added));
    await expect.poll(() => opened).toMatchObject([{ areaId: added, area: { code: "A7" } }]);
  });

  it("works without the server, from the areas that the device cached", async () => {
    const { shop, device, scan, opened } = await openArea();
    await vi.waitFor(() => expect(shop.requests).toContain("GET /api/areas"));
    shop.isAway = true;
    device.connectivity.report(false);
    scan(label("stockroom"));
    await expect.poll(() => opened).toMatchObject([{ areaId: areaIds.stockroom, area: { code: "S1" } }]);
  });

  it("of an area that was merged opens the other, without the server too, which may be the one here", async () => {
    const shop = labelledShop();
    const gone = "bf629f51-c708-4fac-9f54-aa0000000006";
    shop.areas = shop.areas.map((area) =>
      area._id === areaIds.fresh ? { ...area, mergedIds: [gone] } : area,
    );
    const area = { ...areaOne, areaId: areaIds.open };
    const { device, countOne, scan, opened } = await openStationAlone({ shop, area });
    await countOne();
    await vi.waitFor(() => expect(shop.requests).toContain("GET /api/areas"));
    shop.isAway = true;
    device.connectivity.report(false);
    scan(areaLabelOf(gone));
    await expect.poll(() => opened).toMatchObject([{ areaId: areaIds.fresh, area: { code: "A4" } }]);
  });

  it("opens the next area while a completed one is still shown, and then nobody is led away", async () => {
    const { shop, station, clock, scan, exits, opened, shown } = await openArea();
    await station.finish(1);
    expect(shown()).toContain("Area complete!");
    const release = shop.hold("/api/session");
    scan(label("fresh"));
    clock.advance(3_000);
    expect(exits()).toBe(0);
    release();
    await expect.poll(() => opened).toMatchObject([{ areaId: areaIds.fresh }]);
  });

  it("takes nothing for the area being left while the next one opens", async () => {
    const { shop, scan, shown, opened } = await openArea();
    const release = shop.hold("/api/session");
    scan(label("fresh"));
    expect(shown()).toBe("Opening the area of this label");
    scan(shirt);
    expect(shown()).toContain("That scan was not counted: scan it again there");
    release();
    await expect.poll(() => opened).toMatchObject([{ areaId: areaIds.fresh }]);
    expect(shop.scanning.scans).toHaveLength(1);
  });

  it("of an area in progress asks first; the question can be cancelled, or answered by resetting", async () => {
    const { station, shop, scan, state, opened, device } = await openArea();
    scan(label("begun"));
    await expect.poll(() => state().opening.question?.area.areaId).toBe(areaIds.begun);
    station.opening.cancel();
    expect([state().opening.question, opened]).toEqual([null, []]);
    scan(label("begun"));
    await expect.poll(() => state().opening.question?.area.areaId).toBe(areaIds.begun);
    await station.opening.reset();
    expect(opened).toMatchObject([{ areaId: areaIds.begun, pass: 2 }]);
    expect(shop.scanning.passOf("A2")).toBe(2);
    const resets = await device.database.getAll("pendingSubmissions");
    expect(resets).toMatchObject([{ kind: "reset", madeById: expect.any(String) }]);
  });
});

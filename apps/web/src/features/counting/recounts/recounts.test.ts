import { expect, it, vi } from "vitest";
import { deviceRoots } from "../lists/counter-queries.ts";
import { unreadText } from "../station/unread.ts";
import { areaOne, mia } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { openStationAlone, type StationHarness } from "../testing/station-harness.ts";

const requestedAt = "2026-03-01T10:00:00.000Z";

/** An administrator asks for an area to be counted again; the phone reads the areas anew, as it does on the event. */
async function request(
  { shop, client }: Pick<StationHarness, "shop" | "client">,
  id: string,
  reason: string | null,
) {
  shop.areas = shop.areas.map((area) =>
    area._id === id
      ? {
          ...area,
          ...{
            status: "not_started",
            pass: 2,
            recount: { pass: 2, reason, requestedAt, requestedBy: "admin" },
          },
        }
      : area,
  );
  await client.invalidateQueries({ queryKey: [deviceRoots.book] });
}

/** An open station whose phone has read what there is to count. */
async function openReady(opening: Parameters<typeof openStationAlone>[0] = {}): Promise<StationHarness> {
  const station = await openStationAlone(opening);
  await station.waitUntilReady();
  const book = [deviceRoots.book, mia._id];
  await vi.waitFor(() => expect(station.client.getQueryData(book)).toBeDefined());
  return station;
}

const calls = ({ sounds }: StationHarness) => sounds.filter((sound) => sound === "call").length;

it("S34: a request for another area is called out at once, with its reason, and once", async () => {
  const station = await openReady();
  await request(station, "area-3", "The top shelf was left out.");
  await station.waitUntilShown(
    "Area A3 - Area A3 is to be counted again In Sales Floor. The top shelf was left out. You did not count there: go on here.",
  );
  expect(calls(station)).toBe(1);
  await station.countOne();
  await station.client.invalidateQueries({ queryKey: [deviceRoots.book] });
  expect(calls(station)).toBe(1);
  station.close();
  const { shop, device } = station;
  const reloaded = await openReady({ shop, device });
  await request(reloaded, "area-2", null);
  await reloaded.waitUntilShown("Area A2 - Area A2 is to be counted again In Sales Floor.");
  expect(calls(reloaded)).toBe(1);
});

it("S34: a phone that was away is told when it is back", async () => {
  const shop = new ScriptedShop();
  shop.isAway = true;
  const station = await openStationAlone({ shop, isSynced: false });
  await request(station, "area-3", "Count it again");
  expect(station.shown() ?? "").not.toContain("to be counted again");
  shop.isAway = false;
  await station.client.invalidateQueries();
  await station.waitUntilShown("Area A3 - Area A3 is to be counted again");
  expect(calls(station)).toBe(1);
});

it("of the area that is open, its new pass tells, with the reason, cut where it would hide the count", async () => {
  const station = await openReady();
  await station.countOne();
  await request(station, areaOne.areaId, `The wrong shelf ${"x".repeat(400)}`);
  await station.client.invalidateQueries();
  await station.waitUntilShown("The administrator asks for this area to be counted again: The wrong shelf");
  expect(station.shown()).toMatch(/x…$/);
  expect(station.shown()?.length).toBeLessThan(200);
  expect(station.count()).toBe(0);
  expect(calls(station)).toBe(0);
});

it("whom it concerns is told why, and keeps it in sight while scanning on; others go on", async () => {
  const first = await openReady();
  await first.countOne();
  first.close();
  const { shop, device } = first;
  const station = await openReady({ shop, device, area: { ...areaOne, areaId: "area-2" } });
  const unread = () => unreadText(station.state());
  await request(station, "area-3", null);
  await station.waitUntilShown("Area A3 - Area A3 is to be counted again");
  expect(station.shown()).toContain("You did not count there: go on here.");
  await station.countOne();
  expect(unread()).toBeNull();
  await request(station, "area-1", null);
  await station.waitUntilShown("You counted there: finish here, then count it again from zero.");
  await station.countOne();
  expect(unread()).toBe("Area A1 - Area A1 is to be counted again");
});

it("S34: each request stays in sight until it is tapped away, one after the other, behind what happened to the area itself", async () => {
  const shop = new ScriptedShop();
  const assigned = { mine: true, names: ["Mia"], enforced: false };
  shop.areas = shop.areas.map((area) => (area._id === areaOne.areaId ? area : { ...area, assigned }));
  const station = await openReady({ shop });
  const unread = () => unreadText(station.state());
  for (const id of ["area-2", "area-3"]) {
    await request(station, id, null);
    await station.waitUntilShown("It is assigned to you: finish here, then count it again from zero.");
    await station.countOne();
  }
  shop.scanning.nextPass("A1", "AREA_REOPENED");
  await request(station, areaOne.areaId, null);
  await station.client.invalidateQueries();
  await station.waitUntilShown("The administrator asks for this area to be counted again");
  await station.countOne();
  const tapped = [unread()];
  for (let taps = 0; taps < 3; taps += 1) {
    station.station.dismissUnread();
    tapped.push(unread());
  }
  expect(tapped).toEqual([
    expect.stringMatching(/^Restarted: your count is back to 0\./),
    "Area A2 - Area A2 is to be counted again",
    "Area A3 - Area A3 is to be counted again",
    null,
  ]);
});

it("an area that is assigned to somebody is theirs to count again", async () => {
  const shop = new ScriptedShop();
  shop.areas = shop.areas.map((area) =>
    area._id === "area-3" ? { ...area, assigned: { mine: true, names: ["Mia"], enforced: false } } : area,
  );
  const station = await openReady({ shop });
  await request(station, "area-3", null);
  await station.waitUntilShown("It is assigned to you: finish here, then count it again from zero.");
});

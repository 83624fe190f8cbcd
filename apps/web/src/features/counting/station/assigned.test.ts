import { describe, expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { countedArea } from "../opening/counting-area.ts";
import { areaOne } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { openStationAlone, shirt } from "../testing/station-harness.ts";

const anas = { names: ["Ana"], mine: false, enforced: true };

describe("an area that is assigned to others alone", () => {
  it("S40: stops counting here as soon as the device hears of it; what was scanned before is kept and sent", async () => {
    const { shop, client, countOne, scan, state, count, sounds, waitUntilShown } = await openStationAlone();
    await countOne();
    const [first, ...others] = shop.areas;
    if (first === undefined) throw new Error("No areas.");
    shop.areas = [{ ...first, status: "in_progress", assigned: anas }, ...others];
    await client.invalidateQueries({ queryKey: [queryRoots.areas] });
    await waitUntilShown("now assigned to Ana. What you scanned here counts.");
    expect(state().block).toBe("area_assigned");
    scan(shirt);
    expect([count(), sounds.at(-1), shop.scanning.scans.length]).toEqual([1, "alarm", 1]);
  });

  it("goes on where it is a suggestion, or this person's too", async () => {
    const shop = new ScriptedShop();
    const { client, countOne, state } = await openStationAlone({ shop });
    for (const assigned of [
      { ...anas, enforced: false },
      { ...anas, mine: true },
    ]) {
      shop.areas = shop.areas.map((each) => (each.code === "A1" ? { ...each, assigned } : each));
      await client.invalidateQueries({ queryKey: [queryRoots.areas] });
      await countOne();
      expect(state().block).toBeNull();
    }
  });

  it("S40: does not open where the server says so, whatever the device had read", async () => {
    const shop = new ScriptedShop();
    shop.openingRefused = "This area is assigned to Ana.";
    const { state, waitUntilShown } = await openStationAlone({ shop });
    await waitUntilShown("This area is assigned to Ana.");
    expect(state().block).toBe("area_assigned");
  });

  it("S40: stops counting by the refusal of a reset alone, though the network fails right after it", async () => {
    const { shop, device, state, waitUntilReady, waitUntilShown } = await openStationAlone({
      area: { ...areaOne, pass: 2 },
    });
    await waitUntilReady();
    const error = "This area is assigned to Ana, so it was not started again.";
    shop.scanning.chance = ({ path }) => {
      if (path !== "/api/area/reset") return { kind: "request_lost" };
      return { kind: "answers", status: 409, body: { error, code: "AREA_ASSIGNED" } };
    };
    await device.operate({ kind: "reset", area: countedArea(areaOne, 1) });
    await waitUntilShown(error);
    expect(state().block).toBe("area_assigned");
  });
});

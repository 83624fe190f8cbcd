import { describe, expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
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
});

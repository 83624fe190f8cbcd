import { areaLabelOf } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { type CounterHarness, openCounter, openStation, placeOne } from "./testing/counter-harness.tsx";
import {
  allSent,
  banner,
  bannerSays,
  burst,
  count,
  countBecomes,
  scannerInEachTest,
  shirt,
} from "./testing/scanning-hand.ts";
import { ScriptedShop } from "./testing/scripted-shop.ts";

const ids = {
  open: "0b7f8f0e-1f62-4c43-9d7e-3fa85f64afa6",
  fresh: "6a1d5b6c-92b5-4a59-8a0f-2c963f66afa7",
  begun: "7c2e6b1d-83c4-4b68-9b10-aa0000000002",
  closed: "8d3f7c2e-94d5-4c79-8c21-aa0000000003",
  stockroom: "9e407d3f-a5e6-4d8a-9d32-aa0000000004",
  elsewhere: "af518e40-b6f7-4e9b-8e43-aa0000000005",
};
const label = (area: keyof typeof ids) => areaLabelOf(ids[area]);
const unknownLabel = "AREAFFFFFFFFFFFF";

/** The scripted shop with areas whose ids bear labels: four here, one at another location, one in another store. */
function labelledShop(): ScriptedShop {
  const shop = new ScriptedShop();
  const [first, begun, closed] = shop.areas;
  if (first === undefined || begun === undefined || closed === undefined) throw new Error("No areas.");
  shop.areas = [
    { ...first, _id: ids.open },
    { ...first, _id: ids.fresh, code: "A4" },
    { ...begun, _id: ids.begun },
    { ...closed, _id: ids.closed },
    { ...first, _id: ids.stockroom, code: "S1", locationId: "location-2" },
    { ...first, _id: ids.elsewhere, code: "X1", locationId: "location-9" },
  ];
  return shop;
}

const hand = scannerInEachTest();

describe("an area's label on the scan screen", () => {
  async function openArea(): Promise<CounterHarness> {
    const harness = await openStation({ shop: labelledShop(), state: { ...placeOne, areaId: ids.open } });
    await hand.firstScan();
    return harness;
  }

  it("leaves the present area, whose scans stay, and opens the one it names, at another location too", async () => {
    const harness = await openArea();
    await hand.scan(label("stockroom"));
    await screen.findByRole("heading", { name: "Area S1 - Area A1" });
    expect(harness.state()).toMatchObject({
      areaId: ids.stockroom,
      locationId: "location-2",
      location: { name: "Stockroom" },
      sessionId: "session-1",
    });
    await screen.findByText("READY TO SCAN");
    await hand.scan(shirt);
    await countBecomes("1");
    await allSent(harness);
    expect(harness.shop.scanning.scans.map(({ payload }) => payload.areaCode)).toEqual(["A1", "S1"]);
    expect(harness.shop.scanning.inputs()).toEqual([shirt, shirt]);
  });

  it("of an area in progress asks for Continue Counting, Reset Area or Cancel; Cancel stays", async () => {
    const harness = await openArea();
    await hand.scan(label("begun"));
    const dialog = await screen.findByRole("dialog", { name: "Area A2 is in progress" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(banner()?.textContent).toContain("READY TO SCAN");
    expect(count()).toBe("1");
    await hand.scan(label("begun"));
    await userEvent.click(await screen.findByRole("button", { name: "Continue Counting" }));
    await screen.findByRole("heading", { name: "Area A2 - Area A2" });
    expect(harness.state()).toMatchObject({ areaId: ids.begun, pass: 1 });
  });

  it("of the present area says You are in this area", async () => {
    await openArea();
    await hand.scan(label("open"));
    await bannerSays("You are in this area");
    expect(banner()?.getAttribute("data-state")).toBe("info");
  });

  it("of a completed area says so and opens nothing", async () => {
    const harness = await openArea();
    await hand.scan(label("closed"));
    await bannerSays("Area A3 is completed");
    expect(banner()?.getAttribute("data-state")).toBe("error");
    expect(harness.state()).toMatchObject({ areaId: ids.open });
  });

  it.each([
    ["no area", unknownLabel],
    ["another store's area", label("elsewhere")],
  ])("of %s is refused in red and is never sent as a scan", async (_whose, code) => {
    const harness = await openArea();
    await hand.scan(code);
    await bannerSays("This label belongs to no area of this store");
    expect(banner()?.getAttribute("data-state")).toBe("error");
    await hand.scan(shirt);
    await countBecomes("2");
    await allSent(harness);
    expect(harness.shop.scanning.scans.map(({ payload }) => payload.input)).toEqual([shirt, shirt]);
  });

  it("opens an area that was added after the page was opened", async () => {
    const harness = await openArea();
    const [first] = harness.shop.areas;
    if (first === undefined) throw new Error("No areas.");
    const added = "bf629f51-c708-4fac-9f54-aa0000000006";
    harness.shop.areas = [...harness.shop.areas, { ...first, _id: added, code: "A7" }];
    await hand.scan(areaLabelOf(added));
    await screen.findByRole("heading", { name: "Area A7 - Area A1" });
  });

  it("works without the server, from the areas that the device kept", async () => {
    const harness = await openArea();
    await allSent(harness);
    await waitFor(() => expect(harness.shop.requests).toContain("GET /api/areas"));
    harness.shop.isAway = true;
    void harness.device.connectivity.probe();
    await screen.findByText("Offline");
    await hand.scan(label("stockroom"));
    await screen.findByRole("heading", { name: "Area S1 - Area A1" });
    await hand.scan(shirt);
    await countBecomes("1");
  });

  it("opens the next area while a completed one is still shown", async () => {
    await openArea();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await userEvent.type(
      await screen.findByLabelText("How many items do you think you scanned in this area?"),
      "1",
    );
    await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
    await screen.findByText("Area complete!");
    await hand.scan(label("fresh"));
    await screen.findByRole("heading", { name: "Area A4 - Area A1" });
  });

  it("takes nothing for the area being left while the next one opens", async () => {
    const harness = await openArea();
    const release = harness.shop.hold("/api/session");
    await hand.scan(label("fresh"));
    await bannerSays("Opening the area of this label");
    await hand.scan(shirt);
    await bannerSays("That scan was not taken: scan it again there");
    release();
    await screen.findByRole("heading", { name: "Area A4 - Area A1" });
    await allSent(harness);
    expect(harness.shop.scanning.scans).toHaveLength(1);
  });
});

describe("a scan on the dashboard", () => {
  async function openDashboard(): Promise<CounterHarness> {
    const harness = await openCounter({ path: "/counter", shop: labelledShop() });
    await screen.findByRole("radio", { name: "Harbour Street" });
    return harness;
  }

  it("of an area's label opens the area without a choice", async () => {
    const harness = await openDashboard();
    expect(burst(label("fresh"))).toBe(false);
    await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
    expect(harness.state()).toMatchObject({ areaId: ids.fresh, storeId: "store-1", pass: 1 });
  });

  it("of several labels one upon the other opens the area of the first", async () => {
    const harness = await openDashboard();
    const release = harness.shop.hold("/api/session");
    burst(label("fresh"));
    burst(label("begun"));
    await screen.findByText(/The area of a label is opening\. That scan was not taken/);
    release();
    await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
    expect(harness.state()).toMatchObject({ areaId: ids.fresh });
    await screen.findByRole("heading", { name: "Area A4 - Area A1" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("of the label of an area in progress asks first; another scan meanwhile decides nothing", async () => {
    const harness = await openDashboard();
    burst(label("begun"));
    const dialog = await screen.findByRole("dialog", { name: "Area A2 is in progress" });
    within(dialog).getByRole("button", { name: "Continue Counting" }).focus();
    expect(burst(shirt)).toBe(false);
    await screen.findByText("Decide about this area first. That scan was not taken.");
    expect(harness.path()).toBe("/counter");
  });

  it("of a label of no area, and of a completed area, is refused and says why", async () => {
    const harness = await openDashboard();
    burst(unknownLabel);
    await screen.findByText("This label belongs to no area of this store");
    burst(label("closed"));
    await screen.findByText(/Area A3 is completed/);
    expect(harness.path()).toBe("/counter");
  });

  it("of an item says that nothing was counted, presses nothing and leaves no trace in a field", async () => {
    const harness = await openDashboard();
    screen.getByRole("button", { name: "Start Counting Area" }).focus();
    expect(burst(shirt)).toBe(false);
    await screen.findByText(/Nothing was counted: start an area first/);
    expect(harness.path()).toBe("/counter");
    expect(harness.shop.scanning.scans).toEqual([]);
  });
});

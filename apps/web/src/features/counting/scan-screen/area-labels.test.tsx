import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { type CounterHarness, openCounter, openStation } from "../testing/counter-harness.tsx";
import { areaIds, label, labelledShop, unknownLabel } from "../testing/labelled-shop.ts";
import {
  allSent,
  banner,
  burst,
  count,
  countBecomes,
  scannerInEachTest,
  shirt,
} from "../testing/scanning-hand.ts";
import { areaOne } from "../testing/scripted-device.ts";

const hand = scannerInEachTest();

describe("an area's label on the scan screen", () => {
  async function openArea(): Promise<CounterHarness> {
    const harness = await openStation({ shop: labelledShop(), state: { ...areaOne, areaId: areaIds.open } });
    await hand.firstScan();
    return harness;
  }

  it("leaves the current area, whose scans stay, and opens the one it names, at another location too", async () => {
    const harness = await openArea();
    await hand.scan(label("stockroom"));
    await screen.findByRole("heading", { name: "Area S1 - Area A1" });
    expect(harness.state()).toMatchObject({
      areaId: areaIds.stockroom,
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
    await screen.findByRole("dialog", { name: "Area A2 is in progress" });
    await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
    expect(banner()?.textContent).toBe("READY TO SCAN");
    expect(count()).toBe("1");
    await hand.scan(label("begun"));
    await userEvent.click(await screen.findByRole("button", { name: "Continue Counting" }));
    await screen.findByRole("heading", { name: "Area A2 - Area A2" });
    expect(harness.state()).toMatchObject({ areaId: areaIds.begun, pass: 1 });
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
    expect(harness.state()).toMatchObject({ areaId: areaIds.fresh, storeId: "store-1", pass: 1 });
  });

  it("of several labels one upon the other opens the area of the first", async () => {
    const harness = await openDashboard();
    const release = harness.shop.hold("/api/session");
    burst(label("fresh"));
    burst(label("begun"));
    await screen.findByText(/The area of a label is opening\. That scan was not counted/);
    release();
    await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
    expect(harness.state()).toMatchObject({ areaId: areaIds.fresh });
    await screen.findByRole("heading", { name: "Area A4 - Area A1" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("of the label of an area in progress asks first; another scan meanwhile decides nothing", async () => {
    const harness = await openDashboard();
    burst(label("begun"));
    const dialog = await screen.findByRole("dialog", { name: "Area A2 is in progress" });
    within(dialog).getByRole("button", { name: "Continue Counting" }).focus();
    expect(burst(shirt)).toBe(false);
    await screen.findByText("Decide about this area first. That scan was not counted.");
    expect(harness.path()).toBe("/counter");
  });

  it("of a label of no area, and of a completed area, is refused and shows why", async () => {
    const harness = await openDashboard();
    burst(unknownLabel);
    await screen.findByText("This label does not belong to any area of this store");
    burst(label("closed"));
    await screen.findByText(/Area A3 is completed/);
    expect(harness.path()).toBe("/counter");
  });

  it("of an item shows that nothing was counted, presses nothing and leaves no trace in a field", async () => {
    const harness = await openDashboard();
    screen.getByRole("button", { name: "Start Counting Area" }).focus();
    expect(burst(shirt)).toBe(false);
    await screen.findByText(/Nothing was counted: start an area first/);
    expect(harness.path()).toBe("/counter");
    expect(harness.shop.scanning.scans).toEqual([]);
  });
});

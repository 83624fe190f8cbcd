import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { holdTimers } from "../../../testing/hold-timers.ts";
import { messages } from "../messages.ts";
import { storeActiveArea } from "../opening/last-area.ts";
import { type CounterHarness, openCounter } from "../testing/counter-harness.tsx";
import { areaOne, mia } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";

async function selectStoreAndLocation(): Promise<void> {
  await userEvent.click(await screen.findByRole("radio", { name: "Harbour Street" }));
  await userEvent.click(await screen.findByRole("radio", { name: "Sales Floor" }));
}

async function selectArea(name: RegExp): Promise<void> {
  await selectStoreAndLocation();
  await userEvent.click(await screen.findByRole("radio", { name }));
}

const start = () => userEvent.click(screen.getByRole("button", { name: "Start Counting Area" }));

async function openDashboard(
  opening: { shop?: ScriptedShop; isSynced?: boolean } = {},
): Promise<CounterHarness> {
  const harness = await openCounter({ path: "/counter", ...opening });
  await screen.findByRole("heading", { name: "Counter Dashboard" });
  return harness;
}

describe("starting an area", () => {
  it("needs store, location and area [spec:5.start.select]", async () => {
    await openDashboard();
    await start();
    await screen.findByText("Please select store, location, and area");
  });

  it("needs an active session for the store [spec:4.session.active][spec:5.start.needs][spec:8.start.session]", async () => {
    const shop = new ScriptedShop();
    shop.hasSession = false;
    await openDashboard({ shop });
    await selectArea(/A1/);
    await start();
    await screen.findByText(
      "No active counting session for this store. Please ask admin to start a session.",
    );
  });

  it("needs synced products, and syncing shows how many came [spec:2.counter.products][spec:4.products][spec:8.start.sync][spec:8.products.done]", async () => {
    const shop = new ScriptedShop();
    shop.hasProducts = false;
    const harness = await openDashboard({ shop, isSynced: false });
    await selectArea(/A1/);
    await screen.findByText("The server is busy.");
    await start();
    await screen.findByText("Please sync products before starting to count");
    shop.hasProducts = true;
    await userEvent.click(screen.getByRole("button", { name: "Sync Products" }));
    await screen.findByText("Successfully synced 4 products for offline use!");
    await start();
    await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
  });

  it("scrolls to the missing step and the focus to it, and takes the error away once the step is taken", async () => {
    const shown = vi.spyOn(Element.prototype, "scrollIntoView");
    const shop = new ScriptedShop();
    shop.hasOtherStore = true;
    shop.hasProducts = false;
    await openDashboard({ shop, isSynced: false });
    const store = await screen.findByRole("radio", { name: "Harbour Street" });
    await start();
    await screen.findByText("Please select store, location, and area");
    expect(document.activeElement).toBe(store);
    await selectStoreAndLocation();
    const area = await screen.findByRole("radio", { name: /A1/ });
    await start();
    expect(document.activeElement).toBe(area);
    await userEvent.click(area);
    expect(screen.queryByText("Please select store, location, and area")).toBeNull();
    await start();
    await screen.findByText("Please sync products before starting to count");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Sync Products" }));
    expect(shown).toHaveBeenCalledTimes(3);
    shop.hasProducts = true;
    await userEvent.click(screen.getByRole("button", { name: "Sync Products" }));
    await waitFor(() =>
      expect(screen.queryByText("Please sync products before starting to count")).toBeNull(),
    );
  });

  it("syncing needs a store [spec:8.start.store]", async () => {
    const shop = new ScriptedShop();
    shop.hasOtherStore = true;
    await openDashboard({ shop });
    await userEvent.click(screen.getByRole("button", { name: "Sync Products" }));
    await screen.findByText("Please select a store first");
  });

  it("gives the scan screen the specification's route state, with the session and the pass [spec:2.counter.steps][spec:2.counter.start][spec:2.scan.state]", async () => {
    const harness = await openDashboard();
    await selectArea(/A1/);
    await start();
    await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
    expect(harness.state()).toEqual(areaOne);
  });

  it("a closed area cannot be chosen [spec:4.area.closed]", async () => {
    await openDashboard();
    await selectStoreAndLocation();
    expect(await screen.findByRole("radio", { name: /A3/ })).toHaveProperty("disabled", true);
  });
});

describe("an area in progress", () => {
  async function ask(): Promise<HTMLElement> {
    await selectArea(/A2/);
    await start();
    return screen.findByRole("dialog", { name: "Area A2 is in progress" });
  }

  it("asks, and names who counted there, on how many devices, and when [spec:2.counter.reset]", async () => {
    const harness = await openDashboard();
    const dialog = await ask();
    expect(dialog.textContent).toMatch(/Mia and Tom counted here on 2 devices, last on .*2026/);
    await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
    expect(harness.path()).toBe("/counter");
  });

  it("Continue Counting goes on in the same pass", async () => {
    const harness = await openDashboard();
    await ask();
    await userEvent.click(await screen.findByRole("button", { name: "Continue Counting" }));
    await waitFor(() => expect(harness.state()).toMatchObject({ areaId: "area-2", pass: 1 }));
  });

  it("Reset Area voids the pass on the server and starts in the new one [spec:4.area.reset]", async () => {
    const harness = await openDashboard();
    await ask();
    await userEvent.click(await screen.findByRole("button", { name: "Reset Area" }));
    await waitFor(() => expect(harness.state()).toMatchObject({ areaId: "area-2", pass: 2 }));
    expect(harness.shop.scanning.passOf("A2")).toBe(2);
  });

  it("a refused reset shows Failed to reset area and why, and stays [spec:8.reset]", async () => {
    const harness = await openDashboard();
    harness.shop.scanning.closedAreas.add("A2");
    await ask();
    await userEvent.click(await screen.findByRole("button", { name: "Reset Area" }));
    await screen.findByText("Failed to reset area: Refused: AREA_CLOSED.");
    expect(harness.path()).toBe("/counter");
  });

  it("S15: without the server, Reset Area waits in the queue and counting starts in the expected pass", async () => {
    const harness = await openDashboard();
    await ask();
    harness.shop.isAway = true;
    harness.device.connectivity.report(false);
    await userEvent.click(await screen.findByRole("button", { name: "Reset Area" }));
    await waitFor(() => expect(harness.state()).toMatchObject({ areaId: "area-2", pass: 2 }));
    expect(harness.device.queue.state().pending).toBe(1);
  });
});

describe("what the device remembers", () => {
  it("S24: starts without the server from its cached lists", async () => {
    const first = await openDashboard();
    await selectArea(/A1/);
    document.body.innerHTML = "";
    first.shop.isAway = true;
    const harness = await openCounter({ path: "/counter", shop: first.shop, device: first.device });
    await userEvent.click(await screen.findByRole("radio", { name: /A1/ }));
    await start();
    await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
  });

  it("offers Resume Area after a crash", async () => {
    const harness = await openDashboard();
    await storeActiveArea(harness.device.database, mia._id, { ...areaOne, pass: 3 });
    await harness.client.invalidateQueries({ queryKey: ["device-held"] });
    await userEvent.click(await screen.findByRole("button", { name: "Resume Area" }));
    await waitFor(() => expect(harness.state()).toMatchObject({ areaId: "area-1", pass: 3 }));
  });

  it("S26: a queued finish blocks its area; its mismatch leaves Recount needed", async () => {
    const harness = await openDashboard();
    const { areaId, sessionId, storeId, locationId } = areaOne;
    const area = { areaId, sessionId, storeId, locationId, areaCode: "A1", pass: 1 };
    harness.shop.scanning.chance = () => ({ kind: "request_lost" });
    await harness.device.operate({ kind: "finish", area, declaredTotal: 9 });
    await selectArea(/A1/);
    await screen.findByText("Finish pending");
    await screen.findByText("Not compared yet: area A1 - Area A1");
    await start();
    await screen.findByText(/The total of this area has not reached the server yet/);
    harness.shop.scanning.chance = () => null;
    harness.device.engine.retryNow();
    await screen.findByText("Recount needed");
    const sentence = `You declared 9 but scanned 0. Count the area again from zero. ${messages.scansKept}`;
    expect(await screen.findAllByText(sentence)).toHaveLength(2);
    screen.getByText("Recount needed: area A1 - Area A1");
    await userEvent.click(screen.getByRole("button", { name: "Count Again" }));
    await waitFor(() => expect(harness.state()).toMatchObject({ areaId: "area-1", pass: 2 }));
  });
});

describe("what the server has of an area", () => {
  function shopWith(change: Partial<ScriptedShop["areas"][number]>): ScriptedShop {
    const shop = new ScriptedShop();
    shop.areas = shop.areas.map((area) => (area.code === "A2" ? { ...area, ...change } : area));
    return shop;
  }

  it("an area that needs a recount is started at zero without a question", async () => {
    const shop = shopWith({ recountNeeded: true, activity: null, pass: 4 });
    const harness = await openDashboard({ shop });
    await selectArea(/A2/);
    await screen.findByText(/^The declared total did not match\. Count the area again from zero\./);
    await start();
    await waitFor(() => expect(harness.state()).toMatchObject({ areaId: "area-2", pass: 4 }));
    expect(harness.shop.requests).not.toContain("POST /api/area/reset");
  });

  it("an area in progress where nothing is counted offers to start, not to continue", async () => {
    const harness = await openDashboard({ shop: shopWith({ activity: null }) });
    await selectArea(/A2/);
    await start();
    const dialog = within(await screen.findByRole("dialog", { name: "Area A2 is in progress" }));
    expect(dialog.queryByRole("button", { name: "Continue Counting" })).toBeNull();
    await userEvent.click(await screen.findByRole("button", { name: "Start Counting" }));
    await waitFor(() => expect(harness.state()).toMatchObject({ areaId: "area-2", pass: 1 }));
  });

  it("scans of this device that the list does not have yet are continued", async () => {
    const harness = await openDashboard({ shop: shopWith({ activity: null }) });
    const { sessionId, storeId, locationId } = areaOne;
    const area = { areaId: "area-2", sessionId, storeId, locationId, areaCode: "A2", pass: 1 };
    await harness.device.scan({
      ...{ area, input: "4006381333931", inputType: "barcode", method: "scan", scannedById: mia._id },
      ...{ localOutcome: "counted", sku: "SHIRT-M", productTitle: "Linen Shirt", size: "M" },
    });
    await selectArea(/A2/);
    await start();
    const dialog = await screen.findByRole("dialog", { name: "Area A2 is in progress" });
    await within(dialog).findByRole("button", { name: "Continue Counting" });
    expect(dialog.textContent).toContain("You counted here on this device: 1 item.");
  });

  it("Recount needed is on every counter's dashboard, whoever's finish did not match", async () => {
    const shop = new ScriptedShop();
    shop.areas = shop.areas.map((area) => ({ ...area, recountNeeded: area.code === "A2" }));
    await openDashboard({ shop });
    await selectStoreAndLocation();
    await screen.findByRole("radio", { name: /A2.*Recount needed.*In Progress/ });
    expect(screen.getAllByText("Recount needed")).toHaveLength(1);
  });

  it("an area that was completed after it was chosen is shown as completed", async () => {
    const harness = await openDashboard();
    await selectArea(/A1/);
    harness.shop.areas = harness.shop.areas.map((area) => ({ ...area, status: "closed" }));
    await harness.client.invalidateQueries({ queryKey: ["areas"] });
    await screen.findByRole("radio", { name: /A1.*Completed/ });
    await start();
    await screen.findByText(/Area A1 is completed/);
  });
});

describe("choosing", () => {
  it("an invitation pre-selects its store at once and its location a second later [spec:2.counter.preselect]", async () => {
    const held = holdTimers(1_000);
    const harness = await openCounter({
      path: "/counter",
      invitationData: { storeId: "store-1", locationId: "location-1" },
    });
    await screen.findByRole("radio", { name: "Harbour Street", checked: true });
    await screen.findByRole("radio", { name: "Sales Floor", checked: false });
    await held.pass();
    await screen.findByRole("radio", { name: "Sales Floor", checked: true });
    expect(harness.path()).toBe("/counter");
  });

  it("a long list can be searched by code and name", async () => {
    const shop = new ScriptedShop();
    const [first] = shop.areas;
    if (first === undefined) throw new Error("The shop has no areas.");
    shop.areas = Array.from({ length: 30 }, (_none, index) => ({
      ...first,
      _id: `area-${index}`,
      code: `Z${index}`,
      name: index === 17 ? "Window" : "Wall",
    }));
    await openDashboard({ shop });
    await selectStoreAndLocation();
    await userEvent.type(await screen.findByLabelText("Search: Select Area"), "wind");
    const areas = within(screen.getByRole("radiogroup", { name: "Select Area" }));
    expect(areas.getAllByRole("radio")).toHaveLength(1);
  });
});

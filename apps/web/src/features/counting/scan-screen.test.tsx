import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type CounterHarness, openCounter, openStation } from "./testing/counter-harness.tsx";
import { ScriptedShop } from "./testing/scripted-shop.ts";

const shirt = "4006381333931";

// The debounce looks at this clock; a test moves it instead of waiting.
let monotonic = 0;
beforeEach(() => {
  monotonic = 10_000;
  vi.spyOn(performance, "now").mockImplementation(() => monotonic);
});

async function scan(code: string, after = 1_500): Promise<void> {
  monotonic += after;
  await userEvent.keyboard(`${code}{Enter}`);
}

const count = () => screen.getByRole("status", { name: "Items Scanned" }).textContent;
const banner = () => document.querySelector("[data-state]");

async function countBecomes(expected: string): Promise<void> {
  await waitFor(() => expect(count()).toBe(expected));
}

async function firstScan(code = shirt): Promise<void> {
  await screen.findByText("READY TO SCAN");
  await scan(code);
  await countBecomes("1");
}

async function allSent(harness: CounterHarness): Promise<void> {
  await waitFor(() => expect(harness.device.queue.state().pending).toBe(0));
}

describe("scanning", () => {
  it("shows READY TO SCAN, then what was scanned, and the server gets it once", async () => {
    const harness = await openStation();
    await firstScan();
    expect(banner()?.getAttribute("data-state")).toBe("success");
    expect(banner()?.textContent).toContain("Linen Shirt · MSHIRT-M");
    await allSent(harness);
    expect(harness.shop.scanning.inputs()).toEqual([shirt]);
  });

  it("keys that hit a button or the page go to the hidden input; Tab ends a code as Enter does", async () => {
    await openStation();
    await firstScan();
    screen.getByRole("button", { name: "Exit Area" }).focus();
    monotonic += 1_500;
    await userEvent.keyboard("4006381333948{Tab}");
    await countBecomes("2");
    expect(screen.getByLabelText("Scanner input")).toBe(document.activeElement);
  });

  it("the hidden input takes the focus back by itself", async () => {
    await openStation();
    screen.getByRole("button", { name: "Exit Area" }).focus();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Scanner input")));
  });

  it("a scan within 1000 ms of the last one is ignored, and says so", async () => {
    const harness = await openStation();
    await firstScan();
    await scan("4006381333948", 900);
    await waitFor(() => expect(banner()?.textContent).toContain("Ignored: less than 1 second"));
    expect(count()).toBe("1");
    await allSent(harness);
    expect(harness.shop.scanning.scans).toHaveLength(1);
  });

  it("an unknown code is said, sent as it was read, and stands in no count", async () => {
    const harness = await openStation();
    await firstScan();
    await scan("unknown-77");
    await screen.findByText("UNKNOWN BARCODE: unknown-77");
    await allSent(harness);
    expect(count()).toBe("1");
    expect(harness.shop.scanning.scans.at(-1)).toMatchObject({
      status: "unresolved",
      payload: { input: "unknown-77" },
    });
  });

  it("a code that fits several products is asked about, and the choice goes as the full SKU", async () => {
    const harness = await openStation();
    await firstScan();
    await scan("TWIN");
    const dialog = await screen.findByRole("dialog", { name: "Which product is it?" });
    await userEvent.click(within(dialog).getByRole("button", { name: /TWIN-200-12345/ }));
    await countBecomes("2");
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({
      input: "TWIN-200-12345",
      inputType: "sku",
    });
  });

  it("manual entry takes the last digits, ignores whitespace, and goes as the full SKU by method manual", async () => {
    const harness = await openStation();
    await firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Manual Entry" }));
    const field = await screen.findByPlaceholderText("Enter SKU, Barcode, or Last 4-8 digits");
    await userEvent.type(field, "   {Enter}");
    expect(screen.queryByRole("dialog", { name: "Manual Entry" })).not.toBeNull();
    await userEvent.type(field, "SHIRT-L{Enter}");
    await countBecomes("2");
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({
      input: "SHIRT-L",
      inputType: "sku",
      method: "manual",
    });
  });

  it("shows the last five scans, the newest first", async () => {
    await openStation();
    await firstScan();
    for (let more = 2; more <= 7; more += 1) {
      await scan(more % 2 === 0 ? "4006381333948" : shirt);
      await countBecomes(String(more));
    }
    const rows = within(screen.getByRole("region", { name: "Recent Scans" })).getAllByRole("listitem");
    expect(rows).toHaveLength(5);
    expect(rows[0]?.textContent).toContain("SHIRT-M");
  });

  it("Undo Last is disabled at 0, takes the newest scan back here and on the server", async () => {
    const harness = await openStation();
    const undo = screen.getByRole("button", { name: "Undo Last" });
    expect(undo).toHaveProperty("disabled", true);
    await firstScan();
    await scan("4006381333948");
    await countBecomes("2");
    await userEvent.click(undo);
    await countBecomes("1");
    await allSent(harness);
    expect(harness.shop.scanning.total("A1")).toBe(1);
  });
});

describe("without the server", () => {
  it("S1: scans are saved locally, counted, and sent when the server answers again", async () => {
    const harness = await openStation();
    await firstScan();
    await allSent(harness);
    harness.shop.isAway = true;
    harness.device.connectivity.probe();
    await screen.findByText("Offline - Scans will be saved locally");
    expect(screen.getByText("Offline")).toBeDefined();
    await scan("4006381333948");
    await screen.findByText("Saved locally - will sync later");
    expect(count()).toBe("2");
    expect(screen.getByText("1 pending")).toBeDefined();
    harness.shop.isAway = false;
    harness.device.connectivity.probe();
    await screen.findByText("Back online! Syncing...");
    await screen.findByText("0 pending");
    expect(harness.shop.scanning.total("A1")).toBe(2);
  });

  it("a scan whose sending breaks off says that it is saved locally", async () => {
    const harness = await openStation();
    await firstScan();
    await allSent(harness);
    harness.shop.isAway = true;
    await scan("4006381333948");
    await screen.findByText("Saved locally - will sync later");
    expect(count()).toBe("2");
  });

  it("S25: a reload without the server counts from the device's own rows", async () => {
    const first = await openStation();
    await firstScan();
    await allSent(first);
    first.shop.isAway = true;
    await scan("4006381333948");
    await countBecomes("2");
    document.body.innerHTML = "";
    await openStation({ shop: first.shop, device: first.device });
    await countBecomes("2");
    await screen.findByText("Using offline product data");
  });

  it("without products on the device and without the server, it says that they failed to load", async () => {
    const shop = new ScriptedShop();
    shop.isAway = true;
    await openStation({ shop, isSynced: false });
    await screen.findByText("Failed to load products");
  });
});

describe("what the server takes back", () => {
  it("S22: a late answer takes the count back, with the reason, and AREA_CLOSED ends counting there", async () => {
    const harness = await openStation();
    await firstScan();
    await allSent(harness);
    harness.shop.scanning.closedAreas.add("A1");
    await scan("4006381333948");
    await screen.findByText("Not counted. This area is closed. Nothing more can be counted here.");
    await countBecomes("1");
    await scan(shirt);
    expect(count()).toBe("1");
    expect(screen.getByRole("button", { name: "Finish Area" })).toHaveProperty("disabled", true);
  });

  it("S22: an ended session says No active session found", async () => {
    const harness = await openStation();
    await firstScan();
    await allSent(harness);
    harness.shop.scanning.closedSessions.add("session-1");
    await scan(shirt);
    await screen.findByText("No active session found");
    await countBecomes("1");
  });

  it("a pass that another device began is said, counting goes to zero and on in it", async () => {
    const harness = await openStation();
    await firstScan();
    await allSent(harness);
    harness.shop.scanning.nextPass("A1", "AREA_RESET");
    harness.shop.areas = harness.shop.areas.map((area) =>
      area._id === "area-1" ? { ...area, pass: 2, status: "not_started" } : area,
    );
    await harness.client.invalidateQueries({ queryKey: ["areas"] });
    await screen.findByText(/This area was started again/);
    await countBecomes("0");
    await scan(shirt);
    await countBecomes("1");
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)).toMatchObject({ status: "counted", payload: { pass: 2 } });
    expect(harness.state()).toMatchObject({ pass: 2 });
  });

  it("S22: a scan of a pass that is over is taken back, and the new pass is learned from the answer", async () => {
    const harness = await openStation();
    await firstScan();
    await allSent(harness);
    harness.shop.scanning.nextPass("A1", "AREA_RESET");
    await scan("4006381333948");
    await screen.findByText(/This area was started again/);
    await countBecomes("0");
  });
});

describe("finishing", () => {
  async function declare(total: string): Promise<void> {
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await userEvent.type(
      await screen.findByLabelText("How many items do you think you scanned in this area?"),
      total,
    );
    await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
  }

  it("a total that matches closes the area and leads back to the dashboard after 3 s", async () => {
    const harness = await openStation();
    await firstScan();
    await declare("1");
    await screen.findByText("Area complete!");
    expect(harness.shop.scanning.closedAreas.has("A1")).toBe(true);
    await waitFor(() => expect(harness.path()).toBe("/counter"), { timeout: 4_000 });
  });

  it("a total that does not match says both numbers and begins again at zero in the new pass", async () => {
    const harness = await openStation();
    await firstScan();
    await declare("5");
    await screen.findByText("COUNT MISMATCH! You declared 5 but scanned 1. Please recount.");
    expect(screen.queryByRole("dialog", { name: "Finish Area" })).toBeNull();
    await countBecomes("0");
    await scan(shirt);
    await countBecomes("1");
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)).toMatchObject({ status: "counted", payload: { pass: 2 } });
  });

  it("S9: offline it waits behind the scans, and says so", async () => {
    const harness = await openStation();
    await firstScan();
    await allSent(harness);
    harness.shop.isAway = true;
    harness.device.connectivity.probe();
    await screen.findByText("Offline");
    await scan("4006381333948");
    await countBecomes("2");
    await declare("2");
    await screen.findByText(/The area is finished once the server has the count/);
    harness.shop.isAway = false;
    harness.device.connectivity.probe();
    await allSent(harness);
    expect(harness.shop.scanning.closedAreas.has("A1")).toBe(true);
  });

  it("where others counted in the pass, it asks for the total of all devices", async () => {
    const shop = new ScriptedShop();
    const harness = await openStation({ shop });
    await firstScan();
    await allSent(harness);
    shop.othersCounted = true;
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await screen.findByText("Other devices counted here too. Enter the total of all devices.");
  });

  it("a scan while the dialog is open neither submits it nor is counted", async () => {
    const harness = await openStation();
    await firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    const field = await screen.findByLabelText("How many items do you think you scanned in this area?");
    await waitFor(() => expect(document.activeElement).toBe(field));
    await userEvent.keyboard("123456{Enter}");
    await screen.findByText("Close this dialog to scan. That scan was not taken.");
    expect(harness.shop.scanning.closedAreas.size).toBe(0);
    expect(harness.shop.requests).not.toContain("POST /api/area/finish");
  });
});

describe("getting in and out", () => {
  it("missing route state says so and leads to the dashboard after 2 s", async () => {
    const harness = await openCounter({ path: "/counter/scan" });
    await screen.findByText("Missing required data. Redirecting...");
    await waitFor(() => expect(harness.path()).toBe("/counter"), { timeout: 3_000 });
  });

  it("finds the session and the pass by itself where the route state names only the specification's fields", async () => {
    const place = {
      ...{ storeId: "store-1", locationId: "location-1", areaId: "area-1" },
      ...{ area: { code: "A1", name: "Area A1" }, store: { name: "Harbour Street" } },
      location: { name: "Sales Floor" },
    };
    const harness = await openStation({ state: place });
    await firstScan();
    await allSent(harness);
    expect(harness.shop.scanning.scans[0]?.payload).toMatchObject({ sessionId: "session-1", pass: 1 });
  });

  it("without a place to keep scans, scanning does not begin and says why", async () => {
    await openCounter({
      path: "/counter/scan",
      deviceState: { status: "unavailable", reason: "This browser does not let the page store scans." },
    });
    await screen.findByText("This browser does not let the page store scans.");
    expect(screen.queryByLabelText("Scanner input")).toBeNull();
  });

  it("Exit Area leads to the dashboard at once", async () => {
    const harness = await openStation();
    await userEvent.click(screen.getByRole("button", { name: "Exit Area" }));
    await waitFor(() => expect(harness.path()).toBe("/counter"));
  });
});

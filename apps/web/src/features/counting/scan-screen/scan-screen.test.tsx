import { limits } from "@stocktake/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { openStation } from "../testing/counter-harness.tsx";
import {
  allSent,
  banner,
  bannerShows,
  burst,
  burstInto,
  count,
  countBecomes,
  feelAlarms,
  scannerInEachTest,
  shirt,
} from "../testing/scanning-hand.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";

const hand = scannerInEachTest();

describe("scanning", () => {
  it("shows READY TO SCAN, then what was scanned, and the server gets it once [spec:2.scan.banner]", async () => {
    const harness = await openStation();
    await hand.firstScan();
    expect(banner()?.getAttribute("data-state")).toBe("success");
    expect(banner()?.textContent).toContain("Linen Shirt\u00a0·\u00a0MSHIRT-M");
    await allSent(harness);
    expect(harness.shop.scanning.inputs()).toEqual([shirt]);
  });

  it("keys that hit a button or the page go to the hidden input; Tab ends a code as Enter does", async () => {
    await openStation();
    await hand.firstScan();
    screen.getByRole("button", { name: "Exit Area" }).focus();
    await hand.scan("4006381333948", 1_500, "{Tab}");
    await countBecomes("2");
    expect(screen.getByLabelText("Scanner input")).toBe(document.activeElement);
  });

  it("the hidden input takes the focus back by itself [spec:2.scan.focus]", async () => {
    await openStation();
    screen.getByRole("button", { name: "Exit Area" }).focus();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Scanner input")));
  });

  it("a scan within 1000 ms of the last one is ignored, and the banner shows so [spec:5.scan.debounce]", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await hand.scan("4006381333948", 900);
    await waitFor(() => expect(banner()?.textContent).toContain("Ignored: less than 1 second"));
    expect(count()).toBe("1");
    await allSent(harness);
    expect(harness.shop.scanning.scans).toHaveLength(1);
  });

  it("an unknown code is shown, sent as it was read, and is in no count [spec:5.scan.unknown]", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await hand.scan("unknown-77");
    await bannerShows("UNKNOWN BARCODE: unknown-77");
    await bannerShows("Set it aside for the manager.");
    const recent = within(screen.getByRole("region", { name: "Recent Scans" })).getAllByRole("listitem");
    expect(recent[0]?.textContent).toContain("unknown-77 Set aside for the manager");
    await allSent(harness);
    expect(count()).toBe("1");
    expect(harness.shop.scanning.scans.at(-1)).toMatchObject({
      status: "unresolved",
      payload: { input: "unknown-77" },
    });
  });

  it("a code that matches several products is asked about, and the choice goes as the full SKU", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await hand.scan("TWIN");
    const dialog = await screen.findByRole("dialog", { name: "Which product is it?" });
    await userEvent.click(within(dialog).getByRole("button", { name: /TWIN-200-12345/ }));
    await countBecomes("2");
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({
      input: "TWIN-200-12345",
      inputType: "sku",
    });
  });

  it("manual entry takes the last digits, ignores whitespace, and goes as the full SKU by method manual [spec:2.scan.manual][spec:5.manual.empty]", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Manual Entry" }));
    const field = await screen.findByPlaceholderText("Enter SKU, Barcode, or Last 4-8 digits");
    await userEvent.type(field, "   {Enter}");
    expect(screen.queryByRole("dialog", { name: "Manual Entry" })).not.toBeNull();
    fireEvent.change(field, { target: { value: "SHIRT-L" } });
    await userEvent.type(field, "{Enter}");
    await countBecomes("2");
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({
      input: "SHIRT-L",
      inputType: "sku",
      method: "manual",
    });
  });

  it("a code too long for manual entry is kept, and the field shows so; the longest goes whole", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Manual Entry" }));
    const field = await screen.findByPlaceholderText("Enter SKU, Barcode, or Last 4-8 digits");
    const longest = "🧵".repeat(limits.sku);
    await userEvent.click(field);
    await userEvent.paste(`${longest}!`);
    await userEvent.type(field, "{Enter}");
    screen.getByText("A code can have at most 276 characters.");
    expect(field).toHaveProperty("value", `${longest}!`);
    await userEvent.type(field, "{Backspace}{Enter}");
    await bannerShows(`UNKNOWN BARCODE: ${longest}`);
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({ input: longest, inputType: "sku" });
  });

  it("a scan into Manual Entry is that scan alone, whatever was typed before it, and keeps to the second", async () => {
    const harness = await openStation();
    await hand.firstScan();
    const scanInto = async () => {
      await userEvent.click(screen.getByRole("button", { name: "Manual Entry" }));
      const field = await screen.findByPlaceholderText<HTMLInputElement>(/^Enter SKU/);
      fireEvent.change(field, { target: { value: "12" } });
      expect(burstInto(field, "4006381333948")).toBe(false);
      expect(screen.queryByRole("dialog", { name: "Manual Entry" })).toBeNull();
    };
    hand.waits(1_500);
    await scanInto();
    await countBecomes("2");
    await scanInto();
    await bannerShows("Ignored: less than 1 second after the last scan");
    expect(banner()?.textContent?.match(/Ignored/g)).toHaveLength(1);
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({
      input: "4006381333948",
      method: "scan",
    });
  });

  it("a scan into Device Settings changes nothing there, is not taken, and is told", async () => {
    const alarms = feelAlarms();
    await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Device Settings" }));
    const dialog = await screen.findByRole("dialog", { name: "Device Settings" });
    expect(burst(shirt)).toBe(false);
    expect(alarms()).toBe(1);
    await within(dialog).findByText("Close this dialog to scan. That scan was not counted.");
    expect(count()).toBe("1");
    await within(dialog).findByText(/^On this device: 4 products, 0 pending scans, 0 pending submissions/);
  });

  it("shows the last five scans, the newest first [spec:2.scan.figures]", async () => {
    await openStation();
    await hand.firstScan();
    for (let more = 2; more <= 7; more += 1) {
      await hand.scan(more % 2 === 0 ? "4006381333948" : shirt);
      await countBecomes(String(more));
    }
    const rows = within(screen.getByRole("region", { name: "Recent Scans" })).getAllByRole("listitem");
    expect(rows).toHaveLength(5);
    expect(rows[0]?.textContent).toContain("SHIRT-M");
  });

  it("Undo Last is disabled at 0, takes the newest scan back here and on the server [spec:2.scan.undo][spec:4.undo]", async () => {
    const harness = await openStation();
    const undo = screen.getByRole("button", { name: "Undo Last" });
    expect(undo).toHaveProperty("disabled", true);
    await hand.firstScan();
    await hand.scan("4006381333948");
    await countBecomes("2");
    await userEvent.click(undo);
    await countBecomes("1");
    await waitFor(() => expect(harness.shop.scanning.inputs()).toHaveLength(2));
    await waitFor(() => expect(harness.shop.scanning.total("A1")).toBe(1));
  });
});

describe("without the server", () => {
  it("S1: scans are saved locally, counted, and sent when the server answers again [spec:4.offline][spec:4.online][spec:8.scan.saved]", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await allSent(harness);
    harness.shop.isAway = true;
    void harness.device.connectivity.probe();
    await bannerShows("Offline - Scans will be saved locally");
    expect(screen.getByText("Offline")).toBeDefined();
    await hand.scan("4006381333948");
    await bannerShows("Saved locally - will sync later");
    expect(count()).toBe("2");
    expect(screen.getByText("1 pending")).toBeDefined();
    harness.shop.isAway = false;
    void harness.device.connectivity.probe();
    await bannerShows("Back online! Syncing...");
    await screen.findByText("0 pending");
    expect(harness.shop.scanning.total("A1")).toBe(2);
  });

  it("S25: a reload without the server counts from the device's own rows [spec:8.scan.stale]", async () => {
    const first = await openStation();
    await hand.firstScan();
    await allSent(first);
    first.shop.isAway = true;
    await hand.scan("4006381333948");
    await countBecomes("2");
    document.body.innerHTML = "";
    await openStation({ shop: first.shop, device: first.device });
    await countBecomes("2");
    await screen.findByText("Using offline product data");
  });

  it("without products on the device and without the server, the banner shows that they failed to load [spec:8.scan.products]", async () => {
    const shop = new ScriptedShop();
    shop.isAway = true;
    await openStation({ shop, isSynced: false });
    await screen.findByText("Failed to load products");
  });
});

describe("what the server takes back", () => {
  it("S22: a late answer takes the count back, with the reason, and AREA_CLOSED ends counting there", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await allSent(harness);
    harness.shop.scanning.closedAreas.add("A1");
    await hand.scan("4006381333948");
    await bannerShows("Not counted. This area is closed. Nothing more can be counted here.");
    await countBecomes("1");
    await hand.scan(shirt);
    expect(count()).toBe("1");
    expect(screen.getByRole("button", { name: "Finish Area" })).toHaveProperty("disabled", true);
  });

  it("a pass that another device started is shown, and counting goes on in it from zero", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await allSent(harness);
    harness.shop.scanning.nextPass("A1", "AREA_RESET");
    harness.shop.areas = harness.shop.areas.map((area) =>
      area._id === "area-1" ? { ...area, pass: 2, status: "not_started" } : area,
    );
    await harness.client.invalidateQueries({ queryKey: ["areas"] });
    await bannerShows("This area was restarted");
    await countBecomes("0");
    await hand.scan(shirt);
    await countBecomes("1");
    await allSent(harness);
    expect(harness.shop.scanning.scans.at(-1)).toMatchObject({ status: "counted", payload: { pass: 2 } });
    expect(harness.state()).toMatchObject({ pass: 2 });
    const name = /^Restarted: your count is back to 0\..*Dismiss$/;
    await userEvent.click(screen.getByRole("button", { name }));
    expect(screen.queryByRole("button", { name })).toBeNull();
  });
});

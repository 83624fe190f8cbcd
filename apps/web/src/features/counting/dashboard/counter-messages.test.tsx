import { activeSession } from "@stocktake/contract/examples";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { decideStart } from "../opening/start-counting.ts";
import { openCounter, openStation } from "../testing/counter-harness.tsx";
import { bannerShows, scannerInEachTest } from "../testing/scanning-hand.ts";
import { mia } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";

const hand = scannerInEachTest();

describe("the counter's dashboard", () => {
  it("shows the area cards and how to count [spec:2.counter.howto]", async () => {
    await openCounter({ path: "/counter" });
    await userEvent.click(await screen.findByRole("radio", { name: "Harbour Street" }));
    await userEvent.click(await screen.findByRole("radio", { name: "Sales Floor" }));
    await screen.findByRole("radio", { name: /A1/ });
    const list = within(screen.getByRole("list", { name: "How to count" }));
    expect(list.getAllByRole("listitem")).toHaveLength(5);
  });

  it("a selection that is gone is shown [spec:8.start.gone]", () => {
    const selection = { storeId: "store-1", locationId: "location-1", areaId: "gone" };
    const products = { etag: '"1"', lastSync: "2026-03-01T07:00:00.000Z", productCount: 1, isComplete: true };
    const known = {
      stores: [],
      locations: [],
      areas: [],
      sessions: [activeSession()],
      products,
    };
    expect(decideStart(selection, { ...known, notes: new Map() })).toEqual({
      kind: "refused",
      error: "Selected store/location/area not found. Please refresh and try again.",
      missing: null,
    });
  });

  it.each([
    ["an invited counter", mia, "You don't have access to a store. Ask the administrator for an invitation."],
    [
      "a counter with an account",
      { ...mia, isTemporary: false, invitationId: null },
      "No store is being counted at the moment. Ask the administrator to start a session; it appears here by itself.",
    ],
  ])("without a store it shows %s what to do", async (_who, user, words) => {
    const shop = new ScriptedShop();
    shop.hasStore = false;
    await openCounter({ path: "/counter", shop, user });
    await screen.findByText(words);
  });

  it("a sync that fails shows so [spec:8.products.failed]", async () => {
    // The products are there, so that no sync begins by itself.
    const harness = await openCounter({ path: "/counter" });
    await screen.findByRole("radio", { name: "Harbour Street", checked: true });
    harness.shop.isAway = true;
    await userEvent.click(screen.getByRole("button", { name: "Sync Products" }));
    await screen.findByText("Failed to sync products");
  });
});

describe("the scan screen", () => {
  it("shows where, who, and the state of the device [spec:2.scan.header][spec:2.scan.footer]", async () => {
    await openStation();
    await screen.findByText("READY TO SCAN");
    await screen.findByRole("heading", { name: "Area A1 - Area A1" });
    for (const text of ["Harbour Street", "Sales Floor", "Mia", "Online", "0 pending"]) {
      expect(screen.getByText(text)).toBeDefined();
    }
    screen.getByText("Scan items with your barcode scanner • Scanner input is always active");
  });

  it("an undo that the device cannot keep gives the scan back [spec:8.scan.undo]", async () => {
    const harness = await openStation();
    await hand.firstScan();
    vi.stubGlobal("reportError", vi.fn());
    vi.spyOn(harness.device, "operate").mockRejectedValue(new Error("QuotaExceededError"));
    await userEvent.click(screen.getByRole("button", { name: "Undo Last" }));
    await bannerShows("Failed to undo scan");
    expect(screen.getByRole("status", { name: "Items Scanned" }).textContent).toBe("1");
  });

  it("a finish that the device cannot store shows so in its dialog [spec:8.scan.finish]", async () => {
    const harness = await openStation();
    await hand.firstScan();
    vi.stubGlobal("reportError", vi.fn());
    vi.spyOn(harness.device, "operate").mockRejectedValue(new Error("QuotaExceededError"));
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await userEvent.type(
      await screen.findByLabelText("How many items do you think you scanned in this area?"),
      "1",
    );
    await userEvent.click(screen.getByRole("button", { name: "Submit Count" }));
    await screen.findByText("Failed to submit area count");
  });
});

import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { queryRoots } from "../../http/shared-queries.ts";
import { readActiveArea } from "./kept-place.ts";
import { type CounterHarness, mia, openStation, placeOne } from "./testing/counter-harness.tsx";
import {
  allSent,
  banner,
  bannerSays,
  count,
  countBecomes,
  scannerInEachTest,
} from "./testing/scanning-hand.ts";
import { ScriptedShop } from "./testing/scripted-shop.ts";
import { countedArea } from "./use-station.ts";

const hand = scannerInEachTest();

/** Somebody else changes the area, and this page hears of it. */
async function elsewhere(
  { shop, client }: CounterHarness,
  change: Partial<ScriptedShop["areas"][number]>,
): Promise<void> {
  shop.areas = shop.areas.map((area) => (area._id === placeOne.areaId ? { ...area, ...change } : area));
  await client.invalidateQueries({ queryKey: [queryRoots.areas] });
}

const dialog = (name: string) => screen.queryByRole("dialog", { name });

describe("a clumsy hand", () => {
  it("a double tap on Undo Last takes one scan back; a tap after it takes the next", async () => {
    await openStation();
    await hand.firstScan();
    await hand.scan("4006381333948");
    await countBecomes("2");
    const undo = screen.getByRole("button", { name: "Undo Last" });
    hand.waits(1_000);
    await userEvent.click(undo);
    hand.waits(250);
    await userEvent.click(undo);
    await bannerSays("Undone");
    expect(count()).toBe("1");
    hand.waits(50);
    await userEvent.click(undo);
    await countBecomes("0");
  });

  it("a scan that no Enter ends is said, and does not spoil the next one", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await hand.scan("290000", 1_500, "");
    await waitFor(() => {
      hand.waits(1_500);
      expect(banner()?.textContent).toContain("the scanner sent no Enter after the code");
    });
    await hand.scan("4006381333948");
    await countBecomes("2");
    await allSent(harness);
    expect(harness.shop.scanning.inputs().at(-1)).toBe("4006381333948");
  });

  it("the rest of a scan that stalled in the middle is not taken for a code of its own", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await hand.scan("400638", 1_500, "");
    await waitFor(() => {
      hand.waits(100);
      expect(banner()?.textContent).toContain("the scanner sent no Enter after the code");
    });
    await hand.scan("12345", 500);
    await bannerSays("12345");
    expect(count()).toBe("1");
    await allSent(harness);
    expect(harness.shop.scanning.scans).toHaveLength(1);
  });

  it("a blank that somebody typed is no scan", async () => {
    await openStation();
    await hand.firstScan();
    const before = banner()?.textContent;
    const input = screen.getByLabelText<HTMLInputElement>("Scanner input");
    fireEvent.input(input, { target: { value: " " } });
    await waitFor(() => {
      hand.waits(1_500);
      expect(input.value).toBe("");
    });
    expect(banner()?.textContent).toBe(before);
  });

  it("of a scan that a dialog cuts in two nothing is left for the next one", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await hand.scan("290000", 1_500, "");
    await userEvent.click(screen.getByRole("button", { name: "Manual Entry" }));
    const field = await screen.findByPlaceholderText<HTMLInputElement>(/^Enter SKU/);
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(field.isConnected).toBe(false));
    await hand.scan("4006381333948");
    await countBecomes("2");
    await allSent(harness);
    expect(harness.shop.scanning.inputs().at(-1)).toBe("4006381333948");
  });
});

describe("another tab of the device", () => {
  it("S16: what it undoes leaves the count of this tab too", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await hand.scan("4006381333948");
    await countBecomes("2");
    const [first] = await harness.device.database.getAll("pendingScans");
    if (first?.id === undefined) throw new Error("Nothing was kept.");
    await harness.device.operate({
      ...{ kind: "undo", area: countedArea(placeOne, 1) },
      ...{ targetId: first.id, targetSeq: first.seq },
    });
    await countBecomes("1");
    await bannerSays("Undone");
  });
});

describe("somebody else in the area", () => {
  it("who starts it again closes the finish dialog: a total of the count before must not end theirs", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await screen.findByRole("dialog", { name: "Finish Area" });
    await elsewhere(harness, { pass: 2 });
    await bannerSays("This area was started again.");
    await waitFor(() => expect(dialog("Finish Area")).toBeNull());
    expect(harness.shop.requests).not.toContain("POST /api/area/finish");
  });

  it("who starts it again takes the question about a scan of the count before away", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await hand.scan("TWIN");
    await screen.findByRole("dialog", { name: "Which product is it?" });
    await elsewhere(harness, { pass: 2 });
    await bannerSays("This area was started again.");
    await waitFor(() => expect(dialog("Which product is it?")).toBeNull());
    expect(count()).toBe("0");
  });

  it("who completes it closes Manual Entry, so that the banner can be read", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Manual Entry" }));
    await screen.findByRole("dialog", { name: "Manual Entry" });
    await elsewhere(harness, { status: "closed" });
    await bannerSays("This area is closed.");
    await waitFor(() => expect(dialog("Manual Entry")).toBeNull());
  });

  it("who completes it leaves nothing to resume", async () => {
    const harness = await openStation();
    await hand.firstScan();
    const kept = () => readActiveArea(harness.device.database, mia._id);
    expect(await kept()).not.toBeNull();
    await elsewhere(harness, { status: "closed" });
    await bannerSays("This area is closed.");
    await waitFor(async () => expect(await kept()).toBeNull());
  });
});

describe("an area whose finish waits", () => {
  it("S26: says so where the back button leads into it, also where the products could not be freshened", async () => {
    const shop = new ScriptedShop();
    const first = await openStation({ shop });
    await hand.firstScan();
    await allSent(first);
    shop.isAway = true;
    await first.device.operate({ kind: "finish", area: countedArea(placeOne, 1), declaredTotal: 1 });
    document.body.innerHTML = "";
    const freshened = () => shop.requests.filter((path) => path === "GET /api/products/map").length;
    const before = freshened();
    await openStation({ shop, device: first.device });
    await waitFor(() => expect(freshened()).toBeGreaterThan(before));
    await bannerSays("The finish of this area has not reached the server yet.");
    await waitFor(() => expect(first.device.connectivity.isOnline()).toBe(false));
    await bannerSays("The finish of this area has not reached the server yet.");
  });
});

import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { type CounterHarness, openStation } from "../testing/counter-harness.tsx";
import {
  allSent,
  banner,
  bannerShows,
  count,
  countBecomes,
  scannerInEachTest,
} from "../testing/scanning-hand.ts";
import { areaOne } from "../testing/scripted-device.ts";
import type { ScriptedShop } from "../testing/scripted-shop.ts";

const hand = scannerInEachTest();

/** Somebody else changes the area, and this page hears of it. */
async function elsewhere(
  { shop, client }: CounterHarness,
  change: Partial<ScriptedShop["areas"][number]>,
): Promise<void> {
  shop.areas = shop.areas.map((area) => (area._id === areaOne.areaId ? { ...area, ...change } : area));
  await client.invalidateQueries({ queryKey: [queryRoots.areas] });
}

const dialog = (name: string) => screen.queryByRole("dialog", { name });

describe("a clumsy hand", () => {
  it("a scan that no Enter ends is shown, and does not spoil the next one", async () => {
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
    await bannerShows("12345");
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

describe("somebody else in the area", () => {
  it("who starts it again closes the finish dialog: a total of the count before must not end theirs", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Finish Area" }));
    await screen.findByRole("dialog", { name: "Finish Area" });
    await elsewhere(harness, { pass: 2 });
    await bannerShows("This area was restarted.");
    await waitFor(() => expect(dialog("Finish Area")).toBeNull());
    expect(harness.shop.requests).not.toContain("POST /api/area/finish");
  });

  it("who completes it closes Manual Entry, so that the banner can be read", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await userEvent.click(screen.getByRole("button", { name: "Manual Entry" }));
    await screen.findByRole("dialog", { name: "Manual Entry" });
    await elsewhere(harness, { status: "closed" });
    await bannerShows("This area is closed.");
    await waitFor(() => expect(dialog("Manual Entry")).toBeNull());
  });
});

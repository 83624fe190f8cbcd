import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, it, vi } from "vitest";
import { type CounterHarness, openStation } from "../testing/counter-harness.tsx";
import { allSent, bannerShows, countBecomes, scannerInEachTest, shirt } from "../testing/scanning-hand.ts";

const hand = scannerInEachTest();

async function loseTheServer(): Promise<CounterHarness> {
  const harness = await openStation();
  await hand.firstScan();
  await allSent(harness);
  harness.shop.isAway = true;
  harness.device.connectivity.report(false);
  await bannerShows("Offline - Scans will be saved locally");
  return harness;
}

function findTheServer({ shop, device }: CounterHarness): void {
  shop.isAway = false;
  device.connectivity.report(true);
  device.engine.retryNow();
}

describe("what this device holds", () => {
  it("S27: says how much of what the server has is kept, since when, and within which bound", async () => {
    const harness = await openStation();
    await hand.firstScan();
    await allSent(harness);
    await userEvent.click(screen.getByRole("button", { name: "Device Settings" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Device Settings" }));
    await dialog.findByText(
      /1 entry that the server has, since .+, is kept in case it is restored from a backup: for 14 days, 20,000 at most/,
    );
  });

  it("S20: follows the queue while it is shown", async () => {
    const harness = await loseTheServer();
    await hand.scan(shirt);
    await countBecomes("2");
    await userEvent.click(screen.getByRole("button", { name: "Device Settings" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Device Settings" }));
    await dialog.findByText(/^On this device: 4 products, 1 pending scan, 0 pending submissions/);
    findTheServer(harness);
    await dialog.findByText(/^On this device: 4 products, 0 pending scans, 0 pending submissions/);
    await dialog.findByText("Everything scanned on this device has reached the server.");
  });

  it("says so where the browser has not promised to keep it, as in a private window", async () => {
    const storage = { persisted: async () => false, persist: async () => false };
    vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { storage }));
    await openStation();
    await userEvent.click(screen.getByRole("button", { name: "Device Settings" }));
    await screen.findByText(/a private window does when it is closed: let everything be sent/);
  });
});

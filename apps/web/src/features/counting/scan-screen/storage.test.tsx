import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { messages } from "../messages.ts";
import { openStation } from "../testing/counter-harness.tsx";
import {
  allSent,
  banner,
  bannerShows,
  count,
  countBecomes,
  scannerInEachTest,
} from "../testing/scanning-hand.ts";

const hand = scannerInEachTest();

it("S28: opening an area asks the browser to keep the storage, before the first scan", async () => {
  const persist = vi.fn(async () => true);
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { storage: { persist } }));
  await openStation();
  await vi.waitFor(() => expect(persist).toHaveBeenCalledTimes(1));
  expect(count()).toBe("0");
});

it("S1: after the browser has closed the storage beneath the screen it shows that a scan may not be counted", async () => {
  // What reads the storage just then fails, and reports it.
  vi.stubGlobal("reportError", vi.fn());
  const harness = await openStation();
  await hand.firstScan();
  await allSent(harness);
  const device = await harness.reopen();
  await bannerShows(messages.storageReopened);
  device.connectivity.report(false);
  await screen.findByText("Offline", { exact: true });
  await bannerShows(messages.storageReopened);
  expect(banner()?.getAttribute("data-state")).toBe("error");
  await countBecomes("1");
  const scanned = vi.spyOn(device, "scan");
  await vi.waitFor(async () => {
    await hand.scan("4006381333948");
    expect(scanned).toHaveBeenCalled();
  });
  await countBecomes("2");
});

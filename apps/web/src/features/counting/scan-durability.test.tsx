import { expect, it, vi } from "vitest";
import type { CountingDevice } from "../../offline/offline.ts";
import { words } from "./messages.ts";
import { openStation } from "./testing/counter-harness.tsx";
import {
  allSent,
  banner,
  bannerSays,
  count,
  countBecomes,
  scannerInEachTest,
  shirt,
} from "./testing/scanning-hand.ts";

const hand = scannerInEachTest();

/** A disk that keeps writes waiting until it is told to complete them. */
function slowDown(device: CountingDevice) {
  const { scan } = device;
  let complete = () => {};
  const onDisk = new Promise<void>((resolve) => {
    complete = resolve;
  });
  const writing = vi.spyOn(device, "scan").mockImplementation(async (draft) => {
    await onDisk;
    return scan(draft);
  });
  return { writing, complete };
}

it("S1: neither green nor counted before the scan is on the disk", async () => {
  const { device } = await openStation();
  await hand.firstScan();
  const before = banner()?.textContent;
  const { writing, complete } = slowDown(device);
  await hand.scan("4006381333948");
  await vi.waitFor(() => expect(writing).toHaveBeenCalledTimes(1));
  expect(count()).toBe("1");
  expect(banner()?.textContent).toBe(before);
  complete();
  await countBecomes("2");
  expect(banner()?.getAttribute("data-state")).toBe("success");
});

it("a scan ignored while the one before is being written is still said at the end", async () => {
  const { device } = await openStation();
  await hand.firstScan();
  const { writing, complete } = slowDown(device);
  await hand.scan("4006381333948");
  await hand.scan("4006381333948", 200);
  complete();
  await countBecomes("2");
  await bannerSays(words.swallowed);
  expect(writing).toHaveBeenCalledTimes(1);
});

it("S1: a scan that could not be written is not counted, and the banner says so", async () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const { device } = await openStation();
  await hand.firstScan();
  vi.spyOn(device, "scan").mockRejectedValue(new DOMException("Full.", "QuotaExceededError"));
  await hand.scan(shirt);
  await bannerSays(words.notSaved);
  expect(banner()?.getAttribute("data-state")).toBe("error");
  expect(count()).toBe("1");
  expect(reported).toHaveBeenCalledTimes(1);
});

it("S28: opening an area asks the browser to keep the storage, before the first scan", async () => {
  const persist = vi.fn(async () => true);
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { storage: { persist } }));
  await openStation();
  await vi.waitFor(() => expect(persist).toHaveBeenCalledTimes(1));
  expect(count()).toBe("0");
});

it("S1: after the browser has closed the storage beneath the screen it says that a scan may not be counted", async () => {
  // What reads the storage just then fails, and reports it.
  vi.stubGlobal("reportError", vi.fn());
  const harness = await openStation();
  await hand.firstScan();
  await allSent(harness);
  const device = await harness.reopen();
  await bannerSays(words.storageReopened);
  expect(banner()?.getAttribute("data-state")).toBe("error");
  await countBecomes("1");
  const scanned = vi.spyOn(device, "scan");
  await vi.waitFor(async () => {
    await hand.scan("4006381333948");
    expect(scanned).toHaveBeenCalled();
  });
  await countBecomes("2");
});
